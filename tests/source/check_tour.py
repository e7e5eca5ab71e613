"""The functions that lib/tour.md names stand in the files that it names.

    python3 check_tour.py PROGRAM SOURCE_DIR BUILD_DIR"""
import re
import sys
from pathlib import Path

source = Path(sys.argv[2])
n_row, wrong = 0, []
for line in (source / "lib" / "tour.md").read_text().splitlines():
    cells = [cell.strip() for cell in line.strip("|").split("|")]
    files = re.findall(r"lib/[\w/]+\.[ch]", cells[1]) if len(cells) == 3 else []
    if not files:
        continue
    n_row += 1
    text = "\n".join((source / name).read_text() for name in files if (source / name).is_file())
    for function in re.findall(r"`(\w+)`", cells[0]):
        if not re.search(rf"^[\w *]*\b{function}\([^;{{]*\)\s*\{{", text, re.M):
            wrong.append(f"lib/tour.md: {function} does not stand in {cells[1]}")
print("\n".join(wrong) or f"{n_row} rows name functions where they stand")
sys.exit(bool(wrong) or not n_row)
