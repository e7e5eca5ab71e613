"""The Python package: its tests (tools/python/tests), each file in a process of its own, and its notebooks.

check_python.py PROGRAM SOURCE BUILD [TEST...]

Skipped where the build has no package: Python.h, cffi or numpy were not found."""
import os
import subprocess
import sys

# Left out under the sanitizers: what takes long and handles no memory that the other tests do not.
SLOW = ("test_bits.py", "test_notebooks.py", "test_study.py", "test_typing.py")
program, source, build = sys.argv[1:4]
package = os.path.join(build, "python")
if not os.path.exists(os.path.join(package, "edgewise", "_ew.abi3.so")):
    print("skipped: built without the Python package (Python.h, cffi, numpy)")
    sys.exit(77)

folder = os.path.join(source, "tools", "python", "tests")
names = sys.argv[4:] or sorted(name for name in os.listdir(folder) if name.startswith("test_"))
environment = {**os.environ, "PYTHONPATH": package, "EDGEWISE_PROGRAM": program, "EDGEWISE_SOURCE": source,
               "EDGEWISE_BUILD": build, "MPLBACKEND": "agg", "PYTHONDONTWRITEBYTECODE": "1",
               "PATH": build + os.pathsep + os.environ.get("PATH", "")}
environment.pop("OMP_WAIT_POLICY", None)
with open(os.path.join(build, "CMakeCache.txt"), encoding="utf-8") as file:
    is_sanitized = "address" in file.read().split("EW_SANITIZE:STRING=")[1].split("\n")[0]
if is_sanitized:  # Python itself is not: what it loads finds the sanitizer, and C++, in place
    files = [subprocess.run(["gcc", f"-print-file-name={name}"], capture_output=True, text=True,
                            check=True).stdout.strip() for name in ("libasan.so", "libstdc++.so.6")]
    environment.update(LD_PRELOAD=" ".join(files), EDGEWISE_SANITIZED="1",
                       ASAN_OPTIONS="detect_leaks=0:allocator_may_return_null=1")
    names = [name for name in names if name not in SLOW] if not sys.argv[4:] else names
failed = []
for name in names:
    done = subprocess.run([sys.executable, "-X", "faulthandler", os.path.join(folder, name)],
                          env=environment, cwd=build, capture_output=True, text=True, timeout=900)
    tail = done.stderr.strip().splitlines()[-1:] or ["no output"]
    print(f"{name}: {tail[0]}")
    if done.returncode:
        print(done.stdout, done.stderr, sep="\n")
        failed.append(name)
if failed:
    sys.exit(f"check_python: {', '.join(failed)} failed")
print("python: good")
