"""What an iteration takes by many processes, as a model fitted to counts of few (PROCESSES.md). In: measured/processes.csv,
lines of `edgewise-mpi run --verbose` (whole) and of `distributed_trial count` (parts). Out: its tables.
Usage: bench/processes_model.py."""
import csv
import math
import os

# Of the machine that is assumed.
LATENCY, BANDWIDTH = 2e-6, 1.5e9  # seconds; bytes a second of one process, where 8 share 100 Gbit/s
MEMORY = 4e9                      # bytes of one process
# Measured, one thread: a row of an iteration; the coarse system of so many aggregates solved by a factor, its bytes, and how
# they grow with the aggregates (1,375 and 10,332 of boxes). With groups of aggregates (whole) they grow in proportion.
ROW = 0.41e-6
AGGREGATES, SOLVE, FACTOR, SOLVE_POWER, FACTOR_POWER = 1375, 5e-3, 26e6, 1.44, 1.48
ROWS_OF_AGGREGATE, ROWS_OF_SUM, ROWS_OF_ATOM = 124, 512, 1024
ROWS_A_TET = 0.177
# Bytes a tet: of the body in each process, and what processes share; of a part, with ghosts.
BYTES_WHOLE, BYTES_SHARED, BYTES_PART = 350.0, 358.0, 475.0
MAX_NEIGHBORS = 20                     # parts of METIS have 17 at most, stretches of a curve up to 33
TETS, PROCESSES = (1e8, 1e9), (128, 512, 2048, 4096)


def read():
    with open(os.path.join(os.path.dirname(__file__), "measured", "processes.csv"), encoding="utf-8") as file:
        return [{key: value if key == "program" else float(value) for key, value in row.items()} for row in csv.DictReader(file)]


def fit(rows, program):
    """Bytes an iteration by (rows / processes)^(2/3), where parts are inside others; messages by neighbor."""
    many = [row for row in rows if row["program"] == program and row["processes"] >= 8]
    surface = [row["bytes"] / (row["rows"] / row["processes"]) ** (2 / 3) for row in many]
    return sum(surface) / len(surface)


def reduce(n_byte, n):
    """An allreduce by recursive halving and doubling (Thakur, Rabenseifner, Gropp 2005)."""
    return 2 * math.log2(n) * LATENCY + 2 * (n - 1) / n * n_byte / BANDWIDTH


def iteration(program, surface, tets, n):
    """Seconds of each part, and bytes of memory of a process."""
    rows = ROWS_A_TET * tets
    exchanges, sums = (5, 3) if program == "whole" else (2, 3)
    aggregates = rows / ROWS_OF_AGGREGATE
    partial = 16 * rows / ROWS_OF_SUM if program == "whole" else 16 * rows / ROWS_OF_ATOM
    return {"rows": ROW * rows / n,
            "halo": exchanges * MAX_NEIGHBORS * LATENCY + surface * (rows / n) ** (2 / 3) / BANDWIDTH,
            "sums": sums * reduce(partial, n),
            "coarse, gathered": reduce(48 * aggregates, n),
            "coarse, solved by each": SOLVE * (aggregates / AGGREGATES) ** (1 if program == "whole" else SOLVE_POWER),
            "memory": (BYTES_WHOLE + BYTES_SHARED / n) * tets if program == "whole" else
                      BYTES_PART * tets / n + FACTOR * (aggregates / AGGREGATES) ** FACTOR_POWER}


def table(program, surface):
    parts = ("rows", "halo", "sums", "coarse, gathered", "coarse, solved by each")
    print("| tets | processes |", " | ".join(part + ", ms" for part in parts), "| largest | memory, GB |")
    print("| --- " * (len(parts) + 4) + "|")
    for tets in TETS:
        for n in PROCESSES:
            of = iteration(program, surface, tets, n)
            largest = max(parts, key=of.get)
            print(f"| {tets / 1e6:,.0f} M | {n:,} |", " | ".join(f"{1e3 * of[part]:.2f}" for part in parts),
                  f"| {largest} | {of['memory'] / 1e9:.2f}{'' if of['memory'] < MEMORY else ' (too much)'} |")


def main():
    rows = read()
    for program in ("whole", "parts"):
        surface = fit(rows, program)
        title = {"whole": "Cases by `edgewise-mpi`", "parts": "Meshes in parts (`lib/distributed`)"}[program]
        print(f"\n{title}, {surface:,.0f} bytes an iteration times (rows / processes)^(2/3)\n")
        table(program, surface)


main()
