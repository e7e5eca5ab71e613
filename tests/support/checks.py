"""What all check_*.py have in common: running the program, files in a folder, and counting what is wrong."""
import os
import subprocess

# On shared cores threads that wait must sleep, else each of many short loops waits for them.
ENVIRONMENT = dict(os.environ, OMP_WAIT_POLICY="passive")
n_bad = 0


def expect(right, what):
    global n_bad
    if not right:
        n_bad += 1
        print(f"  wrong: {what}")
    return right


def execute(program, *words, folder=None, **options):
    return subprocess.run([program, *map(str, words)], cwd=folder, capture_output=True, text=True,
                          timeout=1200, env=ENVIRONMENT, **options)


def run(program, *words, status=0, folder=None):
    """Output of the program; None when the exit status is another one than expected."""
    done = execute(program, *words, folder=folder)
    line = "edgewise " + " ".join(map(str, words))
    right = expect(done.returncode == status,
                   f"{line}: exit status {done.returncode}\n{done.stdout[-500:]}{done.stderr[-500:]}")
    return done.stdout if right else None


def write(folder, name, text):
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        file.write(text)


def files_of(folder, name):
    """Endings of the files that begin with this name."""
    return sorted(f[len(name):] for f in os.listdir(folder) if f.startswith(name + "."))


def finish(name):
    print(f"{name}: {n_bad} wrong")
    return 1 if n_bad else 0


# On three faces of the unit cube's corner, and one beyond.
TWO_TETS = """MeshVersionFormatted 2
Dimension 3
Vertices
5
0 0 0 0
1 0 0 0
0 1 0 0
0 0 1 0
1 1 1 0
Tetrahedra
2
1 2 3 4 1
2 3 4 5 1
End
"""
