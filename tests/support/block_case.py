"""Cases of a block above a plane, for contact."""
from checks import execute, expect, write

# Text of a case that goes on with more sets; its mesh is that of make_block.
BLOCK = """mesh: block.mesh
elements: linear
material: {young: 200, poisson: 0.3, density: 1}
sets:
  foot: {plane: {point: [0, 0, 0], normal: z}, of: faces}
  top: {plane: {point: [0, 0, 1], normal: z}, of: faces}
"""


def make_block(program, folder):
    done = execute(program, "shape", "box", "--size", "1,1,1", "--cells", "3,3,2", "-o", "block.mesh", folder=folder)
    expect(done.returncode == 0, f"block.mesh: {done.stderr}")


def solve_case(program, folder, name, text, *options, status=0):
    """Runs a case with this text on the host, with its results by its name. status: None allows any."""
    write(folder, name + ".yaml", text)
    done = execute(program, "run", name + ".yaml", "-o", name, "--device", "host", *options, folder=folder)
    expect(status is None or done.returncode == status, f"{name}: exit status {done.returncode}: {done.stderr}")
    return done


# A thin plate that a load hardly lifts off a slope, so that its points close and open in turns.
PLATE = """mesh: plate.mesh
elements: quadratic
material: {young: 200, poisson: 0.45}
sets:
  foot: {plane: {point: [0, 0, 0], normal: z}, of: faces}
  top: {plane: {point: [0, 0, 1], normal: z}, of: faces}
  low: {plane: {point: [0, 0, 0], normal: x}, of: faces}
  high: {plane: {point: [40, 0, 0], normal: x}, of: faces}
constraints: [{set: low, displacement: [0, 0, 0.00378677]}, {set: high, displacement: [~, 0, -0.215586]}]
loads: [{set: top, pressure: -9.27950311322747e-05}]
contact: [{slave: foot, rigid: {plane: {point: [0, 0, -0.00811584], normal: [-0.0137872, 0, 1]}}}]
"""


def make_plate(program, folder):
    done = execute(program, "shape", "box", "--size", "40,5,1", "--cells", "8,4,3", "-o", "plate.mesh", folder=folder)
    expect(done.returncode == 0, f"plate.mesh: {done.stderr}")
