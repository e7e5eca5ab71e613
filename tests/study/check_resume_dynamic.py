"""Dynamic steps that are stopped: what they leave, that --resume gives the results of a run that was never stopped,
bit for bit but for times, and that a replay does. EW_KILLS sets how many runs are killed at random moments (8).
Usage: PROGRAM SOURCE_DIR BUILD_DIR."""
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

import support
from support import ENVIRONMENT, content, expect, expect_same, files_of, h5py, numpy, write

program = sys.argv[1]
TABLES = (".csv", ".sets.csv", ".energy.csv", ".probes.csv")
WHOLE = sorted((*TABLES, ".vtkhdf", ".xdmf"))

CASE = """mesh: part.mesh
elements: linear
material: {young: 1e7, poisson: 0.3, density: 1000}
under_constrained: leave_out  # of the static steps: in dynamics nothing needs to be constrained
sets: {wall: {surface: 1}, end: {surface: 2}}
amplitudes:
  blow: {csv: blow.csv}
  shake: {sine: {frequency: 9}}
constraints: [{set: wall, displacement: [0, 0, 1e-3], amplitude: shake}]
loads: [{set: end, total_force: [0, 0, -10], amplitude: blow}]
steps:
  - {name: preload, static: {}, constraints: [{set: wall, displacement: [0, 0, 0]}]}
  - name: swing
    dynamic: {step: 2e-3, end: 0.12, damping: {mass: 1, stiffness: 1e-5}, output: {every: 4}, probes: [end, wall],
      mass: consistent, edits: [
        {at: 0.021, remove: {sphere: {center: [0.5, 0, 0.05], radius: 0.06}}},
        {at: 0.05, refine: {longer_than: 0.07, set: end}}, {at: 0.05, smooth: {sweeps: 2}},
        {at: 0.09, decimate: {fraction: 0.55, axis: z, protect: [wall, end]}}]}
  - name: blast
    edit: [{remove: {sphere: {center: [0.2, 0.1, 0.1], radius: 0.03}}}]
    dynamic: {step: 1e-5, steps: 300, scheme: central-difference, output: {every: 20}, probes: [wall], edits: [
        {at: 0.1211, remove: {sphere: {center: [0.3, 0.1, 0.1], radius: 0.04}}}]}
  - {name: rest, static: {}, loads: [{gravity: [0, 0, -10]}], constraints: [{set: wall, displacement: [0, 0, 0]}]}
"""
BLOW = "time;force\n# a blow\n0;0\n0.004;1\n0.008;0\n"


