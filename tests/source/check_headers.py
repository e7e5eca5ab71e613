"""The public headers as others use them: each compiles alone, as C11 and as C++11, without a
warning; what the shared libraries export is what the headers declare, no more and no less; and
<edgewise/edgewise.h> has at most MAX_FUNCTIONS, for what most programs need.

check_headers.py PROGRAM SOURCE BUILD"""

import pathlib
import re
import subprocess
import sys
import tempfile

MAX_FUNCTIONS = 200
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def cached(build, name):
    text = (build / "CMakeCache.txt").read_text()
    found = re.search(rf"^{name}:[A-Z]+=(.*)$", text, re.M)
    return found.group(1) if found else ""


def compile_alone(compiler, standard, language, header, include, folder):
    source = folder / f"one.{language}"
    source.write_text(f"#include <edgewise/{header}>\nint main(void) {{ return 0; }}\n")
    run(compiler, f"-std={standard}", *WARNINGS, f"-I{include}", "-fsyntax-only", source)


def declared(compiler, header, include, folder):
    """Functions and data that a header and what it includes declare, static ones left out."""
    source = folder / "declared.c"
    source.write_text(f"#include <edgewise/{header}>\n")
    text = run(compiler, "-std=c11", "-E", "-P", f"-I{include}", source)
    text = re.sub(r"^\s*#.*$", "", text, flags=re.M)
    while "{" in text:  # bodies, structs and enums, from the inside out
        text = re.sub(r"\{[^{}]*\}", " ;", text)
    text = re.sub(r"__attribute__\s*\(\(.*?\)\)\)?", " ", text)
    names = set()
    for part in text.split(";"):
        part = " ".join(part.split())
        if part.startswith(("typedef", "static", "struct", "enum", "union")) and "(" not in part:
            continue
        if part.startswith(("typedef", "static")):
            continue
        function = re.search(r"\b(ew_\w+) ?\(", part)
        if function:
            names.add(function.group(1))
        elif part.startswith("extern"):
            names.update(re.findall(r"\b(ew_\w+)(?=\[| ?,|$)", re.sub(r"\[.*?\]", "", part)))
    return names


def exported(compiler, build, library, folder):
    """By the shared library, or by one made of the static one's objects."""
    shared = build / f"lib{library}.so"
    if not shared.exists():
        shared = folder / f"lib{library}.so"
        run(compiler, "-shared", "-o", shared, "-Wl,--whole-archive", build / f"lib{library}.a",
            "-Wl,--no-whole-archive")
    table = run("nm", "-D", "--defined-only", shared)
    names = {line.split()[2] for line in table.splitlines()}
    return {name for name in names if not name.startswith("_")}


def compare(library, offered, names):
    hidden, extra = sorted(offered - names), sorted(names - offered)
    if hidden:
        sys.exit(f"{library}: declared by public headers, but not exported: {' '.join(hidden)}")
    if extra:
        sys.exit(f"{library}: exported, but in no public header: {' '.join(extra)}")
    print(f"{library}: {len(names)} names exported, all declared")


def main():
    build = pathlib.Path(sys.argv[3])
    include = build / "include"
    compiler = cached(build, "CMAKE_C_COMPILER")
    headers = sorted(path.relative_to(include / "edgewise").as_posix()
                     for path in (include / "edgewise").rglob("*.h"))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for header in headers:
            compile_alone(compiler, "c11", "c", header, include, folder)
            compile_alone(cached(build, "CMAKE_CXX_COMPILER") or "c++", "c++11", "cpp", header,
                          include, folder)
        print(f"{len(headers)} headers compile alone as C11 and as C++11")

        first = {name for name in declared(compiler, "edgewise.h", include, folder) if name.startswith("ew_")}
        print(f"edgewise.h: {len(first)} functions and data")
        if len(first) > MAX_FUNCTIONS:
            sys.exit(f"edgewise.h declares {len(first)} functions and data, more than {MAX_FUNCTIONS}: move those that "
                     "few programs need to lib/MODULE/parts")
        core = declared(compiler, "parts.h", include, folder)
        compare("edgewise", core, exported(compiler, build, "edgewise", folder))
        study = (declared(compiler, "study.h", include, folder) |
                 declared(compiler, "scene.h", include, folder)) - core
        compare("edgewise_study", study, exported(compiler, build, "edgewise_study", folder))
        for library in ("tetgen", "cholmod"):
            if cached(build, f"EW_WITH_{library.upper()}") == "ON":
                own = declared(compiler, f"{library}.h", include, folder) - core
                compare(f"edgewise_{library}", own,
                        exported(compiler, build, f"edgewise_{library}", folder))


main()
