"""The user's guide: its cases are written, its commands run in their order, in one folder; what they say and their exit
status are as the guide has it. Usage: PROGRAM SOURCE_DIR BUILD_DIR."""
import os
import re
import shlex
import shutil
import sys
import tempfile

from checks import execute, expect, finish, write

program, source = sys.argv[1], sys.argv[2]


def run_line(line, folder):
    """edgewise WORDS   # says TEXT, says TEXT, exit status N"""
    command, _, comment = line.partition("#")
    words = shlex.split(command)
    says = [text.strip() for text in re.findall(r"says ([^,]+)", comment)]
    status = int((re.findall(r"exit status (\d)", comment) or ["0"])[0])
    expect(words and words[0] == "edgewise", f"not a command: {line}")
    done = execute(program, *words[1:], folder=folder)
    told = done.stdout + done.stderr
    if "this build has no" in told or "needs the program edgewise-gmsh" in told:
        print(f"  without {command}: {told.strip().splitlines()[-1]}")
        return
    expect(done.returncode == status, f"{command}: exit status {done.returncode}: {told[-300:]}")
    for text in says:
        expect(text in told, f"{command}: '{text}' is not in {told[-1500:]}")


def main():
    with open(os.path.join(source, "datasets", "GUIDE.md"), encoding="utf-8") as file:
        guide = file.read()
    questions = re.findall(r"^## (\d+)\. .*\?$", guide, re.M)
    expect([int(n) for n in questions] == list(range(1, len(questions) + 1)) and len(questions) >= 20,
           f"questions {questions}")
    for link in re.findall(r"\]\(([^)]+)\)", guide):
        expect(os.path.exists(os.path.join(source, "datasets", link.split("#")[0])), f"a link to {link}")
    n_case = n_line = 0
    with tempfile.TemporaryDirectory(prefix="edgewise-") as folder:
        shutil.copy(os.path.join(source, "datasets", "bracket.step"), folder)
        for kind, text in re.findall(r"```(\w+)\n(.*?)```", guide, re.S):
            if kind == "yaml":
                name = text.splitlines()[0].removeprefix("# ")
                expect(re.fullmatch(r"\w+\.yaml", name), f"a case without a name: {name}")
                write(folder, name, text)
                n_case += 1
            else:
                for line in text.splitlines():
                    run_line(line, folder)
                    n_line += 1
    return finish(f"guide: {n_case} cases, {n_line} commands")


sys.exit(main())
