#!/usr/bin/python3
"""check_calculix_bunny.py PROGRAM SOURCE_DIR BUILD_DIR

A scanned body of 10,013 tets, as check_calculix.py compares others. Exit status 77 without the study meshes or ccx.
"""
import shutil
import sys

import support
from check_calculix import RUBBER, Case, check, slab

bunny = support.study_mesh(sys.argv[2], "bunny.mesh")
if not bunny or not shutil.which("ccx"):
    sys.exit(77)
check(Case("bunny", bunny, {0: RUBBER}, [(slab(1, -1, -0.45), (0, 0, 0)), (slab(0, 0.4, 1), (0.01, None, 0.003))],
           [("gravity", None, (0, -9.81, 0)), ("pressure", slab(2, 0.2, 1), 2e3),
            ("traction", slab(1, 0.3, 1), (100.0, 0, 300.0))]))
sys.exit(support.finish("check_calculix_bunny"))
