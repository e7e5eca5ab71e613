"""edgewise-mpi by 1 to 4 processes gives the files of edgewise run, bits of the result and numbers of all tables but
times; also resumed by another number of processes; a process that fails or is lost ends all with one line, and what is
not shared is refused before anything is computed. EW_VARIATIONS=100: so many radii of the hole of hole-sweep.yaml alone, by
four processes, row by row those of one.
Usage: PROGRAM SOURCE_DIR BUILD_DIR."""
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import support
from support import expect, expect_same, files_of, write

program, source, build = sys.argv[1:4]
shared = os.path.join(build, "edgewise-mpi")
ENVIRONMENT = dict(support.ENVIRONMENT, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMP_NUM_THREADS="1",
                   OMPI_MCA_mpi_yield_when_idle="1", OMPI_MCA_btl_vader_single_copy_mechanism="none")

CASE = """mesh: part.mesh
elements: KIND
HEAD
material: MATERIAL
sets: {wall: {surface: 1}, end: {surface: 2}, top: {plane: {point: [0, 0, 0.1], normal: z, tolerance: 1e-6}, of: faces}, low: {box: [[0, -1, -1], [0.5, 1, 1]], of: tets}, all: {all: true, of: tets}, tip: {nearest: [1, 0.05, 0.05]}}
constraints: [{set: wall, displacement: [0, 0, 0]}]
loads: [{set: end, total_force: [0, 20, -100]}, {set: top, pressure: 1000}, {gravity: [0, 0, -9.81]}]
steps:
STEPS
"""
STEEL = "{young: 210e9, poisson: 0.3, density: 7850, expansion: 1e-5, yield_strength: 250e6, ultimate_strength: 400e6}"
FLOWS = "{young: 210e9, poisson: 0.3, density: 7850, plastic: {yield_stress: 1e5}}"  # in a linear analysis: a warning
WOOD = "{young: [12e9, 1e9, 0.6e9], poisson: [0.4, 0.3, 0.3], shear: [0.7e9, 0.6e9, 0.1e9], density: 600}"
HOLE = "{remove: {sphere: {center: [0.5, 0, 0], radius: 0.04}}}"
STEPS = f"""  - {{name: base, static: {{}}}}
  - {{name: hole, edit: [{HOLE}], static: {{}}}}
  - {{name: fine, edit: [{{refine: {{longer_than: 0.033, set: low}}}}, {{scale: {{factor: [1, 1.1, 1]}}}}], static: {{}}}}
  - {{name: two, edit: [{{mirror: {{normal: y, at: max}}}}, {{cut: {{sphere: {{center: [0.29, 0.12, 0.11], radius: 0.05}}}}}}], static: {{}}}}
"""
# Each combination by all processes.
SEARCH = """parameters: {width: 1, height: 1}
optimise: {parameters: {width: [0.5, 2], height: [0.5, 2]}, minimize: mass, limits: {max_displacement of end: 4e-6}, evaluations: 6, %s}"""
VARIED = "  - {name: a, edit: [{scale: {factor: [1, width, height]}}], static: {}}\n"
# Elements, material, lines of the head, steps, processes, other files.
CASES = {
    "linear": ("linear", STEEL, "", STEPS, (2, 4), (".sets.csv",)),
    "quadratic": ("quadratic", STEEL, "", STEPS, (1, 3), (".sets.csv",)),
    "wood": ("quadratic", WOOD, "", "  - {name: base, static: {}}\n", (3,), ()),
    "yielding": ("linear", FLOWS, "", "  - {name: base, static: {}}\n", (3,), ()),
    "springs": ("quadratic", STEEL, "", "  - {name: base, constraints: [{set: wall, total_spring: 1e9}, {set: top, spring: 10}], static: {}}\n", (2,), ()),
    "sliding": ("linear", STEEL, "", "  - {name: base, constraints: [{set: wall, displacement: [0, 0, 0]}, {set: end, symmetry: [1, 1, 0]}], static: {}}\n", (3,), ()),
    "rigid": ("quadratic", STEEL, "couplings: [{set: end, at: [1, 0.05, 0.05]}]", "  - {name: base, static: {}}\n", (3,), ()),
    "loads": ("quadratic", STEEL, "envelope: true", "".join(f"  - {{name: by{k}, loads: [{{gravity: [0, {k}, -9]}}], static: {{}}}}\n" for k in range(3)), (2,), ()),
    "moving": ("linear", STEEL, "", f"  - {{name: a, edit: [{HOLE}], dynamic: {{step: 1e-4, steps: 8, output: {{every: 4}}}}}}\n", (4,), (".energy.csv",)),
    "swinging": ("quadratic", STEEL, "", "  - {name: a, dynamic: {step: 1e-4, steps: 4, output: {every: 2}}}\n", (2,), (".energy.csv",)),
    "adapted": ("linear", STEEL, "output: {paths: {axis: {from: [0, 0.05, 0.05], to: [1, 0.05, 0.05], count: 9}}}",
                "  - {name: a, edit: [{refine: {by: error, until: 30 %}}], static: {}}\n  - {name: b, edit: [{smooth: {}}], static: {}}\n", (3,), (".sets.csv",)),
    "orders": ("quadratic", STEEL, "", "  - {name: a, static: {}}\n" + "".join(
        f"  - {{name: {order}, edit: [{{enrich: {{set: all, order: {order}}}}}], static: {{}}}}\n" for order in ("linear", "quadratic")), (2,), ()),
    "decimated": ("linear", STEEL, "", "  - {name: a, loads: [{set: top, pressure: 1000}], static: {}}\n  - {name: b, edit: [{decimate: {fraction: 0.004, order: energy}}], static: {}}\n", (3,), (".sets.csv",)),
    "removal": ("linear", STEEL, "", "  - {name: whole, static: {}}\n  - {name: less, loads: [{set: tip, total_force: [0, 0, -100]}], static: {}, optimise: {remove: {volume: 97 %, radius: 0.05}}}\n", (2,), ()),
    "search": ("linear", STEEL, SEARCH % "tolerance: 1e-3", VARIED, (3,), ()),
    "gradients": ("quadratic", STEEL, SEARCH % "method: mma", VARIED, (2,), ()),
    "large": ("linear", STEEL, "kinematics: corotational", "  - {name: a, static: {nonlinear: {}}}\n", (3,), ()),
    "humming": ("quadratic", STEEL, "", "  - {name: base, static: {}}\n  - {name: hum, modes: {count: 3}}\n  - {name: again, static: {}}\n", (2,), ()),
    "sweep": ("linear", STEEL, "parameters: {depth: 0.02}\nsweep: {list: [{depth: 0.02}, {depth: -1}, {depth: 0.04}, {depth: 9}, {depth: 0.05}, {depth: 0.03}]}",
              "  - {name: a, edit: [{remove: {sphere: {center: [0.5, 0, 0], radius: depth}}}], static: {}}\n", (2,), ()),
}


