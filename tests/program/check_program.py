"""The program's manners: replays, interrupts, closed and full streams, logs, summaries, outputs that cannot be
written. Usage: PROGRAM SOURCE_DIR BUILD_DIR."""
import csv
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

program = sys.argv[1]
n_bad = 0
environment = dict(os.environ, OMP_WAIT_POLICY="passive")


def expect(right, what):
    global n_bad
    if not right:
        n_bad += 1
        print(f"  wrong: {what}")


def run(*words, status=0, text="", folder=None, **options):
    """Runs the program; the exit status and one line of stderr must be as expected."""
    options.setdefault("stdout", subprocess.PIPE)
    done = subprocess.run([program, *words], cwd=folder, stderr=subprocess.PIPE, timeout=300,
                          env=environment, **options)
    errors = [line for line in done.stderr.decode(errors="replace").splitlines()
              if line.startswith("edgewise:")]
    line = " ".join(words)
    expect(done.returncode == status, f"{line}: exit status {done.returncode}, not {status}: {errors}")
    expect(len(errors) == (status > 0), f"{line}: {len(errors)} error lines")
    expect(text in "".join(errors), f"{line}: '{text}' is not in {errors}")
    return (done.stdout or b"").decode()


CASE = """mesh: part.mesh
elements: linear
material: {young: 1e6, poisson: 0.3, density: 1000}
sets: {wall: {surface: 1}, tip: {surface: 2}}
constraints:
  - {set: wall, displacement: [0, 0, 0]}
loads:
  - {gravity: [0, 0, -10]}
steps:
  - {name: "first \\"\\\\ \\u00e9", static: {}}
  - {name: changed, edit: [{decimate: {fraction: 0.6, order: random, seed: 3}}, {smooth: {}}], static: {}}
  - {name: mirrored, edit: [{mirror: {normal: x, at: max}}], static: {}}
under_constrained: leave_out
"""


def write(folder, name, text):
    with open(os.path.join(folder, name), "w") as file:
        file.write(text)


def start(folder):
    run("shape", "box", "--size", "4,1,1", "--cells", "8,2,2", "-o", "part.mesh", folder=folder)
    write(folder, "case.yaml", CASE)


def check_replay(folder):
    print("replay")
    run("run", "case.yaml", "-o", "old", "--device", "host", "--threads", "2", folder=folder)
    out = run("replay", "old.vtkhdf", "--threads", "1", folder=folder)
    expect("same bits" in out, "the replay says nothing of the same bits")
    expect(os.path.exists(os.path.join(folder, "old-replay.xdmf")), "no old-replay.xdmf")
    shutil.copy(os.path.join(folder, "old.vtkhdf"), os.path.join(folder, "new.partial.vtkhdf"))
    run("replay", "new.partial.vtkhdf", "-o", "new", status=2, text="would overwrite an input file", folder=folder)
    expect(os.path.exists(os.path.join(folder, "new.partial.vtkhdf")), "a replay has removed what it replays")
    other = os.path.join(folder, "other")
    os.mkdir(other)
    shutil.copy(os.path.join(folder, "part.mesh"), other)
    shutil.move(os.path.join(folder, "part.mesh"), os.path.join(folder, "away.mesh"))
    run("replay", "old.vtkhdf", status=2, text="part.mesh: cannot be opened", folder=folder)
    run("replay", "old.vtkhdf", "--case-dir", "other", folder=folder)
    with open(os.path.join(other, "part.mesh")) as file:
        text = file.read()
    write(other, "part.mesh", text.replace(" 0.5 0 0 0", " 0.5625 0 0 0", 1))
    run("replay", "old.vtkhdf", "--case-dir", "other", status=1, text="differs: /VTKHDF/",
        folder=folder)
    run("shape", "box", "--size", "4,1,1", "--cells", "2,1,1", "-o", "other/part.mesh", folder=folder)
    run("replay", "old.vtkhdf", "--case-dir", "other", status=2, text="do not fit this mesh",
        folder=folder)
    run("replay", "old.vtkhdf", "--precision", "half", status=2, text="double mixed single",
        folder=folder)
    run("replay", "old.vtkhdf", "-o", "old.vtkhdf", status=2, text="overwrite", folder=folder)
    run("replay", "case.yaml", status=2, text="case.yaml: is a case, not a result", folder=folder)
    run("replay", "none.vtkhdf", status=2, text="none.vtkhdf", folder=folder)


