"""Bad input, one case each: the program must end with the right exit status and one line that names
file, place, rule and remedy; no result may be left behind. Usage: PROGRAM SOURCE_DIR BUILD_DIR.
Longer than 500 lines because every key has its row here."""
import os
import shutil
import subprocess
import sys
import tempfile

program, source = sys.argv[1], sys.argv[2]
passed = failed = skipped = 0

# Two tets on a face, positive, and the parts that the cases below vary.
POINTS = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1)]
TETS = [(0, 1, 2, 3), (1, 2, 3, 4)]


def medit(points=POINTS, tets=TETS, n_points=None, n_tets=None):
    lines = ["MeshVersionFormatted 2", "Dimension 3", "Vertices", str(n_points or len(points))]
    lines += [" ".join(str(c) for c in p) + " 0" for p in points]
    lines += ["Tetrahedra", str(n_tets or len(tets))]
    lines += [" ".join(str(v + 1) for v in t) + " 1" for t in tets]
    return "\n".join(lines + ["End", ""])


CASE = """mesh: part.mesh
material: {young: 1e6, poisson: 0.3, density: 1000}
sets:
  base: {plane: {point: [0, 0, 0], normal: [0, 0, 1], tolerance: 1e-9}}
constraints:
  - {set: base, displacement: [0, 0, 0]}
loads:
  - {gravity: [0, 0, -10]}
"""


def pieces(kind):
    """A block fixed at z = 0 and a second tet that shares nothing, a vertex or an edge with it."""
    points = list(POINTS)
    if kind == "apart":
        points += [(5, 0, 1), (6, 0, 1), (5, 1, 1), (5, 0, 2)]
        extra = (5, 6, 7, 8)
    elif kind == "vertex":
        points += [(2, 1, 1), (1, 2, 1), (1, 1, 2)]
        extra = (4, 5, 6, 7)
    else:
        points += [(3, 1, 2), (1, 3, 2)]
        extra = (3, 4, 5, 6)
    return medit(points, TETS + [extra])


def run(name, words, status=2, case=CASE, mesh=None, args=(), output="result", folder=None,
        command="run", prepare=None, case_name="case.yaml", keeps=()):
    """Runs one case in its own folder; every one of `words` must stand in the one line printed."""
    global passed, failed
    own = folder or tempfile.mkdtemp(prefix="edgewise-")
    try:
        if case is not None:
            with open(os.path.join(own, "case.yaml"), "w") as file:
                file.write(case)
        content = medit() if mesh is None else mesh
        if content is not False:
            mode = "wb" if isinstance(content, bytes) else "w"
            with open(os.path.join(own, "part.mesh"), mode) as file:
                file.write(content)
        if prepare:
            prepare(own)
        line = [program] + ([command, case_name, "-o", output] if command == "run" else
                            [command]) + list(args)
        done = subprocess.run(line, cwd=own, capture_output=True, text=True, timeout=120)
        error = [text for text in done.stderr.splitlines() if text.startswith("edgewise:")]
        left = [f for f in os.listdir(own) if f.startswith("result") and f not in keeps]
        problems = []
        if done.returncode != status:
            problems.append(f"exit status {done.returncode}, expected {status}")
        if len(error) != 1:
            problems.append(f"{len(error)} error lines")
        problems += [f"'{w}' is not in it" for w in words if w not in "".join(error)]
        if left:
            problems.append(f"left behind: {left}")
        if problems:
            failed += 1
            print(f"FAIL {name}: {'; '.join(problems)}\n     {done.stderr.strip()}")
        else:
            passed += 1
            print(f"ok   {name}\n     {error[0]}")
    finally:
        if not folder:
            os.chmod(own, 0o755)
            shutil.rmtree(own)


def replaced(old, new):
    assert old in CASE
    return CASE.replace(old, new)


# Meshes.
run("missing mesh", ["part.mesh", "No such file"], mesh=False)
run("truncated mesh", ["part.mesh", "Tetrahedra"], mesh=medit()[:medit().index("2 3 4 5") + 3])
run("vertex index out of range", ["part.mesh:", "12"], mesh=medit(tets=[(0, 1, 2, 11)]))
run("vertex index zero", ["part.mesh:", "0"], mesh=medit(tets=[(0, 1, 2, -1)]))
run("repeated vertex in a tet", ["part.mesh:", "twice"], mesh=medit(tets=[(0, 1, 2, 2)]))
run("tet without volume", ["part.mesh:", "volume"],
    mesh=medit(points=[(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0)], tets=[(0, 1, 2, 3)]))
run("NaN coordinate", ["part.mesh:", "finite"],
    mesh=medit(points=[(0, 0, 0), ("nan", 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1)]))
run("2^31 vertices announced", ["part.mesh:", "2147483648"], mesh=medit(n_points=2**31))
run("2^31 tets announced", ["part.mesh:", "2147483648"], mesh=medit(n_tets=2**31))
run("2^31-1 tets announced", ["part.mesh:"], mesh=medit(n_tets=2**31 - 1))
run("binary junk", ["part.mesh"], mesh=bytes(range(256)) * 40)
run("empty mesh file", ["part.mesh"], mesh="")
run("unknown ending", ["part.xyz", ".mesh"], case=replaced("part.mesh", "part.xyz"))

# Fatigue; more of it in check_fatigue.py.
BREAKS = "units: {length: m, force: N}\n" + replaced("density: 1000", "fatigue: {strength: 2e9, exponent: -0.1, ductility: 1, ductility_exponent: -0.6}")
HISTORY = "steps: [{name: a, static: {}}]\nfatigue: {method: strain_life, history: [{steps: a, ratio: 0}]}\n"
for name, words, old, new in (
        ("a key of a curve", ["case.yaml:3:", "ductilty", "ductility"], "ductility:", "ductilty:"),
        ("a rising plastic part", ["case.yaml:3:", "ductility_exponent", "from -2 to -0.001"], "-0.6", "0.6"),
        ("a cyclic curve by halves", ["case.yaml:3:", "go together"], "-0.6", "-0.6, cyclic_strength: 1e9"),
        ("a method of fatigue", ["case.yaml:11:", "'strain_lfe'", "strain_life"], "strain_life", "strain_lfe"),
        ("a rule of notches", ["case.yaml:11:", "'newber'", "neuber"], "history", "notch: newber, history"),
        ("a mean stress of strains", ["case.yaml:11:", "'morrow' or 'swt'"], "history", "mean_stress: gerber, history"),
        ("strains of wood", ["case.yaml:3:", "isotropic"], "young: 1e6, poisson: 0.3",
         "young: [1e6, 1e6, 1e6], poisson: [0.3, 0.3, 0.3], shear: [4e5, 4e5, 4e5]"),
        ("a unit of strength", ["case.yaml:3:", "strength: '2 mm' has another unit"], "2e9", "2 mm"),
        ("a history in words", ["case.yaml:11:", "history"], "[{steps: a, ratio: 0}]", "daily")):
    assert old in BREAKS + HISTORY
    run(name, words, case=(BREAKS + HISTORY).replace(old, new, 1))

