"""Runs that are stopped: what they leave, and that --resume gives the results of a run that was never stopped,
bit for bit but for times. EW_KILLS sets how many runs are killed at random moments (20).
Usage: PROGRAM SOURCE_DIR BUILD_DIR."""
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import support
from support import ENVIRONMENT, content, expect, expect_same, files_of, h5py, rows, write

program, source = sys.argv[1], sys.argv[2]
STUDY = os.path.join(source, "datasets", "bracket-study.yaml")

CASE = """mesh: part.mesh
elements: linear
material: {young: 210e9, poisson: 0.3, density: 7850}
sets: {wall: {surface: 1}, end: {surface: 2}}
constraints: [{set: wall, displacement: [0, 0, 0]}]
loads: [{set: end, total_force: [0, 0, -100]}]
steps:
  - {name: base, static: {}}
  - {name: cut, edit: [{remove: {sphere: {center: [0.5, 0, 0], radius: 0.03}}}], static: {}}
  - {name: again, loads: [{gravity: [0, 0, -10]}], static: {}}
  - {name: fails, loads: [{gravity: [0, -10, 0]}], static: {max_iterations: 1}}
  - {name: never, static: {}}
"""


def execute(*words, folder=None, **options):
    return support.execute(program, "run", *words, "--device", "host", folder=folder, **options)


# ---- what is compared -----------------------------------------------------------------------------

def same(folder, a, b, what):
    expect_same(folder, a, b, what, (".csv", ".sets.csv"))
    texts = [open(os.path.join(folder, name + ".xdmf"), encoding="utf-8").read().replace(name + ".vtkhdf", "")
             for name in (a, b)]
    expect(texts[0] == texts[1], f"{what}: XDMF")


# ---- checks -----------------------------------------------------------------------------------------

def check_failing_step(folder):
    """Completed frames and rows stand marked beside what was there; a resumed run solves none of them again."""
    print("a failing step")
    write(folder, "short.yaml", CASE[:CASE.index("  - {name: cut")])
    write(folder, "case.yaml", CASE)
    expect(execute("short.yaml", "-o", "kept", folder=folder).returncode == 0, "the first run")
    before = {f: open(os.path.join(folder, f), "rb").read() for f in os.listdir(folder) if f.startswith("kept.")}
    done = execute("case.yaml", "-o", "kept", "--quiet", folder=folder)
    expect(done.returncode == 1 and len(done.stderr.splitlines()) == 1, f"{done.returncode} {done.stderr}")
    expect("step 'fails'" in done.stderr and "3 of 5 steps" in done.stderr, done.stderr)
    expect("--resume" not in done.stderr, f"the case must change, so nothing can go on: {done.stderr}")
    for name, text in before.items():
        expect(open(os.path.join(folder, name), "rb").read() == text, f"{name} changed")
    expect(files_of(folder, "kept") == [".checkpoint", ".csv", ".partial.csv", ".partial.sets.csv",
                                        ".partial.vtkhdf", ".partial.xdmf", ".sets.csv", ".vtkhdf", ".xdmf"], f"{files_of(folder, 'kept')}")
    with h5py.File(os.path.join(folder, "kept.partial.vtkhdf"), "r") as file:
        own = file["Edgewise"].attrs
        expect(own["complete"] == 0 and own["stopped_at"] == 3, f"marks {dict(own)}")
        expect(b"not reached" in own["reason"] or b"step 'fails'" in own["reason"], f"{own['reason']}")
        expect(len(file["Frames"]) == 3 and int(file["VTKHDF/Steps"].attrs["NSteps"]) == 3, "frames")
    with h5py.File(os.path.join(folder, "kept.vtkhdf"), "r") as file:
        expect(file["Edgewise"].attrs["complete"] == 1, "a whole result is marked as complete")
    text = open(os.path.join(folder, "kept.partial.xdmf"), encoding="utf-8").read()
    expect(text.count("<Time") == 3 and "kept.partial.vtkhdf:/Frames/000002" in text, "XDMF of the completed frames")
    expect([row["step"] for row in rows(os.path.join(folder, "kept.partial.csv"))] == ["base", "cut", "again"], "rows")
    done = execute("case.yaml", "-o", "kept", "--resume", folder=folder)
    expect(done.returncode == 1 and "resumed: 3 of 5 steps" in done.stdout, f"{done.stdout[:200]} {done.stderr}")
    expect(done.stdout.count("(from the checkpoint)") == 3, "steps from the checkpoint are called so")
    done = support.execute(program, "replay", "kept.partial.vtkhdf", folder=folder)
    expect(done.returncode == 2 and "3 of the 5 steps" in done.stderr, f"replay: {done.stderr}")
    done = execute("case.yaml", "-o", "kept", folder=folder)
    expect("--resume would go on" in done.stdout, f"no hint: {done.stdout[:200]}")