def check_preconditioners(folder):
    """What is asked for is used, said, and recorded for the replay; `auto` says what it took."""
    print("preconditioners")
    said = {"jacobi": "jacobi", "block-jacobi": "block-jacobi", "rigid": "rigid",
            "auto": "block-jacobi (auto, for few rows)"}
    for name, words in said.items():
        out = run("run", "case.yaml", "-o", "by", "--device", "host", "--preconditioner", name,
                  "--verbose", folder=folder)
        expect(f"  with         {words}\n" in out, f"{name}: '{words}' is not said")
        out = run("replay", "by.vtkhdf", folder=folder)
        expect("same bits" in out, f"{name}: the replay says nothing of the same bits")
    run("replay", "by.vtkhdf", "--preconditioner", "rigid", status=1, text="differs: /VTKHDF/",
        folder=folder)
    run("run", "case.yaml", "--preconditioner", "ilu", status=2,
        text="jacobi block-jacobi rigid auto", folder=folder)
    if "opencl:" in run("devices"):
        out = run("run", "case.yaml", "-o", "there", "--device", "opencl", "--preconditioner", "rigid",
                  "--verbose", folder=folder)
        expect("  with         rigid\n" in out, "rigid on a device is not said")
        out = run("replay", "there.vtkhdf", folder=folder)
        expect("same bits" in out, "rigid on a device: the replay says nothing of the same bits")


def check_coming_solves(folder):
    """`auto` counts the static steps of the case, and says what it took for them."""
    print("what is coming")
    run("shape", "box", "--cells", "8,8,8", "-o", "many.mesh", folder=folder)
    for n_step, support, words in (
            (10, "foundation: {normal: 1e6, tangential: 1e6}", "block-jacobi (auto, for many easy solves)"),
            (9, "foundation: {normal: 1e6, tangential: 1e6}", "rigid (auto)"),
            (10, "foundation: {normal: 1e-3, tangential: 1e-3}", "rigid (auto, for many hard solves)")):
        with open(os.path.join(folder, "many.yaml"), "w") as file:
            file.write(f"""mesh: many.mesh
elements: linear
units: {{length: m, force: N, time: s}}
material: {{young: 100, poisson: 0.3, density: 1}}
sets: {{skin: {{of: faces, all: true}}}}
constraints: [{{set: skin, {support}}}]
loads: [{{gravity: [0, 0, -9.81]}}]
steps:
""" + "".join(f"  - {{name: s{k}, static: {{}}}}\n" for k in range(n_step)))
        out = run("run", "many.yaml", "-o", "many", "--device", "host", "--verbose", folder=folder)
        expect(out.count(f"  with         {words}\n") == n_step, f"{n_step} steps, {support}: {out}")


def check_modes(folder, head):
    """Modes and buckling as steps: frequencies and factors said, logged and saved, a frame of each; the replay."""
    with open(os.path.join(folder, "modes.yaml"), "w") as file:
        file.write(head + """steps:
  - {name: press, static: {operator: matrix-free}}
  - {name: buckle, buckling: {count: 2}}
  - {name: shake, modes: {count: 3}}
  - {name: free, modes: {count: 7, mass: lumped}, constraints: []}
  - {name: after, static: {}}
""")
    out = run("run", "modes.yaml", "-o", "modes", "--device", "host", "--log", "modes.jsonl", folder=folder)
    expect("load factor" in out and "effective mass" in out and "6 of them rigid" in out, f"modes: {out}")
    with open(os.path.join(folder, "modes.jsonl")) as file:
        steps = [step for step in map(json.loads, file) if step["event"] == "step"]
    found = [step["frequency"] for step in steps if "frequency" in step]
    factors = [step["load_factor"] for step in steps if "load_factor" in step]
    expect(len(steps) == 14 and len(found) == 10 and found[:3] == sorted(found[:3]) and found[0] > 0,
           f"frequencies: {found}")
    expect(found[3:9] == [0] * 6 and found[9] > 0, f"a free body: {found}")
    expect(len(factors) == 2 and 0 < factors[0] <= factors[1], f"load factors: {factors}")
    out = run("replay", "modes.vtkhdf", folder=folder)
    expect("same bits" in out, "modes: the replay says nothing of the same bits")


