"""What is broken, hostile or killed, from outside: nothing hangs, nothing that was there is lost.
EW_KILLS sets how many runs are killed at random moments (24). Usage: PROGRAM SOURCE_DIR BUILD_DIR."""
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
from support import ENVIRONMENT, expect, files_of, h5py, write

program = sys.argv[1]

CASE = """mesh: part.mesh
elements: linear
material: {young: 210e9, poisson: 0.3, density: 7850}
sets: {wall: {surface: 1}, end: {surface: 2}}
constraints: [{set: wall, displacement: [0, 0, 0]}]
loads: [{set: end, total_force: [0, 0, -100]}]
steps:
"""


def run(*words, status=0, text="", folder=None, within=60, **options):
    """The exit status and the one line of stderr must be as expected, and come in time."""
    begin = time.monotonic()
    done = support.execute(program, *words, folder=folder, errors="replace", **options)
    line = "edgewise " + " ".join(map(str, words))
    expect(time.monotonic() - begin < within, f"{line}: {time.monotonic() - begin:.1f} s")
    expect(done.returncode == status, f"{line}: status {done.returncode}, not {status}: {done.stderr}")
    expect(len(done.stderr.splitlines()) == (status > 0), f"{line}: lines on stderr: {done.stderr}")
    expect(text in done.stderr, f"{line}: '{text}' is not in {done.stderr}")
    return done


def case_of(n_step):
    return CASE + "".join(f"  - {{name: s{k}, static: {{}}}}\n" for k in range(n_step))


def steps_told(folder, name):
    """Number of steps that all files of a set tell; 0 where they differ or are not whole."""
    path = os.path.join(folder, name)
    try:
        with h5py.File(path + ".vtkhdf", "r") as file:
            told = {len(file["Edgewise/Steps"]), int(file["VTKHDF/Steps"].attrs["NSteps"])}
        with open(path + ".xdmf", encoding="utf-8") as file:
            told.add(file.read().count("<Time"))
        with open(path + ".csv", encoding="utf-8") as file:
            told.add(len(file.readlines()) - 1)
    except (OSError, KeyError) as error:
        print(f"  {error}")
        return 0
    return told.pop() if len(told) == 1 else 0


def check_nesting(folder):
    print("nesting")
    for text in ("mesh: " + "[" * 100000, "mesh:\n  " + "- " * 100000 + "a", "a: " + "{a: " * 100000):
        write(folder, "deep.yaml", text)
        run("run", "deep.yaml", status=2, text="nested more than", folder=folder, within=5)


def check_files(folder):
    print("pipes, devices, names")
    os.mkfifo(os.path.join(folder, "pipe.mesh"))
    os.mkfifo(os.path.join(folder, "pipe.vtkhdf"))
    run("info", "pipe.mesh", status=2, text="nobody writes", folder=folder, within=30)
    run("replay", "pipe.vtkhdf", status=2, text="it is a pipe", folder=folder)
    os.symlink("/dev/zero", os.path.join(folder, "zero.mesh"))
    run("info", "zero.mesh", status=2, text="is a device", folder=folder)
    os.symlink("/dev/zero", os.path.join(folder, "zero.vtkhdf"))
    run("replay", "zero.vtkhdf", status=2, text="device", folder=folder)
    for name in ("a\nb", "a\x1b[31m"):
        run("run", "case.yaml", "-o", name, status=2, text="control character", folder=folder)
        run("convert", "part.mesh", name + ".mesh", status=2, text="control character", folder=folder)
    with open(os.path.join(folder, "part.mesh"), "rb") as file:
        before = file.read()
    if support.execute(program, "bench", "list").returncode == 0:
        run("bench", "build", "--mesh", "part.mesh", "--csv", "part.mesh", status=2, text="ends in .csv",
            folder=folder)
    with open(os.path.join(folder, "part.mesh"), "rb") as file:
        expect(file.read() == before, "bench --csv overwrote a mesh")