# Cases.
run("missing case file", ["none.yaml", "No such file"], case_name="none.yaml")
run("not YAML", ["case.yaml:", "YAML"], case="mesh: [part.mesh\n")
run("empty case", ["case.yaml", "empty"], case="")
run("a second document", ["case.yaml:9:", "second YAML document"], case=CASE + "---\nloads: []\n")
run("a second document behind dots", ["case.yaml:11:", "the document ends above"], case=CASE + "...\n# more\nloads: []\n")
run("no YAML behind the document", ["case.yaml:10:", "not valid YAML"], case=CASE + "...\n%TAG\n")
for tag, line, given in (("!material", 2, replaced("material: {", "material: !material {")),
                         ("!!set", 3, replaced("sets:", "sets: !!set")),
                         ("!!omap", 8, replaced("  - {gravity", "  - !!omap {gravity")),
                         ("!", 2, replaced("1e6", "! 1e6")), ("!!str", 2, replaced("1e6", "!!str 1e6")),
                         ("!!int", 2, replaced("1e6", "!!int 1e6")), ("!!bool", 6, replaced("set: base", "set: !!bool base")),
                         ("!!null", 6, replaced("set: base", "set: !!null base")),
                         ("!!binary", 1, replaced("part.mesh", "!!binary part.mesh"))):
    run("the tag " + tag, [f"case.yaml:{line}:", f"the tag '{tag}'", "remove"], case=given)
run("unknown key", ["case.yaml:7:", "lods", "loads"], case=replaced("loads:", "lods:"))
run("a list for a case", ["case.yaml:1:", "output, under_constrained, not"], case="- mesh\n")
run("unknown shape", ["there is no shape 'bocks'", "box plate bracket"], command="shape", args=["bocks"])
run("misspelled shape", ["no shape 'brakcet'", "did you mean bracket?"], command="shape", args=["brakcet"])
run("a key for parts that are joined", ["case.yaml:7:", "bonded", "ties: [{slave"], case=replaced("loads:", "bonded:"))
run("unknown key inside", ["case.yaml:2:", "yong", "young"], case=replaced("young", "yong"))
ADAPT = CASE + "steps:\n  - name: a\n    edit:\n    - refine: {by: error%s}\n"
run("refine by error without a target", ["case.yaml:12", "needs until"], case=ADAPT % "")
run("refine to more than all", ["case.yaml:12", "until is 3", "at most 1"], case=ADAPT % ", until: 3")
run("refine to a word", ["case.yaml:12", "percentage", "few %"], case=ADAPT % ", until: few %")
run("refine by error and length", ["case.yaml:12", "longer_than goes with by length"],
    case=ADAPT % ", until: 3 %, longer_than: 1")
FINE = CASE + "steps:\n  - name: a\n    edit:\n    - refine: {longer_than: %s}\n"
for length in "1e-5", "1e-300", "0.2, max_tets: 100":
    run("refine to more tets than are allowed: %s" % length, ["refine", "no longer than", "are allowed", "max_tets"],
        case=FINE % length)
for length in "0", "-1", "-1e-300":
    run("refine to no length: %s" % length, ["case.yaml:12", "longer_than", "greater than 0"], case=FINE % length)
run("refine to NaN", ["case.yaml:12", "longer_than"], case=FINE % ".nan")
run("refine to one tet", ["case.yaml:12", "max_tets", "from 1"], case=FINE % "1, max_tets: 0")
run("refine as a command", ["part.mesh", "1e-300", "are allowed"], command="refine",
    args=["part.mesh", "--longer-than", "1e-300", "-o", "fine.mesh"])
run("wrong type", ["case.yaml:2:", "number", "hard"], case=replaced("1e6", "hard"))
run("vector of two", ["case.yaml:8:", "3 numbers"], case=replaced("[0, 0, -10]", "[0, -10]"))
run("infinite number", ["case.yaml:2:", "range"], case=replaced("1e6", "1e999"))
run("Poisson's ratio 0.5", ["case.yaml:2:", "0.5"], case=replaced("0.3", "0.5"))
run("negative Young's modulus", ["case.yaml:2:", "-1e+06", "greater than 0"],
    case=replaced("1e6", "-1e6"))
run("zero density", ["case.yaml:2:", "density"], case=replaced("1000}", "0}"))
WOOD = "young: [11, 1, 1], poisson: [0.3, 0.3, 0.3], shear: [1, 1, 1], density: 1"
STEEL = "young: 1e6, poisson: 0.3, density: 1000"
for name, words, material in (
        ("one Young's modulus of three", ["list of 3 numbers", "E1, E2, E3"], WOOD.replace("11, 1, 1", "11, 1")),
        ("no shear moduli", ["shear"], WOOD.replace(", shear: [1, 1, 1]", "")),
        ("a Poisson's ratio that gives energy", ["nu12 is 3.4, must be less than sqrt(E1 / E2)"],
         WOOD.replace("[0.3,", "[3.4,")),
        ("Poisson's ratios too large together", ["too large together"],
         WOOD.replace("11, 1, 1", "1, 1, 1").replace("0.3", "0.6")),
        ("shear modulus zero", ["G23 is 0"], WOOD.replace("[1, 1, 1], density", "[1, 1, 0], density")),
        ("axes that are not at right angles", ["45 degrees", "right angles"],
         WOOD + ", axes: {x: [1, 0, 0], y: [1, 1, 0]}"),
        ("axis without a direction", ["axis 2", "length > 0"], WOOD + ", axes: {x: [1, 0, 0], y: [0, 0, 0]}"),
        ("one axis", ["y"], WOOD + ", axes: {x: [1, 0, 0]}"),
        ("unknown axes", ["cilinder", "cylinder"], WOOD + ", axes: {cilinder: {point: [0, 0, 0], axis: z}}"),
        ("shear expansion of wood", ["expansion must be a list of 3"], WOOD + ", expansion: [1, 1, 1, 0, 0, 1]"),
        ("axes of an isotropic material", ["axes", "isotropic"], STEEL + ", axes: {x: [1, 0, 0], y: [0, 1, 0]}"),
        ("stiffness beside young", ["young", "remove it"], "stiffness: [3, 1, 1, 3, 1, 3, 1, 1, 1], young: 3"),
        ("ten stiffnesses", ["21 numbers", "or 9"], "stiffness: [3, 1, 1, 3, 1, 3, 1, 1, 1, 1], density: 1"),
        ("stiffnesses that are not definite", ["D33 is 0.3, must be greater than"],
         "stiffness: [3, 1, 1, 3, 1, 0.3, 1, 1, 1], density: 1")):
    run(name, ["case.yaml:2:", *words], case=replaced(STEEL, material))
run("gravity without density", ["case.yaml", "density"], case=replaced(", density: 1000", ""))
run("missing material", ["case.yaml", "material"],
    case=CASE.replace("material: {young: 1e6, poisson: 0.3, density: 1000}\n", ""))
run("region without material", ["case.yaml:2:", "region 7"],
    case=replaced("material: {young: 1e6, poisson: 0.3, density: 1000}",
                  "material: [{region: 7, young: 1e6, poisson: 0.3, density: 1000}]"))
def with_law(law):
    return replaced("density: 1000}", "density: 1000, " + law + "}")


run("a linear step forgets what flowed", ["case.yaml:11:", "step 'b' takes materials as elastic", "nonlinear"],
    case=with_law("plastic: {yield_stress: 1}") +
    "steps:\n  - {name: a, static: {nonlinear: {}}}\n  - {name: b, static: {}}\n")
run("a dynamic step forgets what flowed", ["case.yaml:11:", "step 'b' takes materials as elastic", "nonlinear: {}"],
    case=with_law("plastic: {yield_stress: 1}") +
    "steps:\n  - {name: a, static: {nonlinear: {}}}\n  - {name: b, dynamic: {step: 1, end: 2}}\n")
run("plastic without yield stress", ["case.yaml:2:", "plastic", "yield_stress"],
    case=with_law("plastic: {hardening: 1}"))
run("negative yield stress", ["case.yaml:2:", "plastic: yield_stress is -1"],
    case=with_law("plastic: {yield_stress: -1}"))
run("softening", ["case.yaml:2:", "hardening is -5; it must be finite and at least 0"],
    case=with_law("plastic: {yield_stress: 1, hardening: -5}"))
run("hardening twice", ["case.yaml:2:", "'table' or 'yield_stress'"],
    case=with_law("plastic: {yield_stress: 1, table: [[1, 0]]}"))