def has_direct_solver(folder):
    done = subprocess.run([program, "run", "case.yaml", "-o", "probe", "--device", "host", "--solver", "cholesky"],
                          capture_output=True, text=True, cwd=folder)
    return "this build has no direct solver" not in done.stderr


def check_solver(folder):
    """The direct solver: asked for in words and in the case, said, logged, recorded for the replay."""
    print("direct solver")
    if not has_direct_solver(folder):
        print("  skipped: the program has no direct solver")
        return
    out = run("run", "case.yaml", "-o", "direct", "--device", "host", "--solver", "cholesky", folder=folder)
    expect("  with         cholesky: new factor, " in out, f"a new factor is not said: {out}")
    out = run("replay", "direct.vtkhdf", folder=folder)
    expect("same bits" in out, "cholesky: the replay says nothing of the same bits")
    with open(os.path.join(folder, "case.yaml")) as file:
        case = file.read()
    with open(os.path.join(folder, "direct.yaml"), "w") as file:
        file.write(case[:case.index("steps:")] + """steps:
  - {name: one, static: {solver: cholesky}}
  - {name: two, static: {solver: cholesky}, loads: [{gravity: [0, 1, 0]}]}
  - {name: three, static: {solver: cg}}
""")
    out = run("run", "direct.yaml", "-o", "direct", "--device", "host", "--log", "direct.jsonl", folder=folder)
    expect("the same factor" in out, "a factor that served again is not said")
    with open(os.path.join(folder, "direct.jsonl")) as file:
        steps = [step for step in map(json.loads, file) if step["event"] == "step"]
    expect([step.get("factor") for step in steps] == ["new", "kept", None], f"the log says: {steps}")
    out = run("run", "direct.yaml", "-o", "direct", "--device", "host", "--solver", "cg", "--verbose",
              folder=folder)
    expect("cholesky" not in out, "--solver cg does not stand in place of the case's")
    with open(os.path.join(folder, "moves.yaml"), "w") as file:
        file.write(case[:case.index("steps:")] + "steps:\n  - dynamic: {step: 1e-4, steps: 2, solver: cholesky}\n")
    out = run("run", "moves.yaml", "-o", "moves", "--device", "host", folder=folder)
    expect("cholesky" in out, "a dynamic step does not take the direct solver of its case")
    check_modes(folder, case[:case.index("steps:")])
    run("run", "case.yaml", "--solver", "cholesky", "--preconditioner", "rigid", status=2,
        text="takes no --preconditioner", folder=folder)
    run("run", "case.yaml", "--solver", "lu", status=2, text="cg cholesky", folder=folder)


def check_operators(folder):
    """Products from tets give the answer of stored blocks, say so, and replay to the same bits."""
    print("operators")
    with open(os.path.join(folder, "case.yaml")) as file:
        case = file.read()
    case = case[:case.index("steps:")] if "steps:" in case else case
    with open(os.path.join(folder, "free.yaml"), "w") as file:
        file.write(case + "steps:\n- static: {operator: matrix-free, tolerance: 1e-10}\n"
                   "- static: {tolerance: 1e-10}\n")
    for device in ["host"] + ["opencl"] * ("opencl:" in run("devices")):
        out = run("run", "free.yaml", "-o", "free", "--device", device, "--verbose", folder=folder)
        expect("without stored blocks" in out, "not said: without stored blocks")
        with open(os.path.join(folder, "free.csv")) as file:
            rows = list(csv.DictReader(file))
        one, other = (float(row["max_displacement"]) for row in rows)
        expect(one > 0 and abs(one - other) < 1e-7 * one, f"{device}: {one} and {other}")
        out = run("replay", "free.vtkhdf", folder=folder)
        expect("same bits" in out, f"{device}: the replay says nothing of the same bits")
    for kind, times in (("stored", 0), ("matrix-free", 2)):
        out = run("run", "free.yaml", "-o", "free", "--device", "host", "--verbose", "--operator", kind, folder=folder)
        expect(out.count("without stored blocks") == times, f"--operator {kind}: {out}")
        out = run("replay", "free.vtkhdf", folder=folder)
        expect("same bits" in out, f"replay of --operator {kind}: {out}")
    run("run", "free.yaml", "--operator", "matrix-free", "--solver", "cholesky", status=2,
        text="stored" if has_direct_solver(folder) else "no direct solver", folder=folder)
    run("run", "free.yaml", "--operator", "tets", status=2, text="stored matrix-free", folder=folder)