def check_adaptive(folder):
    """Analyses between the edits of a step are taken from the checkpoint, too."""
    print("a step with analyses between its edits")
    resume_adaptive(folder, "adaptive", CASE)
    resume_adaptive(folder, "mixed", CASE.replace("elements: linear", "elements: mixed"))


def resume_adaptive(folder, name, case):
    write(folder, name + ".yaml", case[:case.index("  - {name: cut")] +
          "  - {name: fine, edit: [{refine: {by: error, until: 25 %, max_rounds: 2}}], static: {}}\n" +
          "  - {name: coarse, edit: [{refine: {by: error, until: 1 %, max_rounds: 1, max_tets: 1000}}]}\n" +
          case[case.index("  - {name: fails"):])
    done = execute(name + ".yaml", "-o", name, folder=folder)
    expect(done.returncode == 1 and done.stdout.count("estimated error before") >= 1, f"{done.stdout} {done.stderr}")
    expect("was to reach" in done.stdout, f"no warning of a step without an analysis: {done.stdout}")
    first = content(os.path.join(folder, name + ".partial.vtkhdf"))
    done = execute(name + ".yaml", "-o", name, "--resume", folder=folder)
    expect(done.returncode == 1 and "resumed: 3 of 5 steps" in done.stdout, f"{done.stdout[:200]} {done.stderr}")
    expect(content(os.path.join(folder, name + ".partial.vtkhdf")) == first, "the same bits")


def check_changed(folder):
    """Another case, mesh, file of an edit, precision or preconditioner is refused with the reason."""
    print("changed")
    tail = "  - {name: added, edit: [{add: {mesh: rib.mesh, weld: 1e-6}}, {move: {table: moves.csv}}], static: {}}\n"
    case = CASE[:CASE.index("  - {name: again")] + "  - {name: fails, loads: [{gravity: [0, -10, 0]}], static: {max_iterations: 1}}\n" + tail
    write(folder, "case.yaml", case)
    shutil.copy(os.path.join(folder, "part.mesh"), os.path.join(folder, "rib.mesh"))
    write(folder, "moves.csv", "7,0.0,0,0.001\n")
    execute("case.yaml", "-o", "changed", folder=folder)
    before = open(os.path.join(folder, "changed.checkpoint"), "rb").read()

    def refused(what, *words):
        done = execute("case.yaml", "-o", "changed", "--resume", *words, folder=folder)
        expect(done.returncode == 2 and f"the {what} is not what it was" in done.stderr,
               f"{what}: {done.returncode} {done.stderr}")
        after = open(os.path.join(folder, "changed.checkpoint"), "rb").read()
        expect(before == after, f"{what}: the checkpoint was changed")

    write(folder, "case.yaml", case.replace("-100", "-101"))
    refused("case")
    write(folder, "case.yaml", case)
    for name, what in (("part.mesh", "mesh"), ("rib.mesh", "file of an edit")):
        text = open(os.path.join(folder, name), encoding="utf-8").read()
        write(folder, name, text.replace("\n 0.125 ", "\n 0.1251 ", 1))
        expect(text != open(os.path.join(folder, name), encoding="utf-8").read(), "the mesh is varied")
        refused(what)
        write(folder, name, text)
    write(folder, "moves.csv", "7,0.0,0,0.002\n")
    refused("file of an edit")
    write(folder, "moves.csv", "7,0.0,0,0.001\n")
    refused("precision", "--precision", "double")
    refused("preconditioner", "--preconditioner", "jacobi")
    done = execute("case.yaml", "-o", "none", "--resume", folder=folder)
    expect(done.returncode == 1 and "from the start" in done.stdout, f"nothing to resume: {done.stdout} {done.stderr}")