run("yield stress descends", ["case.yaml:2:", "the yield stress of point 2 is 0.5"],
    case=with_law("plastic: {table: [[1, 0], [0.5, 0.1]]}"))
run("plastic strain descends", ["case.yaml:2:", "the plastic strain of point 3 is 0.05"],
    case=with_law("plastic: {table: [[1, 0], [2, 0.1], [3, 0.05]]}"))
run("table of triples", ["case.yaml:2:", "two numbers"],
    case=with_law("plastic: {table: [[1, 0, 0]]}"))
run("empty table", ["case.yaml:2:", "0 points"], case=with_law("plastic: {table: []}"))
run("two laws", ["case.yaml:2:", "'plastic' or 'creep', not both"],
    case=with_law("plastic: {yield_stress: 1}, creep: {yield: 0.1, creep: 1}"))
run("unknown constant of a law", ["case.yaml:2:", "max", "did you mean 'maximum'"],
    case=with_law("creep: {yield: 0.1, creep: 1, maximun: 2}"))
run("rubber in small strains", ["case.yaml:", "'neo_hookean' is a law of strains of any size", "corotational"],
    case=with_law("neo_hookean: {}"))
run("a pressure that follows in small displacements", ["case.yaml:", "no face turns", "corotational"],
    case=CASE.replace("{gravity: [0, 0, -10]}", "{pressure: {value: 1, follower: true}, set: base}"))
run("rubber with a constant", ["case.yaml:2:", "neo_hookean must be {}"], case=with_law("neo_hookean: {c10: 1}"))
run("Mooney-Rivlin of another shear modulus", ["mooney_rivlin", "shear modulus", "young must be 5.2"],
    case=with_law("mooney_rivlin: {c10: 1, c01: 0}"))
run("rubber without a mapping", ["case.yaml:2:", "neo_hookean must be {}"], case=with_law("neo_hookean: 5"))
run("negative creep", ["case.yaml:2:", "creep is -1"],
    case=with_law("creep: {yield: 0.1, creep: -1}"))
run("region of the mesh without material",
    ["case.yaml:2:", "region 2 of the mesh has no material", "'region: 2'"],
    mesh=medit().replace("2 3 4 5 1", "2 3 4 5 2"),
    case=replaced("material: {young: 1e6, poisson: 0.3, density: 1000}",
                  "material: [{region: 1, young: 1e6, poisson: 0.3, density: 1000}]"))
run("set that nobody defined", ["case.yaml:6:", "bse", "base"], case=replaced("set: base", "set: bse"))
run("set defined by itself", ["case.yaml:4:", "itself"],
    case=replaced("base: {plane: {point: [0, 0, 0], normal: [0, 0, 1], tolerance: 1e-9}}",
                  "base: {union: [base, base]}"))
run("empty set", ["case.yaml:6:", "base", "no vertices"], case=replaced("point: [0, 0, 0]", "point: [0, 0, 9]"))
run("normal of length zero", ["case.yaml:4:", "length 0"], case=replaced("normal: [0, 0, 1]", "normal: [0, 0, 0]"))
run("unknown surface label", ["case.yaml:4:", "surface", "9"],
    case=replaced("plane: {point: [0, 0, 0], normal: [0, 0, 1], tolerance: 1e-9}", "surface: 9"))
run("pressure that meets no boundary face", ["case.yaml", "face"],
    case=replaced("gravity: [0, 0, -10]", "pressure: 1, set: {ids: [0]}"))


def load(name, words, text, status=2, case=CASE):
    """A load in place of gravity, at line 8."""
    run("load: " + name, ["case.yaml:8:", *words], status=status,
        case=case.replace("  - {gravity: [0, 0, -10]}", f"  - {{{text}}}"))


HOT = replaced("density: 1000", "expansion: 1e-5")
load("two kinds", ["moment", "load of its own"], "gravity: [0, 0, 1], moment: [0, 0, 1], set: base")
load("no kind", ["gravity", "temperature"], "set: base")
load("unknown kind", ["bearings", "bearing"], "bearings: [0, 0, 1], set: base")
load("moment without a set", ["key 'set' is missing"], "moment: [0, 0, 1]")
load("moment that meets no face", ["moment", "face"], "moment: [0, 0, 1], set: {ids: [0]}")
load("moment of two numbers", ["moment", "3 numbers"], "moment: [0, 1], set: base")
load("remote force without a place", ["key 'at' is missing"], "remote_force: {force: [0, 0, 1]}, set: base")
load("force beside all nodes", ["no vertex and no middle of a side", " mm; take the place"], "force: [0, 0, 1], at: [0.3, 0.3, 77]",
     case=CASE.rstrip() + "\nunits: {length: mm, force: N}\n")
load("bearing on a plane", ["bearing", "look one way"], "bearing: [0, 0, 1], set: base")
load("bearing without a force", ["bearing", "force is zero"], "bearing: [0, 0, 0], set: base")
load("bearing on no cylinder", ["bearing", "no cylinder about the axis"],
     "bearing: {force: [1, 1, 1], axis: [1, 1, 1]}, set: {all: true}")
for size in ("1e-200", "1e200"):
    load(f"bearing about an axis of length {size}", ["axis has length", "nearer to 1"],
         f"bearing: {{force: [1, 0, 0], axis: [0, 0, {size}]}}, set: base")
load("pressure that is a word", ["pressure", "number"], "pressure: high, set: base")
load("pressure that is a list", ["pressure must be a number, not a list"], "pressure: [1, 2, 3], set: base")
load("pressure about a place without a gradient", ["about", "gradient"],
     "pressure: {value: 1, about: [0, 0, 0]}, set: base")
load("pressure without its value", ["key 'value' is missing"], "pressure: {gradient: [0, 0, 1]}, set: base")
load("centrifugal with a set", ["takes no set"],
     "centrifugal: {axis: {point: [0, 0, 0], direction: z}, speed: 1}, set: base")
load("centrifugal at rest", ["speed is 0"],
     "centrifugal: {axis: {point: [0, 0, 0], direction: z}, speed: 0}")
load("centrifugal without a direction", ["key 'direction' is missing"],
     "centrifugal: {axis: {point: [0, 0, 0]}, speed: 1}")
load("centrifugal without density", ["centrifugal", "density"],
     "centrifugal: {axis: {point: [0, 0, 0], direction: z}, speed: 1}", case=HOT)
load("temperature without expansion", ["temperature", "expansion"], "temperature: 10")
load("temperature with a pole", ["'1 / x'", "(0, 0, 0)", "division by zero"],
     "temperature: {expression: 1 / x}", case=HOT)
load("temperature at no vertices", ["no vertices"],
     "temperature: 10, set: {sphere: {center: [9, 9, 9], radius: 1}}", case=HOT)
load("pressure along axes", ["no components"], "pressure: 1, set: base, axes: {x: [1, 0, 0], y: [0, 1, 0]}")
load("moment in cylindrical axes", ["cylindrical", "x and y"],
     "moment: [1, 0, 0], set: base, axes: {cylinder: {point: [0, 0, 0], axis: z}}")
load("axes on one line", ["line"], "force: [1, 0, 0], set: base, axes: {x: [1, 0, 0], y: [2, 0, 0]}")
load("infinite moment", ["range"], "moment: [0, 0, 1e999], set: base")
FACES = "{all: true, of: faces}"
run("sets of two kinds in a union", ["case.yaml:8:", "'base' (line 4) is of vertices", "'skin' (line 6) of faces",
                                     "of:"],
    case=replaced("constraints:\n", f"\n  skin: {FACES}\n\n  both: {{union: [base, skin]}}\nconstraints:\n"))