def check_threads(folder):
    """Their number is recorded; what the environment says of it is kept when the program starts itself again."""
    print("threads")
    for words, variables, most in (([], {}, os.cpu_count()), ([], {"OMP_NUM_THREADS": "1"}, 1),
                                   (["--threads", "2"], {"OMP_NUM_THREADS": "1"}, 2)):
        plain = {name: value for name, value in environment.items() if not name.startswith(("OMP_", "GOMP_"))}
        subprocess.run([program, "run", "case.yaml", "-o", "by", "--device", "host", "--quiet", "--log",
                        "threads.jsonl", *words], cwd=folder, env=dict(plain, **variables), timeout=300, check=True)
        with open(os.path.join(folder, "threads.jsonl")) as file:
            n = json.loads(file.readline())["threads"]
        expect(1 <= n <= most and (not variables or n == most), f"{words} {variables}: {n} threads")
    bound = dict(plain, OMP_PROC_BIND="true", OMP_DISPLAY_ENV="true")
    said = subprocess.run([program, "run", "case.yaml", "-o", "by", "--quiet"], cwd=folder, env=bound, timeout=300, check=True,
                          stderr=subprocess.PIPE, text=True).stderr
    places = [line for line in said.splitlines() if "OMP_PLACES" in line]
    expect(len(set(places)) <= 1, f"bound threads: the program that it starts again sees fewer processors: {places}")


def has_step(log):
    if not os.path.exists(log):
        return False
    with open(log) as file:
        return '"step"' in file.read()