def check_interrupt(folder):
    """A run interrupted keeps what it has; resumed it ends as if it had not been."""
    print("interrupted")
    steps = "".join(f"  - {{name: s{i}, loads: [{{gravity: [0, {i}, -1]}}], static: {{}}}}\n" for i in range(30))
    write(folder, "case.yaml", CASE[:CASE.index("  - {name: base")] + steps)
    expect(execute("case.yaml", "-o", "whole", folder=folder).returncode == 0, "the run to compare with")
    path = os.path.join(folder, "cut.checkpoint")
    for number in (signal.SIGINT, signal.SIGTERM):
        process = subprocess.Popen([program, "run", "case.yaml", "-o", "cut", "--device", "host"], cwd=folder,
                                   env=ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        until = time.monotonic() + 100
        first = 0
        while time.monotonic() < until: # until the second step is kept: then the first one's frame is saved
            size = os.path.getsize(path) if os.path.exists(path) else 0
            if first and size > first:
                break
            first = first or size
            time.sleep(0.002)
        process.send_signal(number)
        error = process.communicate(timeout=120)[1].decode()
        expect(process.returncode == -number and "canceled" in error and "--resume" in error,
               f"{process.returncode} {error}")
        expect(".partial.xdmf" in files_of(folder, "cut") and ".vtkhdf" not in files_of(folder, "cut"),
               f"{files_of(folder, 'cut')}")
        expect(execute("case.yaml", "-o", "cut", "--resume", folder=folder).returncode == 0, "resumed")
        same(folder, "whole", "cut", f"signal {number}")
        expect(files_of(folder, "cut") == [".csv", ".sets.csv", ".vtkhdf", ".xdmf"], f"{files_of(folder, 'cut')}")
        for ending in (".csv", ".sets.csv", ".vtkhdf", ".xdmf"):
            os.remove(os.path.join(folder, "cut" + ending))


SWEEP = CASE[:CASE.index("loads:")] + """loads: [{set: end, total_force: [0, 0, push]}]
parameters: {push: 1, depth: 0.03}
HOW
steps:
  - {name: cut, edit: [{remove: {sphere: {center: [0.5, 0, 0], radius: depth}}}], static: {}}
  - {name: weight, loads: [{gravity: [0, 0, -push]}], static: {}}
"""
SWEEPS = {
    # with one that fails, which is not done again either
    "sweep": ("sweep: {list: [{push: 1}, {push: 2, depth: 0.05}, {depth: 1/0}, {push: 3}, {push: 4, depth: 0.02},"
              " {push: 5}, {push: 6, depth: 0.04}, {push: 7}]}".replace("1/0", "-1"), ()),
    "jobs": ("sweep: {grid: {push: {from: 1, to: 4, count: 4}, depth: [0.03, 0.05]}}", ("--jobs", "2")),
    "warm": ("sweep: {grid: {push: {from: 1, to: 4, count: 4}, depth: [0.03, 0.05]}, start: warm}", ()),
    "search": ("optimise: {parameters: {depth: [0.02, 0.06]}, minimize: mass, limits: {max_displacement of end: 2e-6}, "
               "evaluations: 8, tolerance: 1e-4}", ()),
}


def check_sweeps(folder):
    """Sweeps and searches that are interrupted or killed go on to the same bits, also side by side."""
    print("sweeps and searches")
    for name, (how, options) in SWEEPS.items():
        write(folder, name + ".yaml", SWEEP.replace("HOW", how))
        done = execute(name + ".yaml", "-o", name, *options, folder=folder)
        if "this build has no optimizer" in done.stderr:
            continue
        expect(done.returncode == 0, f"{name}: {done.stderr}")
        for number in (signal.SIGINT, signal.SIGKILL):
            path = os.path.join(folder, name + "-cut.checkpoint")
            process = subprocess.Popen([program, "run", name + ".yaml", "-o", name + "-cut", "--device", "host", *options],
                                       cwd=folder, env=ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            until = time.monotonic() + 100
            while time.monotonic() < until and process.poll() is None: # a few records
                if os.path.exists(path) and os.path.getsize(path) > 400000:
                    break
                time.sleep(0.001)
            process.send_signal(number)
            process.wait(timeout=120)
            done = execute(name + ".yaml", "-o", name + "-cut", "--resume", *options, folder=folder)
            expect(done.returncode == 0, f"{name} after {number.name}: {done.stderr}")
            expect("resumed: " in done.stdout and "(from the checkpoint)" in done.stdout or process.returncode == 0,
                   f"{name} after {number.name}: nothing was resumed: {done.stdout[:300]}")
            same(folder, name, name + "-cut", f"{name} after {number.name}")
    write(folder, "rows.yaml", SWEEP.replace("HOW", "sweep: {csv: rows.csv}").replace("name: weight, ", "name: fails, ")
          .replace("-push]}], static: {}", "-push]}], static: {max_iterations: 1}"))
    write(folder, "rows.csv", "push\n1\n2\n")
    execute("rows.yaml", "-o", "table", folder=folder)
    write(folder, "rows.csv", "push\n1\n3\n")
    done = execute("rows.yaml", "-o", "table", "--resume", folder=folder)
    expect(done.returncode == 2 and "combinations is not what it was" in done.stderr, f"other rows: {done.returncode} {done.stderr}")


def check_full(folder):
    """Where files may not grow on, what fits is kept; with room the run goes on."""
    print("files that may not grow")
    size = os.path.getsize(os.path.join(folder, "whole.vtkhdf")) // 2
    done = execute("case.yaml", "-o", "full", "--quiet", folder=folder,
                   preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)))
    expect(done.returncode == 2 and "File too large" in done.stderr and "--resume" in done.stderr,
           f"{done.returncode} {done.stderr}")
    expect(files_of(folder, "full") == [".checkpoint"], f"{files_of(folder, 'full')}")
    expect(execute("case.yaml", "-o", "full", "--resume", folder=folder).returncode == 0, "with room")
    same(folder, "whole", "full", "after a full disk")


