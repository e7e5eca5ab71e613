"""A body in as many parts as processes (distributed_trial, mpirun): answers with the same bits for 1 to 4 of
them, also after edits across parts; bad ones end in one line of process 0 and status 1, a lost process ends
all.

check_distributed.py PROGRAM SOURCE BUILD"""

import os
import pathlib
import re
import subprocess
import sys
import time


def run(build, n, *arguments):
    """Status, lines of the answers, lines of failures."""
    environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMP_NUM_THREADS="1",
                       OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_mpi_yield_when_idle="1",
                       OMPI_MCA_btl_vader_single_copy_mechanism="none")
    trial = build / "tests" / "distributed_trial"
    done = subprocess.run(["mpirun", "--oversubscribe", "--bind-to", "none", "-n", str(n), trial, *arguments],
                          env=environment, capture_output=True, text=True, timeout=300)
    failures = [line for line in done.stderr.splitlines() if line.startswith("distributed_trial:")]
    return done.returncode, done.stdout.splitlines(), failures


def expect(condition, what):
    if not condition:
        sys.exit(what)


def check_answers(build):
    """Every line of every number of processes, with its bits."""
    first = None
    for n in (1, 2, 3, 4):
        status, lines, failures = run(build, n, "6", "edit")
        expect(status == 0 and len(lines) == 4, f"{n} processes: status {status}, {lines}, {failures}")
        first = first or lines
        expect(lines == first, f"{n} processes: {lines}, one: {first}")
    for line in first:
        found = re.fullmatch(r"(\w+): (\d+) rows, (\d+) aggregates, (\d+) iterations, residual (\S+), "
                             r"largest (\S+), bits \w+", line)
        expect(found and float(found[5]) <= 1e-8, line)
        # The answer that traveled with its vertices is one at once.
        expect(int(found[4]) == 0 if found[1] == "balanced" else 5 < int(found[4]) < 80, line)
    print("\n".join(first))


def check_failures(build):
    for what, words in {"refuse": "volume", "singular": "after 200 iterations|free to move",
                        "infinite": "are not finite numbers"}.items():
        status, lines, failures = run(build, 3, "6", what)
        expect(status == 1 and len(failures) == 1 and re.search(words, failures[0]),
               f"{what}: status {status}, {lines}, {failures}")
        expect(len(lines) == (what == "refuse"), f"{what}: {lines}")
        print(failures[0])
    began = time.monotonic()
    status, lines, failures = run(build, 3, "6", "stop")
    expect(status != 0 and not lines, f"a lost process: status {status}, {lines}")
    expect(time.monotonic() - began < 30, "a lost process: the others go on")


def main():
    build = pathlib.Path(sys.argv[3])
    if not (build / "tests" / "distributed_trial").exists():
        print("skipped: this build has no MPI")
        sys.exit(77)
    check_answers(build)
    check_failures(build)


main()
