"""The examples run, and their tables make sense as mechanics."""
import os
import subprocess
import sys

build = sys.argv[3]
folder = os.path.join(build, "tools", "examples")
if not os.path.isdir(folder) or not os.path.exists(os.path.join(folder, "cut")):
    print("built without examples")
    sys.exit(77)


def expect(condition, text):
    if not condition:
        sys.exit(f"check_examples: {text}")


def table(name):
    """Rows of numbers, and the lines that are none."""
    done = subprocess.run([os.path.join(folder, name)], capture_output=True, text=True)
    expect(done.returncode == 0 and not done.stderr, f"{name}: {done.stderr}")
    rows, words = [], []
    for line in done.stdout.splitlines():
        try:
            rows.append([float(word.rstrip("%")) for word in line.split()])
        except ValueError:
            words.append(line)
    return rows, words


def rises(values):
    return all(a < b for a, b in zip(values, values[1:]))


# A beam that is sawn sags the more. Uncut: a bit stiffer than F L^3 / (3 E I) = 0.1905 mm. A notch of
# half the height and a cell's width has an eighth of the stiffness there.
rows, _ = table("cut")
sag = [row[4] for row in rows]
expect([row[0] for row in rows] == list(range(0, 49, 6)), f"cuts: {rows}")
expect(all(row[1] == 3840 - row[0] for row in rows), "a cut is not one tet")
expect(rises(sag) and 0.7 < sag[0] / 0.1905 < 1.0 and 1.05 < sag[-1] / sag[0] < 1.3, f"sag: {sag}")
expect(all(4 <= row[2] <= 40 for row in rows[1:]), "a cut touches more than its neighbors")

# Wind goes with the area that it meets: half of (1 + width at the top / at the root), and more of it
# where the pressure is small. The first row stands beside beam theory.
rows, words = table("own_load")
theory = words[-1].replace(",", " ").split()
expect(len(rows) == 6 and rises([-row[1] for row in rows]), f"own_load: {rows}")
for width, mass, wind, sway, _ in rows:
    top = width / 4.0
    expect(abs(wind - 240.0 * (1.0 - (1.0 - top) * 2.0 / 3.0) / 2.0) < 0.2, f"wind {wind}")
    expect(abs(mass - 1536.0 * (1.0 + top + top * top) / 3.0) < 1.0, f"mass {mass}")
expect(abs(rows[0][3] / float(theory[theory.index("sway") + 1]) - 0.95) < 0.06, "sway of the tower")

# Sag by the cube of the height, a bit stiffer than theory.
rows, words = table("parameter_study")
expect(len(rows) == 9 and rises([row[3] for row in rows]), f"parameter_study: {rows}")
expect(all(80.0 < row[4] < 100.0 for row in rows), "sag and theory")
expect(all(abs(row[1] - 0.27 * row[0]) < 0.01 for row in rows), "mass")
within = [row[0] for row in rows if row[3] <= 1.0]
expect(f"{min(within):.1f} mm" in words[-1], words[-1])

# A beam that is cut while it swings: it loses tets and skin, opens new faces, comes to rest where its
# weight keeps it, and asks for no memory where nothing is cut.
rows, words = table("interactive")
expect(len(rows) == 6 and rises([-row[1] for row in rows]) and rises([row[2] for row in rows]),
       f"interactive: {rows}")
expect(5600 < rows[-1][3] < rows[0][3] < 5760, "the skin loses what lay on the cut")
expect(0.08 < rows[-1][4] < 0.18 and abs(rows[-1][4] - rows[-2][4]) < 0.01, "it comes to rest")
expect(words[-1].endswith(", 0 in others"), words[-1])
times = [float(word) for word in words[-2].replace(",", " ").split() if word.replace(".", "").isdigit()]
expect(times == sorted(times), words[-2])
print("examples: good")
