"""How the program ends where it cannot go on: out of address space at any limit, or interrupted at any moment. Always
soon, with a status, one line, and nothing half-written. Usage: PROGRAM SOURCE_DIR BUILD_DIR."""
import glob
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import checks
from checks import ENVIRONMENT, execute, expect, write

program = os.path.abspath(sys.argv[1])

CASE = """mesh: part.mesh
elements: linear
material: {young: 210e9, poisson: 0.3, density: 7850}
sets:
  wall: {plane: {point: [0, 0, 0], normal: x}}
  tip: {plane: {point: [1, 0, 0], normal: x}, of: faces}
constraints: [{set: wall, displacement: [0, 0, 0]}]
loads: [{set: tip, total_force: [-100, 0, 0]}]
steps:
"""
STEPS = {
    "statics": "  - static: {}\n",
    "cholesky": "  - static: {solver: cholesky}\n",
    "modes": "  - modes: {count: 4}\n",
    "buckling": "  - {name: press, static: {}}\n  - {name: buckles, buckling: {count: 2}}\n",
}

# A BLAS that takes memory as OpenBLAS 0.3.21 does: a buffer for each call under way, kept for later ones, and asked for
# without end where the system has none.
STUBBORN = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <sys/mman.h>
enum { N = 16 };
static void *slot[N];
static int used[N];
void *blas_memory_alloc(int kind)
{
    int k = 0;
    (void)kind;
    while (used[k]) {
        k++;
    }
    used[k] = 1;
    while (!slot[k] || slot[k] == MAP_FAILED) {
        slot[k] = mmap(NULL, 128 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    }
    return slot[k];
}
void blas_memory_free(void *buffer)
{
    for (int k = 0; k < N; k++) {
        used[k] = slot[k] == buffer ? 0 : used[k];
    }
}
void dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info, size_t length)
{
    void (*next)(const char *, const int *, double *, const int *, int *, size_t) = dlsym(RTLD_NEXT, "dpotrf_");
    void *buffer = blas_memory_alloc(1);
    next(uplo, n, a, lda, info, length);
    blas_memory_free(buffer);
}
"""


def is_sanitized():
    with open(os.path.join(sys.argv[3], "CMakeCache.txt"), encoding="utf-8") as file:
        return any(line.startswith("EW_SANITIZE:") and line.strip()[-1] not in "=" for line in file)


def libraries(folder):
    """Environments with another BLAS each: what the program finds, OpenBLAS where it is installed, a stubborn one."""
    found = {"as installed": {}}
    for path in sorted(glob.glob("/usr/lib/*/openblas-*/libblas.so.3")):
        found[os.path.basename(os.path.dirname(path))] = {"LD_LIBRARY_PATH": os.path.dirname(path)}
    compiler = shutil.which("cc")
    if compiler and len(found) == 1:
        write(folder, "stubborn.c", STUBBORN)
        subprocess.run([compiler, "-shared", "-fPIC", "-o", "stubborn.so", "stubborn.c", "-ldl"], cwd=folder, check=True)
        found["stubborn"] = {"LD_PRELOAD": os.path.join(folder, "stubborn.so")}
    return found


def limited(folder, name, megabytes, variables, *options):
    """One line and status 1, or success, within seconds."""
    limit = megabytes << 20
    what = f"{name} within {megabytes} MiB {' '.join(options)}"
    try:
        done = subprocess.run([program, "run", name + ".yaml", "-o", "tight", "--quiet", *options], cwd=folder,
                              capture_output=True, text=True, timeout=60, env=dict(ENVIRONMENT, **variables),
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
    except subprocess.TimeoutExpired:
        expect(False, f"{what}: it does not end")
        done = None
    files = [f for f in os.listdir(folder) if f.startswith("tight")]
    if done and done.returncode != 127:  # 127: not even its libraries could be loaded
        expect(done.returncode in (0, 1) and len(done.stderr.splitlines()) == done.returncode,
               f"{what}: status {done.returncode}: {done.stderr}{done.stdout}")
        expect(not [f for f in files if f.endswith(".part")], f"{what}: left behind {files}")
        expect(("tight.vtkhdf" in files) == (done.returncode == 0), f"{what}: status {done.returncode}, {files}")
    for file in files:
        os.remove(os.path.join(folder, file))
    return done.returncode if done else None


def check_memory(folder):
    print("address space")
    if is_sanitized():
        print("  skipped: the address sanitizer needs all addresses")
        return
    for name, steps in STEPS.items():
        write(folder, name + ".yaml", CASE + steps)
    direct = "no direct solver" not in execute(program, "run", "modes.yaml", "-o", "roomy", "--quiet", folder=folder).stderr
    for library, variables in libraries(folder).items():
        for name in STEPS if direct else ["statics"]:
            told = {limited(folder, name, megabytes, variables, "--device", "host") for megabytes in range(120, 420, 20)}
            expect({0, 1} <= told if direct else 0 in told,  # a small program fits into all of them
                   f"{name} with the BLAS {library}: {told}; the limits should do for some and not for others")
    for megabytes in range(120, 600, 40):
        limited(folder, "statics", megabytes, {})
        limited(folder, "statics", megabytes, {}, "--device", "host", "--threads", "4")


def is_in_charge(process):
    """Whether the program holds or handles Ctrl-C."""
    try:
        with open(f"/proc/{process.pid}/status", encoding="ascii") as file:
            of = dict(line.split(":", 1) for line in file)
        return any(int(of[key], 16) >> (signal.SIGINT - 1) & 1 for key in ("SigBlk", "SigCgt"))
    except (OSError, KeyError):
        return False


def interrupt(folder, number, pause, *command):
    process = subprocess.Popen([program, *command], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    while process.poll() is None and not is_in_charge(process):
        time.sleep(0.0005)
    time.sleep(pause)
    process.send_signal(number)
    error = process.communicate(timeout=120)[1]
    what = f"{command[0]} after {1e3 * pause:.0f} ms, {number.name}"
    expect(process.returncode == -number, f"{what}: status {process.returncode}")
    expect(len(error.splitlines()) == 1 and error.startswith("edgewise: ") and "canceled" in error, f"{what}: '{error}'")
    left = [f for f in os.listdir(folder) if f.endswith(".part") or f.startswith("none")]
    expect(not left, f"{what}: left behind {left}")


def check_interrupts(folder):
    """From the first moment on, with a line and by the signal; also where the work has not begun that cleans up."""
    print("interrupts")
    execute(program, "shape", "box", "--cells", "40,40,40", "-o", "large.mesh", folder=folder)
    write(folder, "large.yaml", CASE.replace("part.mesh", "large.mesh") + STEPS["statics"])
    for k in range(12):
        interrupt(folder, signal.SIGINT, 0.006 * k, "run", "large.yaml", "-o", "none", "--quiet", "--device", "host")
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        for pause in (0.0, 0.1):
            interrupt(folder, number, pause, "shape", "box", "--cells", "120,120,120", "-o", "none.mesh")


with tempfile.TemporaryDirectory(prefix="edgewise-") as place:
    execute(program, "shape", "box", "--size", "1,0.1,0.1", "--cells", "20,4,4", "-o", "part.mesh", folder=place)
    check_memory(place)
    check_interrupts(place)
sys.exit(checks.finish("check_ends"))