def check_failed_run(folder):
    """A name that cannot be taken costs nothing that was there."""
    print("failed runs")
    run("run", "case.yaml", "-o", "kept", "--device", "host", "--quiet", folder=folder)
    for ending in (".vtkhdf", ".xdmf", ".csv"):
        path = os.path.join(folder, "kept" + ending)
        os.rename(path, path + "-aside")
        os.mkdir(path)
        others = {f: open(os.path.join(folder, f), "rb").read() for f in os.listdir(folder)
                  if f.startswith("kept.") and os.path.isfile(os.path.join(folder, f))}
        run("run", "case.yaml", "-o", "kept", "--device", "host", "--quiet", status=2,
            text="kept" + ending, folder=folder)
        for name, content in others.items():
            with open(os.path.join(folder, name), "rb") as file:
                expect(file.read() == content, f"{name} changed, though kept{ending} was a folder")
        os.rmdir(path)
        os.rename(path + "-aside", path)
    expect(files_of(folder, "kept") == [".csv", ".sets.csv", ".vtkhdf", ".xdmf"], f"{files_of(folder, 'kept')}")


def check_kills(folder):
    """SIGKILL at random moments, more of them toward the end, where names are taken."""
    n = int(os.environ.get("EW_KILLS", "24"))
    print(f"{n} kills")
    chance, counts = random.Random(1), {2: 0, 3: 0}
    write(folder, "old.yaml", case_of(2))
    write(folder, "new.yaml", case_of(3))
    words = ["-o", "set", "--device", "host", "--quiet"]
    run("run", "old.yaml", *words, folder=folder)
    begin = time.monotonic()
    run("run", "new.yaml", *words, folder=folder)
    lasts = time.monotonic() - begin
    for k in range(n):
        if steps_told(folder, "set") != 2:
            run("run", "old.yaml", *words, folder=folder)
        process = subprocess.Popen([program, "run", "new.yaml", *words], cwd=folder, env=ENVIRONMENT)
        time.sleep(lasts * (chance.uniform(0, 1.2) if k % 2 else chance.uniform(0.7, 1.1)))
        process.send_signal(signal.SIGKILL)
        process.wait()
        if ".vtkhdf.commit" in files_of(folder, "set"):
            support.execute(program, "replay", "set.vtkhdf", "-o", "replayed", folder=folder)
        told = steps_told(folder, "set")
        expect(told in counts, f"kill {k}: neither the old nor the new set: {files_of(folder, 'set')}")
        counts[told] = counts.get(told, 0) + 1
    print(f"  {counts[2]} old, {counts[3]} new")
    run("run", "old.yaml", *words, folder=folder)
    expect(files_of(folder, "set") == [".csv", ".sets.csv", ".vtkhdf", ".xdmf"],
           f"left by killed runs: {files_of(folder, 'set')}")


def check_half(folder):
    """A set that a killed program left half replaced: whoever reads it finishes it first, or refuses."""
    print("half replaced")
    write(folder, "old.yaml", case_of(2))
    write(folder, "new.yaml", case_of(3))
    for name in ("old", "new"):
        run("run", name + ".yaml", "-o", name, "--device", "host", "--quiet", folder=folder)
    endings = (".vtkhdf", ".xdmf", ".csv", ".sets.csv")
    for words in (["info", "half.vtkhdf"], ["report", "half.vtkhdf"], ["convert", "half.vtkhdf", "half.pvd"],
                  ["replay", "half.vtkhdf"]):
        record = "edgewise commit 1\n"
        for ending in endings:
            taken = ending == endings[0]
            names = [f"half{ending}", f"half{ending}.7.part", f"half{ending}.7.old.part"]
            record += "".join(name + "\n" for name in names)
            shutil.copy(os.path.join(folder, "old" + ending), os.path.join(folder, names[2 if taken else 0]))
            shutil.copy(os.path.join(folder, "new" + ending), os.path.join(folder, names[0 if taken else 1]))
        path = os.path.join(folder, "half.xdmf.7.part")
        with open(path, encoding="utf-8") as file:
            text = file.read()
        write(folder, "half.xdmf.7.part", text.replace("new.vtkhdf", "half.vtkhdf"))
        write(folder, "half.vtkhdf.commit", record + "end\n")
        expect(steps_told(folder, "half") == 0, "the files go together before they are read")
        run(*words, folder=folder)
        expect(steps_told(folder, "half") == 3, f"{words[0]} leaves the set half replaced")
        left = [f for f in files_of(folder, "half") if "part" in f or "commit" in f]
        expect(not left, f"{words[0]} leaves {left}")
    os.symlink("old.yaml", os.path.join(folder, "half.vtkhdf.commit"))
    run("info", "half.vtkhdf", status=2, text="half replaced", folder=folder)
    run("report", "half.vtkhdf", status=2, text="half replaced", folder=folder)