def start(*words, folder):
    return subprocess.Popen([program, "run", "case.yaml", "-o", *words, "--device", "host", "--quiet"], cwd=folder,
                            env=ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def execute(*words, folder):
    process = start(*words, folder=folder)
    error = process.communicate(timeout=600)[1]
    return process.returncode, error


COMPUTED = ("touched_blocks",) # to get to a state, in one way or another


def same(folder, a, b, what):
    expect_same(folder, a, b, what, TABLES, COMPUTED)


def check_whole(folder):
    """The run that the others are compared with, its replay, and its times."""
    print("whole")
    code, error = execute("whole", "--verify-rebuild", folder=folder)
    expect(code == 0, f"the run to compare with: {code} {error}")
    expect(files_of(folder, "whole") == WHOLE, f"{files_of(folder, 'whole')}")
    done = support.execute(program, "replay", "whole.vtkhdf", "-o", "again", folder=folder)
    expect(done.returncode == 0 and "the same bits" in done.stdout, f"replay: {done.stdout[-300:]} {done.stderr}")
    same(folder, "whole", "again", "replay")
    with h5py.File(os.path.join(folder, "whole.vtkhdf"), "r") as file:
        steps = [file["Edgewise/Steps"][name].attrs for name in sorted(file["Edgewise/Steps"])]
        kinds = [step["kind"].decode() for step in steps]
        expect(kinds == ["static"] + 16 * ["dynamic"] + 16 * ["dynamic"] + ["static"], f"{kinds}")
        times = file["VTKHDF/Steps/Values"][()]
        wanted = [0] + [0.008 * k for k in range(16)] + [0.12 + 2e-4 * k for k in range(16)] + [0.123]
        expect((numpy.diff(times) > 0).all() and abs(times - wanted).max() < 1e-10, f"times {times}")
        expect(all(step["time"] == time for step, time in zip(steps, times)), "times of the records")
        last = file["Frames"][sorted(file["Frames"])[-1]]["PointData"]
        expect(not last["velocity"][()].any() and not last["acceleration"][()].any(), "a static step is at rest")
        expect(len({step["n_tet"] for step in steps}) == 7, f"edits {[step['n_tet'] for step in steps]}")


def check_failure(folder):
    """Outputs completed before a failure stand marked beside what was there."""
    print("a failure during the run")
    write(folder, "case.yaml", CASE.replace("{at: 0.09, decimate: {fraction: 0.55, axis: z, protect: [wall, end]}}",
                                            "{at: 0.09, remove: {box: [[-9, -9, -9], [9, 9, 9]]}}"))
    code, error = execute("fails", folder=folder)
    expect(code == 2 and "step 'swing'" in error and "leave no tets" in error, f"{code} {error}")
    expect("13 of 34 steps and outputs are in fails.partial.xdmf" in error, error)
    expect(files_of(folder, "fails") == sorted([".checkpoint"] + [".partial" + name for name in WHOLE]),
           f"{files_of(folder, 'fails')}")
    with h5py.File(os.path.join(folder, "fails.partial.vtkhdf"), "r") as file:
        own = file["Edgewise"].attrs
        expect(own["complete"] == 0 and own["stopped_at"] == 13 and len(file["Frames"]) == 13, f"marks {dict(own)}")
        expect(len(file["Edgewise/Probes/000000/time"]) == 45, "samples up to the last output")
    for command in (("replay", "fails.partial.vtkhdf"),):
        done = support.execute(program, *command, folder=folder)
        expect(done.returncode == 2 and "13 of the 34 steps and outputs" in done.stderr, f"replay: {done.stderr}")
    done = support.execute(program, "info", "fails.partial.vtkhdf", folder=folder)
    expect("at output 13" in done.stdout and "0.088" in done.stdout, f"info: {done.stdout}")
    write(folder, "case.yaml", CASE)


def check_changed(folder):
    """A table that is not what it was is refused."""
    print("changed")
    process = start("changed", folder=folder)
    path = os.path.join(folder, "changed.checkpoint")
    while process.poll() is None and not (os.path.exists(path) and os.path.getsize(path) > 500000):
        time.sleep(0.002)
    process.kill()
    process.communicate()
    write(folder, "blow.csv", BLOW.replace("1\n", "2\n"))
    code, error = execute("changed", "--resume", folder=folder)
    expect(code == 2 and "the table of an amplitude is not what it was" in error, f"{code} {error}")
    write(folder, "blow.csv", BLOW)
    code, error = execute("changed", "--resume", folder=folder)
    expect(code == 0, f"{code} {error}")
    same(folder, "whole", "changed", "resumed with its table")


def check_kills(folder):
    """SIGKILL at random moments, one run after the other until the study is whole. The result of a whole study, that
    stands there from before, can be read all the time."""
    n_kill = int(os.environ.get("EW_KILLS", "8"))
    chance, n_killed, n_whole = random.Random(5), 0, 0
    begin = time.monotonic()
    execute("set", folder=folder)
    lasts = time.monotonic() - begin
    wanted = content(os.path.join(folder, "whole.vtkhdf"), COMPUTED)
    print(f"{n_kill} kills of a run of {lasts:.1f} s")
    while n_killed < n_kill:
        while True:
            process = start("set", "--resume", folder=folder)
            if n_killed < n_kill:
                try:
                    process.wait(chance.uniform(0, 0.7 * lasts))
                except subprocess.TimeoutExpired:
                    process.kill()
                    n_killed += 1
            error = process.communicate()[1]
            expect(process.returncode in (0, -signal.SIGKILL), f"a resumed run ends with {process.returncode} {error}")
            if process.returncode == 0:
                break
            if ".vtkhdf.commit" not in files_of(folder, "set"):
                expect(content(os.path.join(folder, "set.vtkhdf"), COMPUTED) == wanted, "the old result is not what it was")
        n_whole += 1
        same(folder, "whole", "set", f"after {n_killed} kills")
        expect(files_of(folder, "set") == WHOLE, f"{files_of(folder, 'set')}")
    print(f"  {n_whole} studies went on to their end")


def main():
    with tempfile.TemporaryDirectory(prefix="edgewise-") as folder:
        support.run(program, "shape", "box", "--size", "1,0.2,0.2", "--cells", "12,3,3", "-o", "part.mesh", folder=folder)
        write(folder, "case.yaml", CASE)
        write(folder, "blow.csv", BLOW)
        for check in (check_whole, check_failure, check_changed, check_kills):
            check(folder)
    return support.finish("resume of dynamic steps")


sys.exit(main())
