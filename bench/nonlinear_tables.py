"""The page NONLINEAR.md from the numbers that nonlinear.sh has left in a folder.
usage: nonlinear_tables.py [FOLDER [PAGE]]"""
import csv
import os

from pages import machine_of, number, page_arguments, table

FOLDER, PAGE = page_arguments(__doc__, "NONLINEAR.md")
STAGES = ("forces ms", "records ms", "blocks ms", "solve ms", "iterations", "product ms", "revalidated %")


def read(name):
    """{(tets, where, what): {quantity: value}} in the order of the file."""
    found = {}
    path = os.path.join(FOLDER, name)
    if os.path.exists(path):
        with open(path, encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                key = (int(row["tets"]), row["where"], row["what"])
                found.setdefault(key, {})[row["quantity"]] = float(row["value"])
    return found


def cells(one):
    return [number(one[stage]) if one[stage] else "–" for stage in STAGES]


def main():
    rows = [[f"{tets:,}", where, what, *cells(one)] for (tets, where, what), one in read("nonlinear.csv").items()]
    with open(PAGE, "w", encoding="utf-8") as file:
        file.write("# Bodies that turn\n\nWritten by `nonlinear_tables.py` from what `nonlinear.sh` measured. Milliseconds "
                   "of a time step, the mean of nineteen, and of an iteration of Newton's method; what each scenario does is "
                   "in SCENARIOS.md.\n\n" + machine_of(FOLDER, "nonlinear-machine.txt"))
        file.write("Forces are found twice or more in a step, records (rotations and moduli of tets) once. Blocks are those "
                   "whose records changed by more than the bound, the matrix of the step, and the preconditioner that follows; "
                   "a product is part of each iteration of a solve.\n\n")
        file.write(table(["tets", "where", "what", *STAGES], rows))


if __name__ == "__main__":
    main()