def check_range(folder):
    """Beyond what double precision can square no number is printed."""
    print("range")
    for young in ("1e-300", "1e-160", "1e160", "1e300"):
        write(folder, "far.yaml", case_of(1).replace("210e9", young))
        done = run("run", "far.yaml", "--device", "host", status=1, text="units", folder=folder)
        expect("displacement max" not in done.stdout, f"young {young}: numbers all the same")
    expect(files_of(folder, "far") == [".yaml"], f"results: {files_of(folder, 'far')}")


def is_sanitized():
    with open(os.path.join(sys.argv[3], "CMakeCache.txt"), encoding="utf-8") as file:
        return any(line.startswith("EW_SANITIZE:") and line.strip()[-1] not in "=" for line in file)


def check_memory(folder):
    """Whatever limit the memory ends at: one line and status 1, or success."""
    print("memory and threads")
    if is_sanitized():
        print("  skipped: the address sanitizer needs all addresses")
        return
    told = set()
    for megabytes in list(range(36, 124, 4)) + [105, 107, 113, 115, 117, 119, 121]:
        limit = megabytes << 20
        done = subprocess.run([program, "run", "case.yaml", "-o", "tight", "--device", "host", "--quiet",
                               "--threads", "2"], cwd=folder, capture_output=True, text=True,
                              env=ENVIRONMENT, timeout=100,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
        if done.returncode == 127:
            continue  # the program itself could not be loaded
        lines = done.stderr.splitlines()
        told.add(done.returncode)
        expect(done.returncode in (0, 1) and len(lines) == done.returncode and
               all(line.startswith("edgewise:") for line in lines),
               f"{megabytes} MiB: status {done.returncode}: {done.stderr} {done.stdout}")
    expect(1 in told, "no limit was tight enough")
    limit = 1 << 30
    run("run", "case.yaml", "-o", "tight", "--threads", "1000", status=1, text="threads cannot be started",
        folder=folder, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
    left = [f for f in os.listdir(folder) if f.endswith(".part")]
    expect(not left, f"left behind: {left}")


def check_surfaces(folder):
    """TetGen is stopped where it would not end."""
    print("surfaces")
    points = [(x, y, z) for z in (0, 1e-6) for y in (0, 1) for x in (0, 1)]
    support.write_off(os.path.join(folder, "flat.off"), points,
                      [(0, 2, 1), (1, 2, 3), (4, 5, 6), (5, 7, 6), (0, 1, 4), (1, 5, 4), (2, 6, 3),
                       (3, 6, 7), (0, 4, 2), (2, 4, 6), (1, 3, 5), (3, 7, 5)])
    done = support.execute(program, "mesh", "flat.off", "-o", "flat.mesh", "--max-seconds", 2, folder=folder)
    if "EW_WITH_TETGEN" in done.stderr:
        print("  skipped: the program has no TetGen")
        return
    expect(done.returncode == 2 and "within 2 s" in done.stderr, f"mesh --max-seconds: {done.stderr}")
    for keys, text in (("max_seconds: 1", "within 1 s"), ("max_seconds: -1", "must not be negative"),
                       ("max_memory: many", "must be a number")):
        write(folder, "flat.yaml", case_of(1).replace("part.mesh", "{surface: flat.off, " + keys + "}"))
        run("run", "flat.yaml", "--device", "host", status=2, text=text, folder=folder)


with tempfile.TemporaryDirectory(prefix="edgewise-") as place:
    run("shape", "box", "--size", "1,0.1,0.1", "--cells", "20,4,4", "-o", "part.mesh", folder=place)
    write(place, "case.yaml", case_of(2))
    for check in (check_nesting, check_files, check_failed_run, check_kills, check_half, check_range, check_memory,
                  check_surfaces):
        check(place)
sys.exit(support.finish("check_hostile"))