def write_case(folder, name, kind="linear", material=STEEL, head="", steps="  - {name: a, static: {}}\n"):
    text = CASE.replace("KIND", kind).replace("MATERIAL", material).replace("HEAD\n", head + "\n" if head else "")
    write(folder, name + ".yaml", text.replace("STEPS\n", steps))


def start(folder, n, *words, each=(), **options):
    """each: a command before the program, of every process."""
    return subprocess.Popen(["mpirun", "--oversubscribe", "--bind-to", "none", "-n", str(n), *each, shared, "run", *words],
                            cwd=folder, env=ENVIRONMENT, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)


def finish(running, seconds=120):
    """Status, output, lines of failures."""
    out, err = running.communicate(timeout=seconds)
    return running.returncode, out, [line for line in err.splitlines() if line.startswith("edgewise-mpi: ")]


def run(folder, n, *words, seconds=120, **options):
    return finish(start(folder, n, *words, **options), seconds)


def check_same(folder):
    for name, (kind, material, head, steps, processes, more) in CASES.items():
        print(name, flush=True)
        write_case(folder, name, kind, material, head, steps)
        done = support.execute(program, "run", name + ".yaml", "-o", name, "--device", "host", folder=folder)
        if "no direct solver" in done.stderr or "no optimizer" in done.stderr:
            print("  skipped:", done.stderr.strip())
            continue
        if not expect(done.returncode == 0, f"{name}: {done.stderr}"):
            continue
        for n in processes:
            began = time.monotonic()
            status, out, failures = run(folder, n, name + ".yaml", "-o", f"{name}-{n}")
            if expect(status == 0 and not failures, f"{name} by {n}: {status} {failures}"):
                expect(out.startswith(f"{n} process"), f"{name} by {n}: {out[:200]}")
                expect_same(folder, name, f"{name}-{n}", f"{name} by {n}", (".csv", *more))
            print(f"  {n}: {time.monotonic() - began:.1f} s", flush=True)
    done = support.execute(program, "replay", "quadratic-3.vtkhdf", "--device", "host", folder=folder)
    expect(done.returncode == 0, f"replay: {done.stdout[-300:]} {done.stderr}")
    done = support.execute(program, "report", "quadratic-3.vtkhdf", "-o", "page.html", folder=folder)
    expect(done.returncode == 0, f"report: {done.stderr}")


