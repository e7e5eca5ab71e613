"""What the check_*.py have in common: running the program, reading and writing MEDIT meshes, picking
frames out of result files. What needs no HDF5 is in checks.py, and here by the same names."""
import csv
import fcntl
import os
import sys
import tempfile

from checks import ENVIRONMENT, execute, expect, files_of, finish, run, write  # noqa: F401

try:
    import h5py
    import numpy
except ImportError as missing:
    print(f"skipped: {missing} (Debian package python3-h5py)")
    sys.exit(77)

def fill(program, surface, path, *options):
    """Fills a surface with tets; false with a message where the program was built without TetGen."""
    done = execute(program, "mesh", surface, "-o", path, *options)
    if "EW_WITH_TETGEN" in done.stderr:
        print("  skipped: the program has no TetGen")
        return False
    return expect(done.returncode == 0, f"edgewise mesh: {done.stderr}")


def has_opencl(program):
    return "opencl:" in (run(program, "devices") or "")


def has_direct_solver(program, source):
    with tempfile.TemporaryDirectory(prefix="edgewise-") as folder:
        column = os.path.join(os.path.abspath(source), "datasets", "column.yaml")
        return "no direct solver" not in execute(program, "run", column, "-o", "probe", folder=folder).stderr


def run_shipped(program, source, folder, name):
    """Runs datasets/NAME.yaml on the host; path of its results, but for their endings, or None with a message. Where
    EW_SHIPPED names a folder, as ctest does, checks that run at once share one run; none of them changes the files."""
    folder = os.path.join(os.environ.get("EW_SHIPPED", folder), name)
    os.makedirs(folder, exist_ok=True)
    done = os.path.join(folder, "done")
    with open(os.path.join(folder, "lock"), "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not os.path.exists(done):
            case = os.path.join(os.path.abspath(source), "datasets", name + ".yaml")
            if run(program, "run", case, "-o", name, "--device", "host", "--quiet", folder=folder) is None:
                return None
            write(folder, "done", "")
    return os.path.join(folder, name)


def study_mesh(source, name):
    """Path of a study mesh beside the repository, or None with a message."""
    path = os.path.join(source, "..", "shared", "datasets", "thesis", name)
    if os.path.exists(path):
        return path
    print(f"  skipped: {name} is not there")
    return None


# ---- meshes ----------------------------------------------------------------

class Mesh:
    """points [n][3]; tets [m][4] rows of points; region [m]."""

    def __init__(self, points, tets, region=None):
        self.points = numpy.asarray(points, dtype=float)
        self.tets = numpy.asarray(tets, dtype=int)
        self.region = numpy.ones(len(self.tets), int) if region is None else numpy.asarray(region)

    def volumes(self):
        corner = self.points[self.tets]
        return numpy.linalg.det(corner[:, 1:] - corner[:, :1]) / 6

    def boundary(self):
        """Faces of one tet alone: (tets, rows of FACES, ids [k][3] with the normal outwards)."""
        faces = self.tets[:, FACES].reshape(-1, 3)
        _, first, times = numpy.unique(numpy.sort(faces, axis=1), axis=0, return_index=True,
                                       return_counts=True)
        first = first[times == 1]
        return first // 4, first % 4, faces[first]


# Outward faces of a tet of positive volume, each opposite one corner.
FACES = numpy.array([(0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)])


def read_medit(path):
    with open(path) as file:
        words = iter(file.read().split())
    found = {}
    widths = {"Vertices": 4, "Triangles": 4, "Tetrahedra": 5, "TrianglesP2": 7, "TetrahedraP2": 11}
    for word in words:
        if word in widths:
            n = int(next(words))
            rows = [next(words) for _ in range(n * widths[word])]
            found[word.replace("P2", "")] = numpy.array(rows, dtype=float).reshape(n, widths[word])
    tets = found["Tetrahedra"].astype(int)
    return Mesh(found["Vertices"][:, :3], tets[:, :4] - 1, tets[:, -1])


def write_medit(path, mesh):
    with open(path, "w") as file:
        file.write(f"MeshVersionFormatted 2\nDimension 3\nVertices\n{len(mesh.points)}\n")
        file.writelines("%.17g %.17g %.17g 0\n" % tuple(p) for p in mesh.points)
        file.write(f"Tetrahedra\n{len(mesh.tets)}\n")
        file.writelines("%d %d %d %d %d\n" % (*(t + 1), r) for t, r in zip(mesh.tets, mesh.region))
        file.write("End\n")


def bent_tube(n_around=28, n_across=9):
    """A closed surface without symmetry: a ring whose axis waves and whose thickness varies."""
    around = 2 * numpy.pi * numpy.arange(n_around)[:, None] / n_around
    across = 2 * numpy.pi * numpy.arange(n_across)[None, :] / n_across
    thick = 0.25 + 0.06 * numpy.cos(around + 0.4)
    out = 1 + thick * numpy.cos(across)
    points = numpy.stack((out * numpy.cos(around), 0.8 * out * numpy.sin(around),
                          thick * numpy.sin(across) + 0.2 * numpy.cos(2 * around)), axis=2)
    i, j = numpy.indices((n_around, n_across)).reshape(2, -1)
    a, b = i * n_across + j, (i + 1) % n_around * n_across + j
    c, d = (i + 1) % n_around * n_across + (j + 1) % n_across, i * n_across + (j + 1) % n_across
    return points.reshape(-1, 3), numpy.concatenate((numpy.stack((a, b, c), 1),
                                                     numpy.stack((a, c, d), 1)))


def write_off(path, points, triangles):
    with open(path, "w") as file:
        file.write(f"OFF\n{len(points)} {len(triangles)} 0\n")
        file.writelines("%.17g %.17g %.17g\n" % tuple(p) for p in points)
        file.writelines("3 %d %d %d\n" % tuple(t) for t in triangles)


# ---- results ---------------------------------------------------------------

def read_frames(path):
    """Frames of a result file as dictionaries: Points, Tets, PointData/..., CellData/..."""
    frames = []
    with h5py.File(path, "r") as file:
        for name in sorted(file["Frames"]):
            group, frame = file["Frames"][name], {}
            group.visititems(lambda at, item, to=frame: to.update({at: item[()]})
                             if isinstance(item, h5py.Dataset) else None)
            frame["numbers"] = dict(file["Edgewise/Steps"][name].attrs)
            frames.append(frame)
    return frames


def by_id(frame, field, n):
    """A point field in the order of the input file, zero at vertices that are in no tet."""
    data = frame["PointData/" + field]
    out = numpy.zeros((n,) + data.shape[1:])
    out[frame["PointData/vertex_id"]] = data
    return out


# ---- results that must be the same -------------------------------------------

def content(path, but=()):
    """All datasets and attributes of a result but times and the attributes `but`, by name."""
    found = {}

    def keep(name, item):
        if isinstance(item, h5py.Dataset) and name != "Edgewise/summary":
            found[name] = (item.dtype.str, item.shape, numpy.asarray(item[()]).tobytes())
        for key, value in item.attrs.items():
            if not key.startswith("seconds") and key not in but:
                found[f"{name}:{key}"] = numpy.asarray(value).tobytes()
    with h5py.File(path, "r") as file:
        file.visititems(keep)
    return found


def rows(path):
    """Rows of a table but times."""
    with open(path, encoding="utf-8", newline="") as file:
        return [{key: value for key, value in row.items() if not key.startswith("seconds")}
                for row in csv.DictReader(file)]


def expect_same(folder, a, b, what, tables, but=()):
    """Two results in a folder, and their tables by these endings."""
    one, two = (content(os.path.join(folder, name + ".vtkhdf"), but) for name in (a, b))
    different = sorted(name for name in one.keys() | two.keys() if one.get(name) != two.get(name))
    expect(not different, f"{what}: {len(different)} differ: {different[:5]}")
    for ending in tables:
        expect(rows(os.path.join(folder, a + ending)) == rows(os.path.join(folder, b + ending)), f"{what}: rows{ending}")
