"""CAD files that are damaged at random end in tets or in one line, in bounded time and memory: bytes,
numbers, lines and blocks changed, moved, doubled and lost, through the program as a user calls it.
EW_CAD_MUTANTS sets how many of each format (3); EW_CAD_SEED the first (1).

check_cad_mutants.py PROGRAM SOURCE BUILD"""

import collections
import os
import random
import re
import subprocess
import sys
import tempfile
import time

import checks
from checks import expect

program, source, build = (os.path.abspath(word) for word in sys.argv[1:4])
maker = os.path.join(build, "tests", "make_cad")
helper = os.path.join(os.path.dirname(program), "edgewise-gmsh")
FILES = ("cube.step", "pair.step", "bracket.step", "hollow.step", "cube.iges", "faces.igs", "cube.brep")
NUMBERS = (b"0.", b"-1.", b"1e300", b"-1e-300", b"nan", b"1e999", b"2147483648", b"-1", b"0", b"4294967297", b"99999")
LIMITS = ("--max-seconds", "5", "--max-memory", "2")
SECONDS, GIB = 60, 2.5  # that nothing is beyond, on a busy machine, too


def change_number(text, pick):
    found = list(re.finditer(rb"-?\d+(\.\d*)?([eE][-+]?\d+)?", text))
    if not found:  # all of them went before
        return text
    one = pick.choice(found)
    return text[:one.start()] + pick.choice(NUMBERS) + text[one.end():]


def change_bytes(text, pick):
    made = bytearray(text)
    for _ in range(pick.choice((1, 1, 2, 8))):
        made[pick.randrange(len(made))] = pick.randrange(256)
    return bytes(made)


def exchange_lines(text, pick):
    lines = text.splitlines(keepends=True)
    a, b = pick.randrange(len(lines)), pick.randrange(len(lines))
    lines[a], lines[b] = lines[b], lines[a]
    return b"".join(lines)


def exchange_references(text, pick):
    """Of STEP: one entity stands where another is meant."""
    found = list(re.finditer(rb"#\d+", text))
    if len(found) < 2:
        return change_number(text, pick)
    one, other = pick.choice(found), pick.choice(found)
    return text[:one.start()] + other.group() + text[one.end():]


def lose_block(text, pick):
    begin = pick.randrange(len(text))
    return text[:begin] + text[begin + pick.choice((1, 10, 100, 1000)):]


def double_block(text, pick):
    begin = pick.randrange(len(text))
    end = begin + pick.choice((1, 80, 800))
    return text[:end] + text[begin:end] + text[end:]


CHANGES = (change_number, change_number, change_bytes, exchange_lines, exchange_references, lose_block, double_block,
           lambda text, pick: text[:pick.randrange(len(text))])


def mutant(text, pick):
    for _ in range(pick.choice((1, 1, 1, 2, 4))):
        text = pick.choice(CHANGES)(text, pick) or b"\n"
    return text


def run(path, folder):
    """Exit status, seconds, GiB at the most of the program and its helper, lines of the failure."""
    begin = time.monotonic()
    log = os.path.join(folder, "log")
    with open(log, "w+b") as file:
        child = subprocess.Popen([program, "mesh", path, "--size", "6", *LIMITS, "-o", os.path.join(folder, "out.mesh")],
                                 stdout=subprocess.DEVNULL, stderr=file, env=checks.ENVIRONMENT)
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        file.seek(0)
        lines = file.read().decode(errors="replace").splitlines()
    return child.returncode, time.monotonic() - begin, used.ru_maxrss / 2 ** 20, lines


def check_format(folder, ending, texts, count, seed):
    counts, slowest, largest, begin = collections.Counter(), 0, 0, time.monotonic()
    path = os.path.join(folder, "mutant" + ending)
    for i in range(count):
        pick = random.Random(f"{ending} {seed + i}")
        with open(path, "wb") as file:
            file.write(mutant(pick.choice(texts), pick))
        status, seconds, gib, lines = run(path, folder)
        which = f"mutant {seed + i} of {ending}"
        expect(status in (0, 1, 2), f"{which}: status {status}: {lines}")
        expect(len(lines) == 1 if status in (1, 2) else not lines, f"{which}: {lines}")
        expect(seconds < SECONDS and gib < GIB, f"{which}: {seconds:.1f} s, {gib:.2f} GiB")
        counts["tets" if status == 0 else "refused"] += 1
        slowest, largest = max(slowest, seconds), max(largest, gib)
    print(f"  {ending}: {count} mutants from {seed} on, {counts['tets']} meshed, {counts['refused']} refused; at the most "
          f"{slowest:.1f} s, {largest:.2f} GiB; {time.monotonic() - begin:.0f} s in all", flush=True)


def main():
    count, seed = int(os.environ.get("EW_CAD_MUTANTS", "3")), int(os.environ.get("EW_CAD_SEED", "1"))
    with tempfile.TemporaryDirectory(prefix="edgewise-") as folder:
        subprocess.run([maker, folder], check=True, stdout=subprocess.DEVNULL)
        texts = collections.defaultdict(list)
        for name in FILES:
            with open(os.path.join(folder, name), "rb") as file:
                texts["." + name.split(".")[1].replace("igs", "iges")].append(file.read())
        check_format(folder, ".step", texts[".step"], 1, 20102)  # it took 3.5 GiB where 2 are allowed
        for ending, list_ in texts.items():
            check_format(folder, ending, list_, count, seed)
    return checks.finish("check_cad_mutants")


if not (os.path.exists(helper) and os.path.exists(maker)):
    print("skipped: the program was built without Gmsh")
    sys.exit(77)
sys.exit(main())
