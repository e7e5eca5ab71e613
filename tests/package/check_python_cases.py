"""Every case of datasets/ through the Python package gives the files of the program: each number of the result, bit for
bit, but for times and the names of the files. check_python_cases.py PROGRAM SOURCE BUILD [CASE...]

Skipped where the build has no package or h5py is missing; a case whose mesh is not there is passed by."""
import glob
import os
import subprocess
import sys
import tempfile
import time

import support
from support import expect, expect_same

program, source, build = sys.argv[1:4]
package = os.path.join(build, "python")
RUN = """import sys, edgewise as ew
from edgewise.study import Case
Case(sys.argv[1]).run(sys.argv[2])
"""


def check_case(path, folder):
    name = os.path.splitext(os.path.basename(path))[0]
    times, begin = [], time.monotonic()
    for words in ([program, "run", path, "-o", os.path.join(folder, "program"), "--device", "host", "--quiet"],
                  [sys.executable, "-c", RUN, path, os.path.join(folder, "python")]):
        done = subprocess.run(words, capture_output=True, text=True, env={
            **os.environ, "PYTHONPATH": package, "PATH": build + os.pathsep + os.environ.get("PATH", "")})
        times.append(time.monotonic() - begin)
        if not expect(done.returncode == 0, f"{name}: {words[0]}: {done.stderr.strip()[-500:]}"):
            return
    expect_same(folder, "program", "python", name, ())
    print(f"{name}: program {times[0]:.1f} s, Python {times[1] - times[0]:.1f} s", flush=True)


def main():
    if not os.path.exists(os.path.join(package, "edgewise", "_study.abi3.so")):
        print("skipped: built without the Python package, or without case files in it")
        sys.exit(77)
    named = [os.path.join(source, "datasets", one) for one in sys.argv[4:]]
    for path in named or sorted(glob.glob(os.path.join(source, "datasets", "*.yaml"))):
        with tempfile.TemporaryDirectory(prefix="edgewise-") as folder:
            check_case(path, folder)
    support.finish("python cases")


main()