run("kind of set that there is not", ["case.yaml:4:", "vertices, faces, tets"],
    case=replaced("base: {plane", "base: {of: edges, plane"))
run("normal of vertices", ["case.yaml:4:", "of: faces"],
    case=replaced("base: {plane", "base: {of: vertices, normal: x, plane"))
run("angle beyond 180", ["case.yaml:5:", "at most 180"],
    case=replaced("constraints:\n", "  up: {all: true, normal: z, angle: 200}\nconstraints:\n"))
run("pressure on tets", ["case.yaml:8:", "pressure acts on faces", "of: faces"],
    case=replaced("gravity: [0, 0, -10]", "set: {all: true, of: tets}, pressure: 1"))
run("label inside the body", ["case.yaml:4:", "surface 7", "inside the body", "of: vertices"],
    mesh=medit().replace("Tetrahedra", "Triangles\n1\n2 3 4 7\nTetrahedra"),
    case=replaced("plane: {point: [0, 0, 0], normal: [0, 0, 1], tolerance: 1e-9}", "surface: 7"))
run("empty set of faces", ["case.yaml:8:", "no faces", "allow_empty"],
    case=replaced("gravity: [0, 0, -10]", "set: {box: [[8, 8, 8], [9, 9, 9]], of: faces}, pressure: 1"))
run("set before the step that makes it", ["case.yaml:8:", "made in line 13", "sets:"],
    case=replaced("gravity: [0, 0, -10]", "set: late, pressure: 1") +
    "steps:\n  - name: a\n    static: {}\n    sets:\n      late: {all: true, of: faces}\n")
run("set of another kind in a step", ["case.yaml:11:", "stays so", "of: vertices"],
    case=CASE + f"steps:\n  - static: {{}}\n    sets: {{base: {FACES}}}\n")
run("more to remove than is not protected", ["case.yaml", "decimate", "protected"],
    case=CASE + "steps:\n  - {edit: [{decimate: {fraction: 1, protect: base}}]}\n")
run("symmetry is not set", ["case.yaml:6:", "unknown key 'mirroring'", "allowed:"],
    case=replaced("{set: base, displacement: [0, 0, 0]}", "{set: base, mirroring: x}"))
run("unknown operator", ["case.yaml:10:", "operator", "matrix-free"],
    case=CASE + "steps:\n  - {name: a, static: {operator: none}}\n")
run("rigid without stored blocks", ["case.yaml:10:", "rigid", "operator: matrix-free"],
    case=CASE + "steps:\n  - {name: a, static: {operator: matrix-free, preconditioner: rigid}}\n")
run("cholesky without stored blocks", ["case.yaml:10:", "cholesky", "operator: stored"],
    case=CASE + "steps:\n  - {name: a, static: {operator: matrix-free, solver: cholesky}}\n")
run("matrix-free of quadratic tets", ["operator: stored"],
    case="elements: quadratic\n" + CASE + "steps:\n  - {name: a, static: {operator: matrix-free}}\n")
run("rigid asked for without stored blocks", ["rigid", "operator: stored"],
    case=CASE + "steps:\n  - {name: a, static: {operator: matrix-free}}\n", args=["--preconditioner", "rigid"])
run("tolerance 0", ["case.yaml", "tolerance"],
    case=CASE + "steps:\n  - {name: a, static: {tolerance: 0}}\n")
for what, step in (("", "static: {tolerance: 1e-300}"), (" of Newton", "static: {nonlinear: {tolerance: 1e-17}}"),
                   (" of a time step", "dynamic: {step: 1, steps: 1, tolerance: 1e-200}"),
                   (" of Newton in a time step", "dynamic: {step: 1, steps: 1, nonlinear: {tolerance: 1e-200}}")):
    run("a tolerance beyond double precision" + what, ["case.yaml:11:", "tolerance is 1e-", "below 1e-16"],
        case=CASE + "kinematics: corotational\nsteps:\n  - " + step + "\n")
run("a solver that does not exist", ["case.yaml:", "solver", "cg", "cholesky"],
    case=CASE + "steps:\n  - {name: a, static: {solver: lu}}\n")
run("no modes", ["case.yaml:", "modes count", "1"], case=CASE + "steps:\n  - modes: {count: 0}\n")
run("a mass that does not exist", ["case.yaml:", "lumped", "consistent"],
    case=CASE + "steps:\n  - modes: {mass: heavy}\n")
run("a key of modes", ["case.yaml:", "modes", "'count'"], case=CASE + "steps:\n  - modes: {counts: 3}\n")
run("modes in a static step", ["case.yaml:", "static, dynamic, modes, buckling or a response; write two steps"],
    case=CASE + "steps:\n  - {static: {}, modes: {}}\n")
run("buckling of nothing", ["case.yaml:", "static step before it"],
    case=CASE + "steps:\n  - buckling: {count: 2}\n")
for what, words, keys in (
        ("a cut along nothing", ["case.yaml:", "one, and only one, of: plane, sphere, cylinder, cone"], "{keep: inside}"),
        ("a cut along two surfaces", ["one, and only one"],
         "{sphere: {center: [0, 0, 0], radius: 1}, plane: {point: [0, 0, 0], normal: x}}"),
        ("a key of cut", ["unknown key 'spher'", "sphere"], "{spher: {center: [0, 0, 0], radius: 1}}"),
        ("a sphere without a radius", ["sphere", "'radius'"], "{sphere: {center: [0, 0, 0]}}"),
        ("a radius below 0", ["radius is -1", "greater than 0"], "{sphere: {center: [0, 0, 0], radius: -1}}"),
        ("a radius that is none", ["radius"], "{sphere: {center: [0, 0, 0], radius: .nan}}"),
        ("an axis without a length", ["axis has length 0"], "{cylinder: {from: [0, 0, 0], to: [0, 0, 0], radius: 1}}"),
        ("a side to keep", ["keep", "inside, outside, both, open"], "{plane: {point: [0, 0, 0], normal: x}, keep: left}"),
        ("a floor", ["floor is 2", "at most 0.9"], "{plane: {point: [0, 0, 0], normal: x}, floor: 2}"),
        ("a cut's name that is a set of another kind", ["set 'base' is of"],
         "{plane: {point: [0, 0, 0.4], normal: z}, name: base}")):
    run(what, ["case.yaml:", *words], case=CASE + "steps:\n  - edit: [{cut: " + keys + "}]\n    static: {}\n")
run("a cut that misses", ["case.yaml:", "no vertex of the body is inside the surface: it misses the body"],
    case=CASE + "steps:\n  - edit: [{cut: {sphere: {center: [50, 0, 0], radius: 1}}}]\n    static: {}\n")
run("a cut at a time with a name", ["case.yaml:", "name goes with the edits of a step"],
    case=CASE + "steps:\n  - dynamic: {step: 0.01, end: 0.1, edits: [{at: 0.05, cut: {name: x, plane: {point: [0, 0, 0.5], "
    "normal: z}}}]}\n")
