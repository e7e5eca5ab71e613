"""What the scripts share that make a page of measured numbers: arguments, tables, the machine."""
import argparse
import os

HERE = os.path.dirname(os.path.abspath(__file__))


def page_arguments(about, page):
    """Folder of the numbers and file of the page, both of which may be given."""
    parser = argparse.ArgumentParser(description=about.splitlines()[0])
    parser.add_argument("folder", nargs="?", default=os.path.join(HERE, "measured"),
                        help="where the numbers are (bench/measured)")
    parser.add_argument("page", nargs="?", default=os.path.join(HERE, page),
                        help=f"what is written (bench/{page})")
    given = parser.parse_args()
    return given.folder, given.page


def machine_of(folder, name):
    """What is noted of the machine, as a block of a page; nothing where nothing is."""
    path = os.path.join(folder, name)
    if not os.path.exists(path):
        return ""
    with open(path, encoding="utf-8") as file:
        return f"```\n{file.read()}```\n\n"


def number(value):
    return f"{value:.2f}" if value < 10 else f"{value:.1f}" if value < 100 else f"{value:,.0f}"


def table(head, rows):
    if not rows:
        return "Not measured.\n"
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"