def check_interrupts(folder):
    print("interrupts")
    run("shape", "box", "--size", "1,0.1,0.1", "--cells", "40,8,8", "-o", "part.mesh", folder=folder)
    steps = "".join(f"  - {{name: s{i}, loads: [{{gravity: [0, {i}, -1]}}], static: {{tolerance: 1e-8}}}}\n"
                    for i in range(40))
    write(folder, "case.yaml", CASE[:CASE.index("steps:")] + "steps:\n" + steps)
    for number in (signal.SIGINT, signal.SIGTERM):
        process = subprocess.Popen([program, "run", "case.yaml", "-o", "result", "--device", "host",
                                    "--log", "log.jsonl"], cwd=folder, env=environment,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        # After the first step: METIS, before it, takes SIGTERM for its own.
        log, wait_until = os.path.join(folder, "log.jsonl"), time.monotonic() + 100
        while not has_step(log) and time.monotonic() < wait_until and process.poll() is None:
            time.sleep(0.01)
        expect([f for f in os.listdir(folder) if f.endswith(".part")], "no temporary file to remove")
        process.send_signal(number)
        error = process.communicate(timeout=120)[1].decode()
        expect(process.returncode == -number, f"signal {number}: exit status {process.returncode}")
        expect("canceled" in error, f"signal {number}: {error}")
        left = sorted(f for f in os.listdir(folder) if f.startswith("result"))
        kept = ["result.checkpoint"] + ["result.partial" + end for end in (".csv", ".sets.csv", ".vtkhdf", ".xdmf")]
        expect(left == kept, f"signal {number}: left behind: {left}")
        for name in left:
            os.remove(os.path.join(folder, name))
        os.remove(log)
    check_nohup(folder)


def check_nohup(folder):
    """A hangup that the starter ignores is ignored with a device, too: OpenCL platforms install handlers."""
    log, wait_until = os.path.join(folder, "log.jsonl"), time.monotonic() + 100
    if "opencl:" not in run("devices"):
        print("  skipped: no OpenCL device for nohup")
        return
    process = subprocess.Popen([program, "run", "case.yaml", "-o", "result", "--device", "opencl",
                                "--log", "log.jsonl"], cwd=folder, env=environment,
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                               preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    while process.poll() is None and not (has_step(log) or time.monotonic() > wait_until):
        process.send_signal(signal.SIGHUP)
        time.sleep(0.05)
    process.send_signal(signal.SIGHUP)
    process.communicate(timeout=300)
    expect(process.returncode == 0, f"SIGHUP under nohup: exit status {process.returncode}")


def check_streams(folder):
    print("streams")
    for redirected in (">&-", "2>&-", "<&- >&- 2>&-"):
        done = subprocess.run(f"exec '{program}' run case.yaml -o shut --device host {redirected}",
                              shell=True, cwd=folder, env=environment, timeout=300,
                              stdout=subprocess.DEVNULL)
        expect(done.returncode == 0, f"{redirected}: exit status {done.returncode}")
        out = run("replay", "shut.vtkhdf", folder=folder)
        expect("same bits" in out, f"{redirected}: results are not whole")
    reader, writer = os.pipe()
    os.close(reader)
    run("run", "case.yaml", "-o", "unread", "--device", "host", folder=folder, stdout=writer)
    os.close(writer)
    expect(os.path.exists(os.path.join(folder, "unread.vtkhdf")), "no results without a reader")
    if os.path.exists("/dev/full"):
        with open("/dev/full", "w") as full:
            run("info", "part.mesh", status=2, text="standard output", folder=folder, stdout=full)
    pipe = os.path.join(folder, "pipe.mesh")
    os.mkfifo(pipe)
    feeder = subprocess.Popen(["cp", os.path.join(folder, "part.mesh"), pipe])
    expect("vertices" in run("info", "pipe.mesh", folder=folder), "a pipe is not read")
    feeder.wait()


def check_log(folder):
    print("log")
    out = run("run", "case.yaml", "-o", "logged", "--device", "host", "--quiet", "--log", "log.jsonl",
              folder=folder)
    expect(out == "", f"--quiet prints: {out[:80]}")
    with open(os.path.join(folder, "log.jsonl"), encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    events = [line["event"] for line in lines]
    expect([event for event in events if event != "warning"] ==
           ["start", "step", "step", "step", "done"], f"events: {events}")
    expect(all(line["message"] and line["step"] and line["kind"] for line in lines if line["event"] == "warning"),
           "warnings in the log")
    expect(lines[1]["name"] == 'first "\\ \u00e9', f"name: {lines[1]['name']!r}")
    run("run", b"\xff\xc3.yaml".decode(errors="surrogateescape"), "--log", "log.jsonl", status=2,
        text="cannot be opened", folder=folder)
    with open(os.path.join(folder, "log.jsonl"), encoding="utf-8") as file:
        last = json.loads(file.read().splitlines()[-1])
    expect(last["event"] == "failure" and "\ufffd" in last["message"], f"last line: {last}")
    # A mistyped name must not cost an input.
    run("run", "case.yaml", "--log", "case.yaml", status=2, text="is no log", folder=folder)
    with open(os.path.join(folder, "case.yaml")) as file:
        expect(file.read() == CASE, "--log overwrote the case")
    for text in ("{mesh: part.mesh}\n", '{"vertices": []}\n'):
        write(folder, "other.yaml", text)
        run("run", "case.yaml", "--log", "other.yaml", status=2, text="is no log", folder=folder)
    out = run("run", "case.yaml", "-o", "wordy", "--device", "host", "--verbose", folder=folder)
    expect(len(out.splitlines()) > 100, "--verbose shows no iterations")


def check_summary(folder):
    """A step that only edits has a row without what it has no answer for."""
    print("summary")
    write(folder, "case.yaml", CASE.replace("smooth: {}}], static: {}}", "smooth: {}}]}"))
    out = run("run", "case.yaml", "-o", "sum", "--device", "host", "--log", "sum.jsonl", folder=folder)
    with open(os.path.join(folder, "sum.csv"), encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    answers = ("max_displacement", "max_von_mises", "reaction", "iterations", "seconds_solve",
               "error_share", "peak_error")
    expect(len(rows) == 3, f"{len(rows)} rows")
    for row in rows:
        solved = row["step"] != "changed"
        expect(all(bool(row[name]) == solved for name in answers), f"cells of the row: {row}")
        expect(bool(row["seconds_revalidate"]) == (row is not rows[0]) and not row["seconds_rebuild"],
               f"times of the row: {row}")
        expect(float(row["volume"]) > 0 and float(row["mass"]) > 0, f"measures of the row: {row}")
    words = [line.split() for line in out.splitlines() if line.startswith("changed ")][-1]
    expect(words.count("-") == 4, f"line of the table: {words}")
    with open(os.path.join(folder, "sum.jsonl"), encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    expect(["iterations" in line and "max_displacement" in line for line in lines
            if line["event"] == "step"] == [True, False, True], "answers in the log")
    # Names: long ones are cut in the table only, at whole characters; control characters are refused.
    names = ("\u00fc" * 300, 'e"\u0301\u20ac', "two words")
    write(folder, "case.yaml", CASE[:CASE.index("steps:")] + "steps:\n" +
          "".join(f"  - {{name: {json.dumps(name)}, static: {{}}}}\n" for name in names))
    out = run("run", "case.yaml", "-o", "names", "--device", "host", folder=folder)
    with open(os.path.join(folder, "names.csv"), encoding="utf-8", newline="") as file:
        found = tuple(row["step"] for row in csv.DictReader(file))
    expect(found == names, f"names in the table's file: {found}")
    lines = out[out.index("\nstep   ") + 1:].splitlines()
    cells = [line[:21] for line in lines[1:4]]
    expect(cells == [f"{name[:20]:20} " for name in names], f"cells: {cells}")
    expect(all(len(line) == len(lines[0]) for line in lines[1:4]), f"rows of the table: {lines}")
    for name in ("two\nlines", "\t", "\x1b[31m", "\x9b"):
        write(folder, "case.yaml", CASE[:CASE.index("steps:")] +
              f"steps:\n  - {{name: {json.dumps(name)}, static: {{}}}}\n")
        run("run", "case.yaml", "-o", "names", status=2, text="control character", folder=folder)


def check_render(folder):
    """Without VTK the script says what to do."""
    print("render")
    done = subprocess.run([sys.executable, "-I", "-S", os.path.join(sys.argv[2], "tools", "render.py")],
                          cwd=folder, capture_output=True, text=True, timeout=60)
    expect(done.returncode == 1 and "setup.sh" in done.stderr and len(done.stderr.splitlines()) == 1,
           f"render.py without VTK: {done.returncode}, {done.stderr}")


def check_overwriting(folder):
    """No file that a conversion reads is replaced by what it writes."""
    run("convert", "part.mesh", "deck.inp", folder=folder)
    shutil.copy(os.path.join(folder, "deck.inp"), os.path.join(folder, "body.msh"))
    write(folder, "whole.inp", "*INCLUDE, INPUT=body.msh\n")
    os.link(os.path.join(folder, "deck.inp"), os.path.join(folder, "linked.inp"))
    os.symlink("deck.inp", os.path.join(folder, "deck.yaml"))
    for words in (("deck.inp", "deck.inp"), ("deck.inp", "linked.inp"), ("deck.inp", "deck.yaml"), ("whole.inp", "body.yaml")):
        before = os.stat(os.path.join(folder, "deck.inp"))
        run("convert", *words, status=2, text="overwrite an input file", folder=folder)
        after = os.stat(os.path.join(folder, "deck.inp"))
        expect((before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns), f"{words}: deck.inp is another file")
    expect(not os.path.exists(os.path.join(folder, "body.yaml")), "a case beside a refused mesh")


def check_counted(folder):
    """Triangles of a surface that an edit took away stay in the tables of the file, and are not counted."""
    print("surfaces after an edit")
    run("shape", "box", "--cells", "4,4,4", "-o", "counted.mesh", folder=folder)
    run("remove", "counted.mesh", "--sphere", "0,0.5,0.5,0.3", "-o", "holed.mesh", folder=folder)
    with open(os.path.join(folder, "holed.mesh"), encoding="utf-8") as file:
        lines = [line.strip() for line in file if line.strip()]
    first = lines.index("Triangles") + 2
    labels = [line.split()[3] for line in lines[first:first + int(lines[first - 1])]]
    told = [line.split() for line in run("info", "holed.mesh", folder=folder).splitlines() if line.startswith("surface")]
    counted = {words[1]: int(words[2]) for words in told}
    write(folder, "turned.yaml", CASE[:CASE.index("steps:")] + "kinematics: corotational\nsteps:\n"
          "  - {name: bent, edit: [{smooth: {}}], static: {}}\n")
    told_turned = run("run", "turned.yaml", "--verbose", folder=folder)
    expect("counted again in every iteration" in told_turned, f"blocks of a nonlinear step: {told_turned}")
    expect(counted == {label: labels.count(label) for label in labels} and counted["1"] < 32, f"surfaces: {counted}")


def check_outputs(folder):
    print("outputs")
    before = set(os.listdir(folder))
    with open(os.path.join(folder, "part.mesh"), "rb") as file:
        bytes_before = file.read()
    os.mkdir(os.path.join(folder, "taken.ele"))
    run("convert", "part.mesh", "taken.node", status=2, text="taken.ele", folder=folder)
    os.rmdir(os.path.join(folder, "taken.ele"))
    left = [f for f in os.listdir(folder) if "part" in f and f not in before]
    expect(not left, f"left behind: {left}")
    run("convert", "part.mesh", "part.mesh", status=2, text="overwrite an input file", folder=folder)
    run("convert", "part.mesh", "again.mesh", folder=folder)
    with open(os.path.join(folder, "part.mesh"), "rb") as one, \
            open(os.path.join(folder, "again.mesh"), "rb") as two:
        expect(one.read() == two.read() == bytes_before, "a mesh written again")
    check_overwriting(folder)
    run("convert", "part.mesh", "", status=2, text="empty", folder=folder)
    run("mirror", "part.mesh", "-o", "", status=2, text="--output is empty", folder=folder)
    run("run", "case.yaml", "-o", ".", status=2, text="file name", folder=folder)
    run("run", "case.yaml", "--device", "opencl:99999999999.0", status=2, text="not known",
        folder=folder)
    run("info", ".", status=2, text="ending", folder=folder)
    run("run", ".", status=2, text="folder", folder=folder)
    before = set(os.listdir(folder))
    for words in (("convert", "part.mesh", "large.mesh"),
                  ("run", "case.yaml", "-o", "large", "--device", "host")):
        run(*words, status=2, text="File too large", folder=folder,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (2048, 2048)))
    left = set(os.listdir(folder)) - before
    expect(not left, f"left behind where files may not grow: {left}")


def check_edits(folder):
    """What the editing commands say of what they do; what they refuse is in check_bad_input."""
    print("edits")
    expect("between two of its vertices" in run("refine", "--help"), "what refine bisects in a selection")
    # A box of 9 by 3 by 3 vertices: its ends have 9, and the copy shares one, none or a corner.
    separate = "no face is common"
    for name, move, words in (("on", "4,0,0", "9 vertices welded"), ("off", "5,0,0", "0 vertices welded"),
                              ("corner", "4,1,1", "1 vertex welded")):
        run("move", "part.mesh", "--by", move, "-o", f"{name}.mesh", folder=folder)
        out = run("add", "part.mesh", f"{name}.mesh", "-o", "sum.mesh", folder=folder)
        expect(words in out and (separate in out) == (name != "on"), f"add {name}: {out}")
    for at, words in (("max", "9 vertices shared"), ("5,0,0", "0 vertices shared")):
        out = run("mirror", "part.mesh", "--at", at, "-o", "sum.mesh", folder=folder)
        expect(words in out and (separate in out) == (at != "max"), f"mirror at {at}: {out}")


for check in (check_replay, check_preconditioners, check_coming_solves, check_solver, check_operators, check_threads,
              check_interrupts, check_streams, check_log,
              check_summary, check_render, check_outputs, check_counted, check_edits):
    place = tempfile.mkdtemp(prefix="edgewise-")
    try:
        start(place)
        check(place)
    finally:
        shutil.rmtree(place)
print(f"{n_bad} wrong")
sys.exit(1 if n_bad else 0)