REMOVAL = CASE.replace("{gravity: [0, 0, -10]}", "{set: base, force: [0, 0, 1]}") + "steps:\n  - optimise: "
for what, words, keys in (
        ("a key of optimise", ["optimise (in a step)", "'remove'"], "{remov: {volume: 0.5}}"),
        ("removal without a volume", ["remove", "'volume' is missing"], "{remove: {}}"),
        ("removal of nothing", ["volume is 1", "below 1 (100 %)"], "{remove: {volume: 100 %}}"),
        ("removal of all", ["volume is 0", "above 0"], "{remove: {volume: 0}}"),
        ("a radius of removal", ["radius is -1", "greater than 0"], "{remove: {volume: 0.5, radius: -1}}"),
        ("a rate of removal", ["rate is 2", "no more than 1"], "{remove: {volume: 0.5, rate: 200 %}}"),
        ("what comes back", ["max_restored is -0.1", "at least 0"], "{remove: {volume: 0.5, max_restored: -10 %}}"),
        ("an end of removal", ["until is 0", "above 0"], "{remove: {volume: 0.5, until: 0}}"),
        ("no rounds", ["max_rounds", "from 1"], "{remove: {volume: 0.5, max_rounds: 0}}"),
        ("no frames", ["frames", "from 1"], "{remove: {volume: 0.5, frames: 0}}"),
        ("an unknown set to protect", ["protect", "'bas'"], "{remove: {volume: 0.5, protect: bas}}"),
        ("too much to protect", ["100 % of the volume", "protect less"],
         "{remove: {volume: 0.5, protect: {all: true, of: tets}}}"),
        ("removal beside modes", ["write two steps"], "{remove: {volume: 0.5}}\n    modes: {}"),
        ("removal beside edits", ["step before it"], "{remove: {volume: 0.5}}\n    edit: [{smooth: {}}]"),
        ("removal under a weight", ["case.yaml:12:", "changes with what is removed"],
         "{remove: {volume: 0.5}}\n    loads:\n      - {gravity: [0, 0, 1]}"),
        ("removal under forces and displacements", ["do not go together"],
         "{remove: {volume: 0.5}}\n    constraints: [{set: base, displacement: [0, 0, 1]}]"),
        ("removal of large rotations", ["linear elastic"], "{remove: {volume: 0.5}}\nkinematics: corotational"),
        ("removal of mixed tets", ["linear elastic"], "{remove: {volume: 0.5}}\nelements: mixed")):
    run(what, ["case.yaml:1"] + words, case=REMOVAL + keys + "\n")
run("a direct solver with a preconditioner", ["case.yaml:", "preconditioner", "solver: cholesky"],
    case=CASE + "steps:\n  - {name: a, static: {solver: cholesky, preconditioner: rigid}}\n")
for what, words, load in (
        ("a force on no node", ["case.yaml:", "no middle of a side at (9, 0, 0)"], "{force: [1, 0, 0], at: [9, 0, 0]}"),
        ("forces at fewer places", ["2 forces at 1 places"], "{force: [[1, 0, 0], [1, 0, 0]], at: [0, 0, 0]}"),
        ("a force on a set and at a place", ["keep one"], "{set: base, force: [1, 0, 0], at: [0, 0, 0]}"),
        ("temperatures at fewer places", ["2 temperatures at 1 places"], "{temperature: [1, 2], at: [0, 0, 0]}"),
        ("two temperatures at a place", ["two temperatures"], "{temperature: 1, at: [[0, 0, 0], [0, 0, 0]]}"),
        ("axes of a temperature", ["no components"], "{temperature: 1, at: [0, 0, 0], axes: {x: x, y: y}}"),
        ("a gradient at a place", ["number"], "{temperature: {change: 1}, at: [0, 0, 0]}"),
        ("a traction at a place", ["at goes with force and temperature"], "{traction: [1, 0, 0], at: [0, 0, 0]}"),
        ("a force at a place and on nodes", ["keep one"], "{force: [1, 0, 0], at: [0, 0, 0], nodes: [0]}"),
        ("a traction on nodes", ["nodes goes with force and temperature"], "{traction: [1, 0, 0], nodes: [0]}"),
        ("forces on fewer nodes", ["2 forces at 1 places"], "{force: [[1, 0, 0], [1, 0, 0]], nodes: [0]}"),
        ("no nodes", ["list is empty"], "{force: [1, 0, 0], nodes: []}"),
        ("a node of three", ["[a, b]"], "{force: [1, 0, 0], nodes: [[0, 1, 2]]}"),
        ("a node that is not there", ["case.yaml:", "no vertex 77 in a tet"], "{force: [1, 0, 0], nodes: [0, 77]}"),
        ("a middle of no side", ["case.yaml:", "no tet has a side between the vertices"], "{force: [1, 0, 0], nodes: [[0, 4]]}"),
        ("a negative node", ["nodes"], "{force: [1, 0, 0], nodes: [-1]}"),
        ("a force at a place without its z", ["[x, y, z]"], "{force: [1, 0, 0], at: [0, 0]}")):
    run(what, words, case=CASE + "steps:\n  - {name: a, static: {}, loads: [" + load + "]}\n")
run("output field", ["case.yaml:9:", "fields", "'von_mises'"], case=CASE + "output: {fields: [displacement, von_misses]}\n")
MIXED = "elements: mixed\n" + CASE
run("linear tets of a matter that does not", ["case.yaml:2:", "0.4999999999999999", "at most 0.49999999", "mixed"],
    case=CASE.replace("poisson: 0.3", "poisson: 0.4999999999999999"))
run("mixed tets of a matter that gives way", ["case.yaml:3:", "poisson > 0"], case=MIXED.replace("poisson: 0.3", "poisson: 0"))
run("mixed tets without stored blocks", ["mixed", "operator: stored"],
    case=MIXED + "steps:\n  - {name: a, static: {operator: matrix-free}}\n")
run("elements", ["linear", "quadratic", "mixed"], case=CASE + "elements: cubic\n")
run("kinematics", ["small", "corotational"], case=CASE + "kinematics: large\n")
run("corotational mixed tets by a factor", ["mixed", "solver: cg"],
    case=CASE + "elements: mixed\nkinematics: corotational\nsteps:\n  - {static: {solver: cholesky}}\n")
run("corotational without stored blocks", ["stored blocks"],
    case=CASE + "kinematics: corotational\nsteps:\n  - {static: {operator: matrix-free}}\n")
run("buckling of small rotations behind a law", ["corotational", "nonlinear:"],
    case=CASE.replace("material: {", "material: {plastic: {yield_stress: 1}, ")
    + "steps:\n  - static: {nonlinear: {}}\n  - buckling: {}\n")
run("nothing nonlinear", ["kinematics: corotational"], case=CASE + "steps:\n  - static: {nonlinear: {steps: 3}}\n")
run("no load steps", ["steps", "1"],
    case=CASE + "kinematics: corotational\nsteps:\n  - static: {nonlinear: {steps: 0}}\n")
run("a key of nonlinear", ["nonlinear", "'halvings'"],
    case=CASE + "kinematics: corotational\nsteps:\n  - static: {nonlinear: {halving: 3}}\n")
run("a key of a nonlinear dynamic step", ["nonlinear", "'tolerance'"],
    case=CASE + "kinematics: corotational\nsteps:\n  - dynamic: {step: 1, steps: 1, nonlinear: {tolerances: 3}}\n")
for what, words, given in (("explicit steps", ["case.yaml", "tolerance", "central-difference", "nonlinear: {}"],
                            "scheme: central-difference, nonlinear: {tolerance: 1e-3}"),
                           ("a tolerance of zero", ["tolerance is 0", "> 0"], "nonlinear: {tolerance: 0}")):
    run(what, words, case=CASE + "kinematics: corotational\nsteps:\n  - dynamic: {step: 1, steps: 1, " + given + "}\n")
run("flowed, and from a result", ["case.yaml:10:", "start from a result"], case=with_law("creep: {yield: 0.1, creep: 1}") +
    "steps:\n  - dynamic: {step: 1, steps: 1, nonlinear: {}, initial: {from: {result: a.vtkhdf}}}\n")
run("a load beyond all numbers", ["nonlinear", "too large"], case=replaced("[0, 0, -10]", "[0, 0, -1e300]") +
    "kinematics: corotational\nsteps:\n  - static: {nonlinear: {}}\n")
run("a bound of a nonlinear dynamic step", ["bound", "< 1"],
    case=CASE + "kinematics: corotational\nsteps:\n  - dynamic: {step: 1, steps: 1, nonlinear: {bound: 3}}\n")