def check_groups(folder):
    """A sweep by two groups of two: the rows of one process's, failures too."""
    print("groups", flush=True)
    status, out, failures = run(folder, 4, "sweep.yaml", "-o", "groups", "--group", "2")
    expect(status == 0 and not failures and "2 groups" in out, f"groups: {status} {out[:200]} {failures}")
    expect_same(folder, "sweep", "groups", "groups", (".csv",))
    refused(folder, 3, ("sweep.yaml", "-o", "none", "--group", "2"), "groups of 3", "--group 2")
    refused(folder, 2, ("linear.yaml", "-o", "none", "--group", "1"), "no sweep", "no sweep")
    refused(folder, 2, ("search.yaml", "-o", "none", "--group", "1"), "a search in groups", "all processes, without --group")


def start_until_kept(folder, name, n, each=""):
    """A run of the quadratic case that has its first step; the number of process 1. each: of by_rank, before the program starts."""
    running = start(folder, n, "quadratic.yaml", "-o", name, each=(*by_rank(f"1) echo $$ >{name}.pid;;"), *(by_rank(each) if each else ())))
    while running.poll() is None and not os.path.exists(os.path.join(folder, name + ".checkpoint")):
        time.sleep(0.01)
    return running, int(open(os.path.join(folder, name + ".pid")).read())


def check_lost(folder):
    """A process is killed: all end, and another number of them goes on from the steps that are kept."""
    print("lost, resumed", flush=True)
    running, process = start_until_kept(folder, "lost", 2)
    began = time.monotonic()
    os.kill(process, signal.SIGKILL)
    status, out, failures = finish(running)
    expect(status != 0 and time.monotonic() - began < 60, f"a lost process: {status} {failures}")
    status, out, failures = run(folder, 3, "quadratic.yaml", "-o", "lost", "--resume")
    expect(status == 0 and "(from the checkpoint)" in out, f"resumed: {status} {failures}")
    expect_same(folder, "quadratic", "lost", "resumed", (".csv", ".sets.csv"))


def check_memory(folder, name, take_away, each=""):
    """A process gets no more memory: one line names it, and completed steps are kept as partial results."""
    print(name, flush=True)
    running, process = start_until_kept(folder, name, 2, each)
    began = time.monotonic()
    take_away(process)
    status, out, failures = finish(running)
    expect(status == 1 and len(failures) == 1 and "process 1: " in failures[0] and "memory" in failures[0],
           f"no memory: {status} {failures}")
    expect(time.monotonic() - began < 60 and ".partial.vtkhdf" in files_of(folder, name), f"{files_of(folder, name)}")
    print("\n".join(failures), flush=True)


# Not even MPI gets what it asks for from the signal on: all requests of messages and barriers fail, too.
STARVED = r"""
#include <errno.h>
#include <signal.h>
#include <stddef.h>
extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
static volatile sig_atomic_t is_over;
static void end(int number)
{
    is_over = number;
}
__attribute__((constructor)) static void begin(void)
{
    signal(SIGUSR1, end);
}
static int refuse(void)
{
    errno = is_over ? ENOMEM : errno;
    return is_over;
}
void *malloc(size_t size)
{
    return refuse() ? NULL : __libc_malloc(size);
}
void *calloc(size_t n, size_t size)
{
    return refuse() ? NULL : __libc_calloc(n, size);
}
void *realloc(void *old, size_t size)
{
    return refuse() ? NULL : __libc_realloc(old, size);
}
"""


def check_starved(folder):
    check_memory(folder, "full", lambda process: resource.prlimit(process, resource.RLIMIT_AS, (1 << 20, 1 << 20)))
    compiler = shutil.which("cc")
    if not compiler:
        print("starved: skipped, there is no C compiler")
        return
    write(folder, "starved.c", STARVED)
    subprocess.run([compiler, "-shared", "-fPIC", "-o", "starved.so", "starved.c"], cwd=folder, check=True)
    check_memory(folder, "starved", lambda process: os.kill(process, signal.SIGUSR1), "1) export LD_PRELOAD=$PWD/starved.so;;")


def refused(folder, n, words, what, *pattern, each=()):
    began = time.monotonic()
    status, out, failures = run(folder, n, *words, each=each)
    expect(status != 0 and len(failures) == 1 and all(word in failures[0] for word in pattern),
           f"{what}: {status} {failures}")
    expect(time.monotonic() - began < 60, f"{what}: took {time.monotonic() - began:.0f} s")
    print("\n".join(failures), flush=True)


