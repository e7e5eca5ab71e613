"""Habits that a machine can look after: words that the project does not use, and files that grow.

check_source.py PROGRAM SOURCE BUILD

A word stands here with what to say instead. A line that must have one (a name that others chose, an
old key) is listed in ALLOWED. A file has at most 500 lines, or a comment among its first 30 that
begins "Longer than 500 lines because"."""

import pathlib
import re
import sys

FOLDERS = ["lib", "kernels", "tools", "tests", "bench", "datasets"]
TEXTS = {".c", ".h", ".in", ".cpp", ".cl", ".py", ".md", ".sh", ".cmake", ".awk", ".yaml"}
CODE = {".c", ".h", ".cpp", ".cl", ".py"}
MAX_LINES = 500

WORDS = {
    r"held": "constrained, fixed, kept",
    r"unheld": "a word of its own",
    r"loose": "under-constrained, separate",
    r"row defects?": "row sum",
    r"right sides?": "right-hand side",
    r"walk(s|ed|ing)?": "element loop, loop over, path",
    r"mend(s|ed|ing)?": "fix, repair, remedy",
    r"anew": "again, recomputed, rebuilt",
    r"told from|tells? (it|them|these) from": "distinguish",
    r"ew_case \*one": "ew_case *input",
    r"\w*neighbour\w*": "neighbor",
    r"\w*colour\w*": "color",
    r"\w*behaviour\w*": "behavior",
    r"\w*favour\w*": "favor",
    r"\w*centre\w*": "center",
    r"\w*labell(ed|ing)": "labeled",
    r"\w*cancell(ed|ing)": "canceled",
    r"licences?": "license",
    r"(\w*_)?analys(e|ed|ing)": "analyze",
    r"\w*(initial|normal|optim|organ|recogn|tetrahedral|factor|penal|minim|maxim|summar)is(e|ed|es|ing|ation)":
        "-ize",
    r"\w+_least|least_\w+": "min",
    r"\w+_most|most_\w+": "max",
    r"\w+_(ptr|idx)": "begin, count, item as in ew_rows",
}
ALLOWED = [
    r"loose_pieces",  # a key of version 0.1
    r"\boptimise\b",  # a key of cases
    r"H5Lget_name_by_idx",
    r"std::(shared|unique)_ptr",
    r"CentreOfMass|StepVisual_FillAreaStyleColour|\.FillAreaStyleColour|FillColour",  # of OpenCASCADE
    r"COLOUR_RGB|FILL_AREA_STYLE_COLOUR",  # of STEP
]
FOUND = re.compile("|".join(rf"\b(?:{word})\b" for word in WORDS), re.I)
ALLOW = re.compile("|".join(ALLOWED))


def files(source):
    """Texts of the project: not what a build made."""
    for path in sorted(source.iterdir()):
        if path.is_file() and (path.suffix in TEXTS or path.name == "CMakeLists.txt"):
            yield path
    for folder in FOLDERS:
        for path in sorted((source / folder).rglob("*")):
            if path.is_file() and (path.suffix in TEXTS or path.name == "CMakeLists.txt"):
                yield path


def remedy(found):
    for word, instead in WORDS.items():
        if re.fullmatch(word, found, re.I):
            return instead
    return "another word"


def main():
    source = pathlib.Path(sys.argv[2])
    faults, n_file = [], 0
    for path in files(source):
        name = path.relative_to(source)
        lines = path.read_text(encoding="utf-8").splitlines()
        n_file += 1
        if name != pathlib.Path("tests/source/check_source.py"):
            for number, line in enumerate(lines, 1):
                for found in FOUND.finditer(ALLOW.sub("", line)):
                    faults.append(f"{name}:{number}: '{found.group()}': say "
                                  f"{remedy(found.group())}")
        reason = "Longer than 500 lines because" in " ".join(" ".join(lines[:30]).split())
        if path.suffix in CODE and len(lines) > MAX_LINES and not reason:
            faults.append(f"{name}: {len(lines)} lines; at most {MAX_LINES}, or a reason near its "
                          "top: \"Longer than 500 lines because\"")
    if faults or n_file < 100:
        sys.exit("\n".join(faults) or f"only {n_file} files found in {source}")
    print(f"{n_file} files keep to the words and the lengths")


main()
