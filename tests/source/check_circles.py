"""Files of a module call each other in one direction. A circle, files that refer to each other's
symbols in a loop, is an error. Folders of drivers stand above the rest of their module: no other file of it takes
their symbols.

    python3 check_circles.py PROGRAM SOURCE_DIR BUILD_DIR
"""
import shutil
import subprocess
import sys
from pathlib import Path

SKIP = 77
DRIVERS = ("model/solve/", "model/dynamics/", "model/modes/")


def read_symbols(source_dir, build):
    """{source: (symbols that its object file defines, symbols that it takes from others)}."""
    objects = {}
    for path in build.glob("CMakeFiles/*_objects.dir/lib/**/*.o"):
        source = path.relative_to(build).as_posix().split("/lib/", 1)[1].removesuffix(".o")
        if (source_dir / "lib" / source).is_file():  # else left by an earlier build
            objects[str(path)] = source
    symbols = {source: (set(), set()) for source in objects.values()}
    lines = subprocess.run(["nm", "-A", *objects], capture_output=True, text=True, check=True).stdout if objects else ""
    for line in lines.splitlines():
        path, _, rest = line.partition(":")
        kind, name = rest.split()[-2:]
        defined, taken = symbols[objects[path]]
        if kind in "TDRBCVWi":
            defined.add(name)
        elif kind in "Uw":
            taken.add(name)
    return symbols


def link_files(symbols):
    """{source: sources of the same module whose symbols it takes}."""
    owner = {name: source for source, (defined, _) in symbols.items() for name in defined}
    graph = {}
    for source, (_, taken) in symbols.items():
        module = source.split("/")[0]
        others = {owner[name] for name in taken if name in owner}
        graph[source] = {other for other in others if other != source and other.split("/")[0] == module}
    return graph


def reachable(graph, start):
    """All files that start leads to, by one arrow or more."""
    found, waiting = set(), list(graph[start])
    while waiting:
        file = waiting.pop()
        if file not in found:
            found.add(file)
            waiting.extend(graph[file])
    return found


def main():
    source_dir, build = Path(sys.argv[2]), Path(sys.argv[3])
    if not shutil.which("nm"):
        print("check_circles: skipped, needs nm (Debian package binutils)")
        return SKIP
    graph = link_files(read_symbols(source_dir, build))
    if not graph:
        print(f"check_circles: {build} holds no object files")
        return 1
    ahead = {file: reachable(graph, file) for file in graph}
    circles = {file for file in graph if file in ahead[file]}
    failed = 0
    for file in sorted(circles):
        closing = sorted(other for other in graph[file] if file in ahead[other])
        print(f"lib/{file}: is in a circle of calls through {', '.join(closing)}: move what two files need to a third")
        failed = 1
    for file in sorted(file for file in graph if not file.startswith(DRIVERS)):
        for other in sorted(other for other in graph[file] if other.startswith(DRIVERS)):
            print(f"lib/{file}: calls {other}, a driver, which stands above it")
            failed = 1
    print(f"{len(graph)} files, " + (f"{len(circles)} of them in circles" if circles else "no circles"))
    return failed


sys.exit(main())
