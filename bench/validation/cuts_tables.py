"""The page CUTS.md from the numbers that cuts.sh has left in a folder.
usage: cuts_tables.py [FOLDER [PAGE]]"""
import csv
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from pages import machine_of, number, page_arguments, table

FOLDER, PAGE = page_arguments(__doc__, "CUTS.md")
COLUMNS = ("done", "refused", "nothing", "share", "least", "low", "middle", "touched", "us", "median", "off")
FLAT = {"box", "plate"}
FLAT_SURFACES = {"plane", "flat-sided file"}


def read(name):
    """Rows of numbers, and how often each message refused: {(body, message): count}."""
    rows, refused = [], {}
    path = os.path.join(FOLDER, name)
    if os.path.exists(path):
        with open(path, encoding="utf-8", newline="") as file:
            for body, what, how, *rest in csv.reader(file):
                if rest[0] == "refused":
                    key = (body, rest[2])
                    refused[key] = refused.get(key, 0) + int(rest[1])
                else:
                    rows.append({"body": body, "what": what, "how": how, **dict(zip(COLUMNS, map(float, rest)))})
    return rows, refused


def share(part, whole):
    return f"{100 * part / whole:.1f} %" if whole else "–"


def good(rows):
    return sum(row["done"] * row["share"] / 100 for row in rows if row["done"])


def cut_rows(rows):
    lines = []
    for row in rows:
        done = row["done"]
        lines.append([row["body"], row["what"], f"{done:.0f}", f"{row['refused']:.0f}",
                      share(good([row]), done), *[f"{row[key]:.2f}" if done else "–" for key in ("least", "low", "middle")],
                      f"{row['touched']:.2f}" if done else "–", number(row["us"]) if done else "–",
                      f"{row['off']:.0e}" if row["off"] else "0"])
    return table(["body", "surface", "done", "refused", "quality ≥ 0.2", "least", "2 %", "median", "touched", "us",
                  "volume off"], lines)


def move_rows(rows):
    lines = []
    for row in rows:
        done = row["done"]
        if done + row["refused"] + row["nothing"]:
            lines.append([row["body"], row["what"] + (", " + row["how"] if row["how"] else ""), f"{done:.0f}",
                          f"{row['refused']:.0f}", f"{row['nothing']:.0f}", share(good([row]), done),
                          *[f"{row[key]:.2f}" if done else "–" for key in ("least", "low", "middle")],
                          number(row["us"]) if done else "–"])
    return table(["body", "operation", "done", "refused", "nothing to do", "quality ≥ 0.2", "least", "2 %", "median",
                  "us"], lines)


def reasons(refused):
    lines = [[body, f"{count}", text] for (body, text), count in sorted(refused.items(), key=lambda item: (item[0][0], -item[1]))]
    return table(["body", "how often", "message, without its numbers"], lines)


def verdict(rows):
    """What was aimed at, and what was found, on flat-sided bodies."""
    flat = [row for row in rows if row["body"] in FLAT and row["what"] != "five times"]
    done, refused = sum(row["done"] for row in flat), sum(row["refused"] for row in flat)
    both = [row for row in flat if row["what"] in FLAT_SURFACES]
    names = ("planes and flat-sided files", "spheres, cylinders, cones and round files")
    lines = []
    for name, of in zip(names, (both, [row for row in flat if row not in both])):
        n, crossed = sum(row["done"] for row in of), [row for row in of if row["done"]]
        lines.append([name, f"{n:.0f}", f"{sum(row['refused'] for row in of):.0f}", share(good(of), n),
                      share(good(of), n + sum(row["refused"] for row in of)),
                      f"{min((row['least'] for row in crossed), default=0):.3f}",
                      f"{max((row['touched'] for row in crossed), default=0):.2f}",
                      number(max((row["us"] for row in crossed), default=0)),
                      f"{max((row['off'] for row in of), default=0):.0e}"])
    lines.append(["all", f"{done:.0f}", f"{refused:.0f}", share(good(flat), done), share(good(flat), done + refused), "",
                  "", "", ""])
    return table(["on box and plate, along", "cuts", "refused", "quality ≥ 0.2 of those done", "of all", "least",
                  "touched, at most", "us, at most", "volume off"], lines)


def main():
    cuts, cuts_refused = read("cuts.csv")
    moves, moves_refused = read("moves.csv")
    n_cut = sum(row["done"] + row["refused"] for row in cuts)
    n_move = sum(row["done"] + row["refused"] + row["nothing"] for row in moves)
    text = f"""# Random cuts, moves and remeshes

Written by `cuts_tables.py` from what `cuts.sh` counted: {n_cut:,.0f} cuts by `tests/test_random_cuts`, {n_move:,.0f} moves
and remeshes by `tests/test_random_moves`. After each of them the checkers of mesh, tables and matrix and the
comparison of revalidated blocks with rebuilt ones, bit for bit (on bodies of more than 20,000 tets after every fourth
cut; after every fourth of the moves and remeshes, which go on from one another, there after every sixteenth); a failure ends the run.
Moves and remeshes were counted at the load below, cuts later at half of it. Quality is the mean ratio of
the worst tet that the edit made or moved; touched and us (microseconds of processor time, one thread) are by crossed
tet for cuts, by touched tet for the others.

{machine_of(FOLDER, "cuts-machine.txt")}## Cuts of flat-sided parts

Aimed at: quality of at least 0.2 in 98 % and never below the floor of 0.05, volume exact to rounding, at most 5 touched
tets and 50 us by crossed tet.

{verdict(cuts)}
## Cuts

Surfaces go through a random place of the body in a random direction, radii from four edges to half of the body's length;
each of them four times: inside kept, outside, both, open. "Five times": one after the other in one piece. Volume off: of
both sides together, where both are kept or the surface is flat-sided, as a share of the body's.
Where what lies inside got a region of its own, quality on bracket and scans is of tets that have nothing new but that, too:
their least ones are slivers of the scans themselves (gargoyle and hand have tets of quality near 0).

{cut_rows(cuts)}
Refused:

{reasons(cuts_refused)}
## Moves and remeshes

One after the other, {60} on a body that then is what it was at first; random sets, directions and sizes, up to 0.6 edges, or 2 with repair.
Without repair nothing keeps tets from becoming poor but that none is inverted.

{move_rows(moves)}
Refused:

{reasons(moves_refused)}"""
    with open(PAGE, "w", encoding="utf-8") as file:
        file.write(text)


main()
