#!/usr/bin/python3
"""check_nafems.py PROGRAM SOURCE_DIR BUILD_DIR

NAFEMS LE1, LE10 and LE11 as shipped: the stress at the point asked for (The Standard NAFEMS Benchmarks, 1990), with
quadratic tets near the target and with linear ones on the same mesh far from it.
"""
import os
import sys
import tempfile

import support
from support import expect, numpy

program, source = sys.argv[1], sys.argv[2]
TARGETS = [("le1", (2, 0, 0.1), 1, 92.7e6, 0.01), ("le10", (2, 0, 0.6), 1, -5.38e6, 0.03),
           ("le11", (1, 0, 0), 2, -105e6, 0.01), ("le10-curved", (2, 0, 0.6), 1, -5.38e6, 0.03),
           ("le11-curved", (1, 0, 0), 2, -105e6, 0.03)]

with tempfile.TemporaryDirectory() as folder:
    for name, place, component, target, within in TARGETS:
        if support.run(program, "run", os.path.join(source, "datasets", name + ".yaml"), "-o", name,
                       folder=folder) is None:
            continue
        found = []
        for frame in support.read_frames(os.path.join(folder, name + ".vtkhdf")):
            at = numpy.abs(frame["Points"] - numpy.array(place)).sum(1).argmin()
            found.append(frame["PointData/stress"][at, component])
        print(f"  {name}: quadratic {found[0]:.4g}, linear {found[1:]}, target {target:.4g}")
        expect(abs(found[0] / target - 1) < within, f"{name}: {found[0]} with quadratic tets")
        if len(found) > 1:
            expect(found[1] / target < 0.86, f"{name}: {found[1]} with linear tets")
sys.exit(support.finish("check_nafems.py"))