LOCAL = """mesh: part.mesh
elements: linear
material: {young: 210e9, poisson: 0.3, density: 7850}
sets: {wall: {surface: 1}, end: {surface: 2}}
constraints: [{set: wall, displacement: [0, 0, 0]}]
loads: [{set: end, total_force: [0, 0, -100]}]
steps:
  - {name: base, static: {energy_tolerance: 1e-2}}
""" + "".join(f"  - {{name: cut {k}, edit: [{{remove: {{sphere: {{center: [{0.3 + 0.06 * k:g}, 0.05, 0.05], "
              f"radius: 0.006}}}}}}], static: {{energy_tolerance: 1e-2}}}}\n" for k in range(8))


def check_local(folder):
    """Answers that were corrected around edits go on, too: the solver continues from what they left."""
    write(folder, "local.yaml", LOCAL)
    done = execute("local.yaml", "-o", "talks", "--verbose", folder=folder)
    expect(done.returncode == 0 and done.stdout.count("around the edit alone") > 3, done.stdout + done.stderr)
    check_kills(folder, "local.yaml", 6)
    write(folder, "mixed.yaml", LOCAL.replace("linear", "mixed"))
    done = execute("mixed.yaml", "-o", "talks", "--verbose", folder=folder)
    expect(done.returncode == 0 and done.stdout.count("0 iterations") > 3, done.stdout + done.stderr)
    check_kills(folder, "mixed.yaml", 6)


def check_kills(folder, study=STUDY, n_kill=int(os.environ.get("EW_KILLS", "20"))):
    """SIGKILL at random moments, one run after the other until the study is whole, over an older result."""
    chance, n_killed, n_whole = random.Random(3), 0, 0
    begin = time.monotonic()
    expect(execute(study, "-o", "whole", "--quiet", folder=folder).returncode == 0, "the run to compare with")
    lasts = time.monotonic() - begin
    print(f"{n_kill} kills of a run of {lasts:.1f} s")
    write(folder, "old.yaml", CASE[:CASE.index("  - {name: cut")])
    while n_killed < n_kill:
        expect(execute("old.yaml", "-o", "set", "--quiet", folder=folder).returncode == 0, "the old results")
        old = content(os.path.join(folder, "set.vtkhdf"))
        while True:
            process = subprocess.Popen([program, "run", study, "-o", "set", "--device", "host", "--quiet",
                                        "--resume"], cwd=folder, env=ENVIRONMENT)
            if n_killed < n_kill:
                try:
                    process.wait(chance.uniform(0, 0.6 * lasts))
                except subprocess.TimeoutExpired:
                    process.kill()
                    n_killed += 1
            expect(process.wait() in (0, -signal.SIGKILL), f"a resumed run ends with {process.returncode}")
            if process.returncode == 0:
                break
            if ".vtkhdf.commit" in files_of(folder, "set"):
                support.execute(program, "replay", "set.vtkhdf", "-o", "replayed", folder=folder)
            now = content(os.path.join(folder, "set.vtkhdf"))
            expect(now == old or len(now) == len(content(os.path.join(folder, "whole.vtkhdf"))),
                   "killed: neither the old nor the new results")
        n_whole += 1
        same(folder, "whole", "set", f"after {n_killed} kills")
        expect(files_of(folder, "set") == [".csv", ".sets.csv", ".vtkhdf", ".xdmf"], f"{files_of(folder, 'set')}")
    print(f"  {n_whole} studies went on to their end")


def main():
    with tempfile.TemporaryDirectory(prefix="edgewise-") as folder:
        support.run(program, "shape", "box", "--size", "1,0.1,0.1", "--cells", "40,8,8", "-o", "part.mesh",
                    folder=folder)
        for check in (check_failing_step, check_adaptive, check_changed, check_interrupt, check_full, check_sweeps,
                      check_local, check_kills):
            check(folder)
    return support.finish("resume")


sys.exit(main())