run("a tolerance of Newton", ["tolerance", "< 1"],
    case=CASE + "kinematics: corotational\nsteps:\n  - static: {nonlinear: {tolerance: 2}}\n")
run("output precision", ["case.yaml:9:", "single, double"], case=CASE + "output: {precision: half}\n")
run("output every", ["case.yaml:9:", "every"], case=CASE + "output: {every: 0}\n")
run("output key", ["case.yaml:9:", "'fields'"], case=CASE + "output: {field: [stress]}\n")
run("surface without a file", ["case.yaml:9:", "'file'"], case=CASE + "surfaces: {skin: {removed: drop}}\n")
run("output of surfaces", ["case.yaml:9:", "allowed: obj, rib"], case=CASE + "output: {surfaces: vtk}\n")
run("same step twice", ["case.yaml:", ": step 'a' stands already in line"],
    case=CASE + "steps:\n  - {name: a, static: {}}\n  - {name: a, static: {}}\n")
run("contradicting constraints", ["case.yaml:7:", "prescribed"],
    case=replaced("  - {set: base, displacement: [0, 0, 0]}\n",
                  "  - {set: base, displacement: [0, 0, 0]}\n"
                  "  - {set: base, displacement: [1, ~, ~]}\n"))

# Under-constrained: the computation fails.
run("displacement of two kinds", ["case.yaml:6:", "one kind", "spring"],
    case=replaced("displacement: [0, 0, 0]", "displacement: [0, 0, 0], spring: 5"))
run("support without a kind", ["case.yaml:6:", "displacement, velocity, symmetry"],
    case=replaced(", displacement: [0, 0, 0]", ""))
run("axes in one line", ["case.yaml:6:", "in one line"],
    case=replaced("[0, 0, 0]}\nloads", "[0, 0, 0], axes: {x: [1, 1, 0], y: [2, 2, 0]}}\nloads"))
run("axes of two kinds", ["case.yaml:6:", "or a cylinder"],
    case=replaced("[0, 0, 0]}\nloads", "[0, 0, 0], axes: {x: [1, 1, 0], cylinder: {}}}\nloads"))
run("axes of a foundation", ["case.yaml:6:", "no axes"],
    case=replaced("displacement: [0, 0, 0]}",
                  "foundation: {normal: 1}, axes: {x: [1, 1, 0], y: [0, 1, 0]}}"))
run("vertex on the axis", ["case.yaml:6:", "axis of its cylinder"],
    case=replaced("[0, 0, 0]}\nloads",
                  "[0, 0, 0], axes: {cylinder: {point: [1, 0, 0], axis: z}}}\nloads"))
EQUATION = "loads:\n"
for name, words, equations in (
        ("equations that are no list", ["case.yaml:7:", "equations must be a list"], "equations: 3"),
        ("equation without terms", ["case.yaml:7:", "terms"], "equations: [{value: 0}]"),
        ("equation with an empty list", ["case.yaml:7:", "an equation needs a term"], "equations: [{terms: []}]"),
        ("equation with a text for a value", ["case.yaml:7:", "value"],
         "equations: [{terms: [{node: 4, factor: [1, 0, 0]}], value: much}]"),
        ("equation with an unknown key", ["case.yaml:7:", "unknown key 'sum'"],
         "equations: [{terms: [{node: 4, factor: [1, 0, 0]}], sum: 0}]"),
        ("term without a factor", ["case.yaml:7:", "factor"], "equations: [{terms: [{node: 4}]}]"),
        ("term without a point", ["case.yaml:7:", "give one of them"], "equations: [{terms: [{factor: [1, 0, 0]}]}]"),
        ("term of nothing", ["case.yaml:7:", "factor is 0"], "equations: [{terms: [{node: 4, factor: [0, 0, 0]}]}]"),
        ("term at a node that is none", ["case.yaml:7:", "no vertex 9"],
         "equations: [{terms: [{node: 9, factor: [1, 0, 0]}]}]"),
        ("term at the middle of three", ["case.yaml:7:", "[a, b]"],
         "equations: [{terms: [{node: [1, 2, 3], factor: [1, 0, 0]}]}]"),
        ("term at the middle of no side", ["case.yaml:7:", "no tet has a side between the vertices 0 and 4"],
         "equations: [{terms: [{node: [0, 4], factor: [1, 0, 0]}]}]"),
        ("term on an unknown set", ["case.yaml:7:", "'there'"],
         "equations: [{terms: [{set: there, factor: [1, 0, 0]}]}]"),
        ("later term on a set of many", ["case.yaml:7:", "take a set of one"],
         "equations: [{terms: [{node: 4, factor: [1, 0, 0]}, {set: base, factor: [-1, 0, 0]}]}]"),
        ("equation against a constraint", ["case.yaml:7:", "contradicts constraints"],
         "equations: [{terms: [{node: 0, factor: [1, 0, 0]}], value: 0.1}]")):
    run(name, words, case=replaced(EQUATION, equations + "\n" + EQUATION))
for name, words, couplings in (
        ("couplings that are no list", ["couplings must be a list"], "couplings: 3"),
        ("coupling without a set", ["set"], "couplings: [{at: [0, 0, 0]}]"),
        ("coupling without a point", ["at"], "couplings: [{set: base}]"),
        ("coupling of another kind", ["kind"], "couplings: [{set: base, at: [0, 0, 0], kind: soft}]"),
        ("coupling with two components", ["list of 3"], "couplings: [{set: base, at: [0, 0, 0], displacement: [0, 0]}]"),
        ("coupling with a text for a rotation", ["rotation"], "couplings: [{set: base, at: [0, 0, 0], rotation: [much, ~, ~]}]"),
        ("coupling on an unknown set", ["'there'"], "couplings: [{set: there, at: [0, 0, 0]}]"),
        ("free distributing coupling", ["remote_force"], "couplings: [{set: base, at: [0, 0, 0], kind: distributing}]"),
        ("coupling against a constraint", ["coupling 1 contradicts"], "couplings: [{set: base, at: [0, 0, 0], displacement: [1, ~, ~]}]"),
        ("two rigid couplings of a set", ["another rigid coupling"], "couplings: [{set: base, at: [0, 0, 0]}, {set: base, at: [1, 0, 0]}]")):
    run(name, ["case.yaml:7:"] + words, case=replaced(EQUATION, couplings + "\n" + EQUATION))
for name, words, ties in (
        ("ties that are no list", ["ties must be a list"], "ties: 3"),
        ("tie with one side", ["master"], "ties: [{slave: base}]"),
        ("tie of a set with itself", ["same set"], "ties: [{slave: base, master: base}]"),
        ("tie of an unknown set", ["'there'"], "ties: [{slave: base, master: there}]"),
        ("tie without a distance", ["above 0"], "ties: [{slave: base, master: base, distance: 0}]"),
        ("tie with an unknown key", ["unknown key 'gap'"], "ties: [{gap: 0.1}]")):
    run(name, ["case.yaml:7:"] + words, case=replaced(EQUATION, ties + "\n" + EQUATION))
