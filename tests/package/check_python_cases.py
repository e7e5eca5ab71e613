"""Every case of datasets/ through the Python package gives the files of the program: each number of the result, bit for
bit, but for times and the names of the files. check_python_cases.py PROGRAM SOURCE BUILD [CASE...]

Skipped where the build has no package or h5py is missing; a case whose mesh is not there is passed by."""
import glob
import os
import sys
import tempfile
import time

import support
from support import expect_same

program, source, build = sys.argv[1:4]
package = os.path.join(build, "python")


def check_case(run, path, folder):
    name = os.path.splitext(os.path.basename(path))[0]
    begin = time.monotonic()
    shipped = support.run_shipped(program, source, folder, name)
    if shipped is None:
        return
    between = time.monotonic()
    run(path, os.path.join(folder, "python"))
    print(f"{name}: program {between - begin:.1f} s, Python {time.monotonic() - between:.1f} s", flush=True)
    expect_same(folder, shipped, "python", name, ())


def main():
    if not os.path.exists(os.path.join(package, "edgewise", "_study.abi3.so")):
        print("skipped: built without the Python package, or without case files in it")
        sys.exit(77)
    sys.path.insert(0, package)
    os.environ["PATH"] = build + os.pathsep + os.environ.get("PATH", "")  # edgewise-gmsh
    from edgewise.study import Case
    named = [os.path.join(source, "datasets", one) for one in sys.argv[4:]]
    for path in named or sorted(glob.glob(os.path.join(source, "datasets", "*.yaml"))):
        with tempfile.TemporaryDirectory(prefix="edgewise-") as folder:
            check_case(lambda case, out: Case(case).run(out), path, folder)
    support.finish("python cases")


main()