def check_refused(folder):
    print("refused", flush=True)
    write_case(folder, "buckling", steps="  - {name: base, static: {}}\n  - {name: bow, buckling: {count: 1}}\n")
    write_case(folder, "factor", steps="  - {name: direct, static: {solver: cholesky}}\n")
    write_case(folder, "explicit", steps="  - {name: waves, dynamic: {scheme: central-difference, step: 1e-7, steps: 2}}\n")
    write_case(folder, "free", steps="  - {name: base, constraints: [], static: {}}\n")
    refused(folder, 2, ("buckling.yaml", "-o", "none"), "buckling", "step 'bow'", "'buckling'", "edgewise")
    refused(folder, 2, ("factor.yaml", "-o", "none"), "cholesky", "step 'direct'", "cholesky")
    refused(folder, 2, ("explicit.yaml", "-o", "none"), "explicit", "step 'waves'", "explicit scheme")
    refused(folder, 3, ("none.yaml", "-o", "none"), "no case", "none.yaml")
    refused(folder, 3, ("free.yaml", "-o", "none"), "a free body", "step 'base'")
    refused(folder, 3, ("linear.yaml", "-o", "none", "--device", "opencl"), "a device", "--device opencl")
    expect(not files_of(folder, "none") or files_of(folder, "none") == [".yaml"], f"files: {files_of(folder, 'none')}")


def by_rank(shell):
    return ("sh", "-c", f'case $OMPI_COMM_WORLD_RANK in {shell} esac; exec "$@"', "sh")


def check_builds(folder):
    """A process that is started from a program of another version, or of another build of this one."""
    print("builds", flush=True)
    version = subprocess.run([shared, "--version"], env=ENVIRONMENT, capture_output=True, text=True).stdout.split()[1]
    program = open(shared, "rb").read()
    later = version[:-1] + ("8" if version[-1] == "9" else "9")
    for name, text, words in (("later", program.replace(b"\0%s\0" % version.encode(), b"\0%s\0" % later.encode()), ("version " + later,)),
                              ("other", program + b"\0", ("another build", "same program"))):
        with open(os.path.join(folder, name), "wb") as file:
            file.write(text)
        os.chmod(file.name, 0o755)
        refused(folder, 2, ("linear.yaml", "-o", "none"), name, "process 1", *words, each=by_rank(f'1) shift; set -- ./{name} "$@";;'))


def check_faults(folder):
    print("faults", flush=True)
    write_case(folder, "other", kind="quadratic")
    refused(folder, 3, ("other.yaml", "-o", "none"), "another case in a process", "process 2 has another",
            each=by_rank(r"2) mkdir two; sed s/-100/-101/ other.yaml >two/other.yaml; cp part.mesh two; cd two;;"))
    refused(folder, 2, ("sweep.yaml", "-o", "none", "--group", "1"), "another sweep in a group", "process 1 has another",
            each=by_rank(r"1) mkdir one; sed s/-100/-101/ sweep.yaml >one/sweep.yaml; cp part.mesh one; cd one;;"))
    refused(folder, 2, ("other.yaml", "-o", "none"), "no room for results", "none",
            each=by_rank("0) ulimit -f 100;;"))


def check_hole(folder, n):
    with open(os.path.join(source, "datasets", "hole-sweep.yaml"), encoding="utf-8") as file:
        text = file.read()
    case = text.replace("mesh: ", f"mesh: {source}/datasets/").replace("count: 22", f"count: {n}").replace("start: continue", "start: fresh")
    write(folder, "hole.yaml", case)
    done = support.execute(program, "run", "hole.yaml", "-o", "one", "--device", "host", folder=folder)
    expect(done.returncode == 0, f"hole: {done.stderr}")
    status, out, failures = run(folder, 4, "hole.yaml", "-o", "four", "--group", "1", seconds=1500)
    expect(status == 0 and not failures, f"hole by four: {status} {failures}")
    expect_same(folder, "one", "four", f"{n} radii", (".csv", ".sets.csv"))
    with open(os.path.join(folder, "four.csv"), encoding="utf-8") as file:
        expect(len(file.readlines()) == n + 1, "rows of four.csv")


def main():
    if not os.path.exists(shared):
        print("skipped: this build has no MPI")
        return 77
    with tempfile.TemporaryDirectory(prefix="edgewise-") as folder:
        if "EW_VARIATIONS" in os.environ:
            check_hole(folder, int(os.environ["EW_VARIATIONS"]))
            return support.finish("check_mpi")
        done = support.execute(program, "shape", "box", "--size", "1,0.1,0.1", "--cells", "32,5,5", "-o", "part.mesh", folder=folder)
        expect(done.returncode == 0, done.stderr)
        check_same(folder)
        check_groups(folder)
        check_lost(folder)
        check_starved(folder)
        check_refused(folder)
        check_builds(folder)
        check_faults(folder)
    return support.finish("check_mpi")


sys.exit(main())