FAR = "{box: [[-1, -1, 0.9], [9, 9, 9]]}"
for name, words, symmetry in (
        ("a sector without a number", ["sectors"], "cyclic: {slave: base, master: %s, axis: z}" % FAR),
        ("one sector", ["from 2 to"], "cyclic: {slave: base, master: %s, axis: z, sectors: 1}" % FAR),
        ("a sector without an axis", ["axis"], "cyclic: {slave: base, master: %s, sectors: 4}" % FAR),
        ("a sector about nothing", ["axis"], "cyclic: {slave: base, master: %s, axis: [0, 0, 0], sectors: 4}" % FAR),
        ("a sector of itself", ["same set"], "cyclic: {slave: base, master: base, axis: z, sectors: 4}"),
        ("a sector whose sides are no images", ["not the image"], "cyclic: {slave: base, master: %s, axis: z, sectors: 4}" % FAR),
        ("a cell without sides", ["sides"], "periodic: {strain: [0, 0, 0, 0, 0, 0]}"),
        ("a cell with no sides in the list", ["sides is empty"], "periodic: {sides: [], strain: [1e-3, 0, 0, 0, 0, 0]}"),
        ("a cell with five strains", ["strain has 5 numbers"], "periodic: {sides: [{slave: base, master: %s}], strain: [0, 0, 0, 0, 0]}" % FAR),
        ("a cell whose strain is a word", ["strain"], "periodic: {sides: [{slave: base, master: %s}], strain: [x, 0, 0, 0, 0, 0]}" % FAR)):
    run(name, ["case.yaml:7:"] + words, case=replaced(EQUATION, symmetry + "\n" + EQUATION))
for other in "ties: [{slave: base, master: far}, {slave: far, master: base}]", "ties: [{slave: far, master: base}]\npreload: [{slave: far, master: base, force: 1}]":
    run("sides given twice", [f"case.yaml:{6 + other.count(chr(10))}:", "the entry in line 6", "each pair once"],
        case=replaced("constraints:\n", f"  far: {{box: [[-1, -1, 0.9], [9, 9, 9]]}}\n{other}\nconstraints:\n"))
for name, words, preload in (
        ("preload that is no list", ["preload must be a list"], "preload: 3"),
        ("preload without a force", ["a force or a shortening"], "preload: [{slave: base, master: {box: [[-1, -1, 0.9], [9, 9, 9]]}}]"),
        ("preload with both", ["a force or a shortening"],
         "preload: [{slave: base, master: {box: [[-1, -1, 0.9], [9, 9, 9]]}, force: 1, shortening: 1}]"),
        ("preload that pushes", ["above 0"], "preload: [{slave: base, master: {box: [[-1, -1, 0.9], [9, 9, 9]]}, force: -1}]"),
        ("preload on vertices", ["no set of faces"], "preload: [{slave: base, master: {box: [[-1, -1, 0.9], [9, 9, 9]]}, force: 1}]")):
    run(name, ["case.yaml:7:"] + words, case=replaced(EQUATION, preload + "\n" + EQUATION))
for name, words, contact in (
        ("contact that is no word", ["case.yaml:7:", "contact", "all"], "contact: some"),
        ("contact with one side", ["case.yaml:7:", "two sides"], "contact: [{slave: base}]"),
        ("contact of a set with itself", ["case.yaml:7:", "same set", "'among'"], "contact: [{slave: base, master: base}]"),
        ("contact among and between", ["case.yaml:7:", "two sides", "'among' alone"], "contact: [{slave: base, master: tip, among: tip}]"),
        ("contact of an unknown set", ["case.yaml:7:", "'there'"], "contact: [{slave: base, master: there}]"),
        ("contact without a distance", ["case.yaml:7:", "above 0"], "contact: [{distance: 0}]"),
        ("contact with an unknown key", ["case.yaml:7:", "unknown key 'glue'"], "contact: [{glue: 1}]"),
        ("contact with friction that pushes", ["case.yaml:7:", "at least 0"], "contact: [{friction: -0.1}]"),
        ("interference with large rotations", ["case.yaml:7:", "kinematics: small"],
         "contact: [{interference: 0}]\nkinematics: corotational"),
        ("a rigid body with a master", ["case.yaml:7:", "no master"], "contact: [{slave: base, master: base, rigid: {sphere: {center: [0, 0, 0], radius: 1}}}]"),
        ("a rigid body without a slave", ["case.yaml:7:", "give one"], "contact: [{rigid: {sphere: {center: [0, 0, 0], radius: 1}}}]"),
        ("a rigid body without a shape", ["case.yaml:7:", "has one of plane"], "contact: [{slave: base, rigid: {}}]"),
        ("a rigid plane without a normal", ["case.yaml:7:", "normal"], "contact: [{slave: base, rigid: {plane: {point: [0, 0, 0], normal: [0, 0, 0]}}}]"),
        ("a rigid sphere without a radius", ["case.yaml:7:", "radius"], "contact: [{slave: base, rigid: {sphere: {center: [0, 0, 0], radius: 0}}}]"),
        ("a rigid cylinder of no axis", ["case.yaml:7:", "same point"], "contact: [{slave: base, rigid: {cylinder: {from: [0, 0, 0], to: [0, 0, 0], radius: 1}}}]"),
        ("a rigid plane with an inside", ["case.yaml:7:", "turn its normal"], "contact: [{slave: base, rigid: {plane: {point: [0, 0, 0], normal: z}, inside: true}}]"),
        ("a rigid surface that is missing", ["there.stl"], "contact: [{slave: base, rigid: {surface: there.stl}}]"),
        ("a motion of no rigid body", ["case.yaml:8:", "no contact has", "'die'"],
         "contact: [{slave: base, rigid: {sphere: {center: [0, 0, 0], radius: 1}}}]\nsteps: [{static: {}, rigid: {die: {displacement: [1, 0, 0]}}}]"),
        ("a rigid body moved by modes", ["case.yaml:8:", "leave 'rigid' out"],
         "contact: [{slave: base, rigid: {name: die, sphere: {center: [0, 0, 0], radius: 1}}}]\nsteps: [{modes: {count: 1}, rigid: {die: {displacement: [1, 0, 0]}}}]"),
        ("a rigid body moved twice in a step", ["case.yaml:8:", "'die' is given twice"],
         "contact: [{slave: base, rigid: {name: die, sphere: {center: [0, 0, 0], radius: 1}}}]\nsteps: [{static: {}, rigid: {die: {displacement: [1, 0, 0]}, die: {displacement: [0, 0, 1]}}}]")):
    run(name, words, case=replaced(EQUATION, contact + "\n" + EQUATION))
for word, key in (("refine", "static: {nonlinear: {}}, edit: [{refine: {by: error, until: 3 %}}]"),
                  ("enrich", "static: {nonlinear: {}}, edit: [{enrich: {by: error, until: 3 %}}]"), ("converge", "static: {nonlinear: {}}, converge: {}")):
    run("friction and laws with " + word, ["case.yaml:", "laws of materials", word],
        case=with_law("plastic: {yield_stress: 1}") + "contact: [{friction: 0.1}]\nsteps: [{" + key + "}]\n")
run("contradicting oblique constraints", ["case.yaml:7:", "prescribed", "(0.8944"],
    case=replaced("[0, 0, 0]}\nloads", "[0, 0, 0]}\n  - {set: base, displacement: [1, ~, ~], "
                  "axes: {x: [2, 1, 0], y: [0, 1, 0]}}\nloads"))
run("spring on the axis", ["case.yaml:7:", "spring 1", "axis of its cylinder"],
    case=replaced("[0, 0, 0]}\nloads", "[0, 0, 0]}\n  - {set: base, spring: [1, 0, 0], "
                  "axes: {cylinder: {point: [1, 0, 0], axis: z}}}\nloads"))
run("foundation of a set without faces", ["case.yaml:7:", "no boundary face"],
    case=replaced("[0, 0, 0]}\nloads", "[0, 0, 0]}\n  - {set: {ids: [0]}, "
                  "foundation: {normal: 1}}\nloads"))
run("negative spring", ["case.yaml:6:", "-1", "at least 0"],
    case=replaced("displacement: [0, 0, 0]", "spring: [1, -1, 1]"))
run("spring of two numbers", ["case.yaml:6:", "list of 3"],
    case=replaced("displacement: [0, 0, 0]", "spring: [1, 1]"))
