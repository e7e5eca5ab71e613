"""Nodal forces of the loads that CalculiX does not have, worked out for check_calculix.py another way
than the program does: by Gauss points on the faces and in the tets, and by the six equations of a
resultant; and the lines of those that it has."""
import json

from support import numpy

# Degree 5 on a triangle (Radon 1948): weights of the mean, barycentric coordinates.
ROOT = numpy.sqrt(15.0)
A, B = (6 - ROOT) / 21, (6 + ROOT) / 21
TRIANGLE = [(9 / 40, (1 / 3, 1 / 3, 1 / 3))]
for weight, a in (((155 - ROOT) / 1200, A), ((155 + ROOT) / 1200, B)):
    TRIANGLE += [(weight, (1 - 2 * a, a, a)), (weight, (a, 1 - 2 * a, a)), (weight, (a, a, 1 - 2 * a))]
# Degree 2 in a tet.
P, Q = (5 + 3 * numpy.sqrt(5)) / 20, (5 - numpy.sqrt(5)) / 20
TET = [(1 / 4, tuple(P if k == i else Q for k in range(4))) for i in range(4)]


def face_points(mesh, ids, area):
    """Gauss points of faces: (barycentric, places [k][3], weights [k])."""
    size = numpy.linalg.norm(area, axis=1)
    for weight, at in TRIANGLE:
        yield at, numpy.einsum("k,fkc->fc", at, mesh.points[ids]), weight * size


def spread(mesh, ids, area, traction):
    """Consistent forces of a traction given by a function of places and unit normals."""
    force = numpy.zeros_like(mesh.points)
    normal = area / numpy.linalg.norm(area, axis=1)[:, None]
    for at, place, weight in face_points(mesh, ids, area):
        value = traction(place, normal) * weight[:, None]
        for k in range(3):
            numpy.add.at(force, ids[:, k], at[k] * value)
    return force


def with_resultant(mesh, ids, area, force, moment):
    """Of the tractions a + w x x the one with this force and this moment about the origin."""
    def rigid(place, c):
        unit = numpy.eye(3)[c % 3]
        return numpy.broadcast_to(unit, place.shape) if c < 3 else numpy.cross(unit, place)

    matrix = numpy.zeros((6, 6))
    for c in range(6):
        for _, place, weight in face_points(mesh, ids, area):
            value = rigid(place, c) * weight[:, None]
            matrix[:3, c] += value.sum(0)
            matrix[3:, c] += numpy.cross(place, value).sum(0)
    part = numpy.linalg.solve(matrix, numpy.concatenate((force, moment)))
    return spread(mesh, ids, area, lambda place, _: sum(part[c] * rigid(place, c) for c in range(6)))


def bearing_pressure(area, force):
    """Pressure of each face, max(0, -q . n), whose resultant is the force: by repeated least
    squares over the faces that are pressed."""
    size = numpy.linalg.norm(area, axis=1)
    normal = area / size[:, None]
    q = numpy.array(force, dtype=float)
    for _ in range(100):
        pressed = normal @ q < 0
        matrix = (normal[pressed].T * size[pressed]) @ normal[pressed]
        q = numpy.linalg.lstsq(matrix, force, rcond=1e-9)[0]
    return numpy.maximum(0, -normal @ q)


def centrifugal(mesh, density, value):
    point, w = numpy.array(value["axis"]["point"]), numpy.array(value["axis"]["direction"])
    force, w = numpy.zeros_like(mesh.points), value["speed"] * w / numpy.linalg.norm(w)
    for weight, at in TET:
        place = numpy.einsum("k,tkc->tc", at, mesh.points[mesh.tets]) - point
        out = -numpy.cross(w, numpy.cross(w, place)) * (weight * density * mesh.volumes())[:, None]
        for k in range(4):
            numpy.add.at(force, mesh.tets[:, k], at[k] * out)
    return force


def along_cylinder(places, value):
    """Vectors whose components are radial, tangential and axial."""
    point, axis = value["cylinder"]["point"], numpy.array(value["cylinder"]["axis"])
    axis = axis / numpy.linalg.norm(axis)
    radial = places - point - numpy.outer((places - point) @ axis, axis)
    radial /= numpy.linalg.norm(radial, axis=1)[:, None]
    frame = (radial, numpy.cross(axis, radial), numpy.broadcast_to(axis, places.shape))
    return sum(v * f for v, f in zip(value["vector"], frame))


def pressure(value, place):
    out = value["value"] + (place - value.get("about", (0, 0, 0))) @ numpy.array(value["gradient"])
    return numpy.maximum(out, 0) if value.get("only_positive") else out


def forces(kind, mesh, density, chosen, ids, area, value):
    """[n][3] of a load on chosen vertices and the faces between them."""
    if kind == "moment":
        return with_resultant(mesh, ids, area, (0, 0, 0), value)
    if kind == "remote_force":
        return with_resultant(mesh, ids, area, value["force"],
                              numpy.cross(value["at"], value["force"]))
    if kind == "bearing":
        p = bearing_pressure(area, value["force"])
        force = numpy.zeros_like(mesh.points)
        for k in range(3):
            numpy.add.at(force, ids[:, k], -p[:, None] * area / 3)
        return force
    if kind == "pull":  # a total force on faces is a uniform traction
        traction = numpy.array(value["force"]) / numpy.linalg.norm(area, axis=1).sum()
        return spread(mesh, ids, area, lambda place, _: numpy.broadcast_to(traction, place.shape))
    if kind == "linear_pressure":
        return spread(mesh, ids, area, lambda place, n: -pressure(value, place)[:, None] * n)
    if kind == "cylinder_force":
        force = numpy.zeros_like(mesh.points)
        force[chosen] = along_cylinder(mesh.points[chosen], value)
        return force
    if kind == "centrifugal":
        return centrifugal(mesh, density, value)
    assert kind == "temperature"  # is no force from outside
    return numpy.zeros_like(mesh.points)


def yaml_of(kind, place, value):
    """The load as the case file has it; JSON is YAML."""
    if kind == "linear_pressure":
        words = [f"pressure: {json.dumps(value)}"]
    elif kind == "pull":
        words, place = [f"total_force: {json.dumps(value['force'])}"], place.replace("{", "{of: faces, ", 1)
    elif kind == "cylinder_force":
        words = [f"force: {json.dumps(value['vector'])}",
                 f"axes: {json.dumps({'cylinder': value['cylinder']})}"]
    else:
        words = [f"{kind}: {json.dumps(value)}"]
    return "  - {" + ", ".join(words + ([f"set: {place}"] if place else [])) + "}"


def changes(case, mesh):
    """Change of temperature of each vertex, by all loads together; None without one."""
    total = None
    for kind, box, value in case.loads:
        if kind == "temperature":
            place = mesh.points - value.get("about", (0, 0, 0))
            change = value["change"] + place @ numpy.array(value.get("gradient", (0, 0, 0)))
            some = numpy.zeros(len(mesh.points))
            chosen = slice(None) if box is None else case.select(mesh, box)
            some[chosen] = change[chosen]
            total = some if total is None else total + some
    return total
