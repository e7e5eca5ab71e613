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