run("foundation of nothing", ["case.yaml:6:", "no stiffness"],
    case=replaced("displacement: [0, 0, 0]", "foundation: {normal: 0}"))
run("springs that leave a motion", ["case.yaml", "turns about any axis"], status=1,
    case=replaced("set: base, displacement: [0, 0, 0]", "set: {ids: [0]}, spring: 1e3"))
run("symmetry of a set with a point", ["case.yaml:6:", "normal alone"],
    case=replaced("displacement: [0, 0, 0]", "symmetry: {point: [0, 0, 0], normal: z}"))
run("symmetry without faces", ["case.yaml:6:", "no face"],
    case=replaced("set: base, displacement: [0, 0, 0]", "symmetry: {point: [-1, 0, 0], normal: x}"))
run("symmetry inside the body", ["case.yaml:6:", "both sides"],
    case=replaced("set: base, displacement: [0, 0, 0]", "symmetry: {point: [0.3, 0, 0], normal: x}"))
run("no constraints", ["case.yaml", "not constrained"], status=1,
    case=replaced("  - {set: base, displacement: [0, 0, 0]}\n", "").replace("constraints:", "constraints: []"))
run("hinge", ["case.yaml", "rotates"], status=1, case=replaced("base: {plane: {point: [0, 0, 0], normal: [0, 0, 1], tolerance: 1e-9}}",
                                               "base: {ids: [0, 1]}"))
run("two pieces, one unsupported", ["case.yaml", "1 tet"], status=1, mesh=pieces("apart"))
run("two pieces sharing one vertex", ["case.yaml", "turns about"], status=1, mesh=pieces("vertex"))
run("two pieces sharing one edge", ["case.yaml", "rotates"], status=1, mesh=pieces("edge"))
run("too few iterations", ["case.yaml", "1"], status=1,
    mesh=open(os.path.join(source, "datasets", "torus-660.mesh")).read(),
    case=replaced("point: [0, 0, 0]", "point: [0, 0, -0.25]") +
    "steps:\n  - {name: a, static: {max_iterations: 1}}\n")

FIBERS = ("material: {young: [1e9, 1e8, 1e8], poisson: [0.3, 0.3, 0.3], shear: [1e8, 1e8, 1e8], density: 1, "
          "axes: {csv: fibers.csv}}")


def with_fibers(text):
    def prepare(own):
        with open(os.path.join(own, "fibers.csv"), "w") as file:
            file.write(text * len(TETS))
    return prepare


for what, words, text in (("axes of no length", ["axis 1 is (0, 0, 0)"], "0,0,0,0,1,0\n"),
                          ("axes not at right angles", ["at 45 degrees"], "1,0,0,1,1,0\n")):
    run(what, ["case.yaml:", "axes of tet 0:", *words], prepare=with_fibers(text),
        case="\n".join(FIBERS if line.startswith("material:") else line for line in CASE.split("\n")))

# The command line.
without_opencl = "no OpenCL device;" in subprocess.run([program, "devices"], capture_output=True,
                                                      text=True).stdout
run("unknown device", ["--device host"] if without_opencl else ["device", "99.0"], args=["--device", "opencl:99.0"])
run("device that is no word", ["--device", "quantum"], args=["--device", "quantum"])
run("unknown option", ["--precsion", "--precision"], args=["--precsion", "double"])
run("unknown precision", ["--precision", "double mixed single"], args=["--precision", "half"])
run("option without value", ["--log"], args=["--log"])
run("unknown command", ["rum", "run"], command="rum", case=None, mesh=False)
run("info of nothing", ["none.mesh", "No such file"], command="info", args=["none.mesh"], case=None, mesh=False)
run("convert to nowhere", ["folder/out.mesh", "No such file"], command="convert",
    args=["part.mesh", "folder/out.mesh"], case=None)


def edit(name, words, *args):
    """An editing command on part.mesh."""
    run(name, words, command=args[0], args=[*args[1:], "-o", "result.mesh"], case=None)


edit("reversed box", ["part.mesh: --box", "first corner", "(1 > 0)"],
     "remove", "part.mesh", "--box", "1,1,1,0,0,0")
edit("remove where nothing is", ["part.mesh: --sphere", "no tets"],
     "remove", "part.mesh", "--sphere", "9,9,9,1")
edit("move where nothing is", ["part.mesh: --cylinder", "no vertices"],
     "move", "part.mesh", "--cylinder", "9,9,9,9,9,10,1", "--by", "0,0,1")
edit("region without its order", ["--region goes with --order region"],
     "decimate", "part.mesh", "--region", "1")
edit("order without its region", ["--order region needs --region"],
     "decimate", "part.mesh", "--order", "region")
edit("axis of a random order", ["--axis goes with --order axis or region"],
     "decimate", "part.mesh", "--order", "random", "--axis", "y")
edit("seed of an order that is not random", ["--seed goes with --order random"],
     "decimate", "part.mesh", "--seed", "7")
edit("move without a distance", ["move needs one, and only one, of: --by"], "move", "part.mesh", "--ids", "0")
edit("scale without a factor", ["--factor FX,FY,FZ"], "scale", "part.mesh")
edit("adding a mesh that is not there", ["edgewise: none.mesh: cannot be opened"],
     "add", "part.mesh", "none.mesh")

# Outputs.
run("output in no folder", ["folder", "No such file"], output="folder/result")
if os.geteuid() == 0:
    skipped += 1
    print("skip folder without permission: root may write anywhere")
else:
    run("folder without permission", ["denied"], prepare=lambda own: os.chmod(own, 0o555))


# Files that would be written twice, or over what is read.
for log in ("result.csv", "./result.vtkhdf", "result.xdmf", "result.partial.csv", "result.checkpoint", "result.pvd",
            "result.000007.vtu"):
    run("a log where results go: " + log, [log, "results there, too"], args=["--log", log])
for mesh, log in ("out.mesh", "./out.mesh"), ("out.node", "out.ele"):
    run("a log where the mesh goes: " + log, [log, "mesh there, too"], args=["--mesh", mesh, "--log", log])


def with_include(own):
    for name, text in (("nodes.inp", "*NODE\n1, 0, 0, 0\n2, 1, 0, 0\n3, 0, 1, 0\n4, 0, 0, 1\n"),
                       ("whole.inp", "*INCLUDE, INPUT=nodes.inp\n*ELEMENT, TYPE=C3D4\n1, 1, 2, 3, 4\n")):
        with open(os.path.join(own, name), "w") as file:
            file.write(text)


for name, command, args in (("convert", "convert", ["whole.inp", "nodes.inp"]), ("edit", "smooth", ["whole.inp", "-o", "./nodes.inp"]),
                            ("a run", "run", ["--mesh", "nodes.inp"])):
    run("a file that the mesh includes as output of " + name, ["nodes.inp", "would overwrite an input file"],
        command=command, args=args, prepare=with_include, case=replaced("part.mesh", "whole.inp"))


def full_disk():
    global skipped
    place = tempfile.mkdtemp(prefix="edgewise-full-")
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", place],
                             capture_output=True)
    if mounted.returncode:
        skipped += 1
        print("skip disk full: mounting a small tmpfs is not allowed here")
        os.rmdir(place)
        return
    try:
        mesh = os.path.abspath(os.path.join(source, "datasets", "torus-5400.mesh"))
        run("disk full", ["result", "space", "--resume"], folder=place, mesh=False,
            keeps=["result.checkpoint"],
            case=CASE.replace("part.mesh", mesh)
            .replace("point: [0, 0, 0]", "point: [0, 0, -0.25]"))
    finally:
        subprocess.run(["umount", place])
        os.rmdir(place)


full_disk()
print(f"{passed} passed, {failed} failed, {skipped} skipped")
sys.exit(1 if failed else 0)
