"""Bodies and cases that `edgewise view` sets up: commands that must be done, faces by their places, what is changed in a case."""
import difflib
import os

import numpy
from checks import expect


def changed_lines(folder, text, name="saved.yaml"):
    """The lines of the case that are no more, and the new ones."""
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        lines = [line for line in difflib.ndiff(text.splitlines(), file.read().splitlines()) if line[0] in "+-"]
    return [line[2:] for line in lines if line[0] == "-"], [line[2:] for line in lines if line[0] == "+"]


def do(client, command, **values):
    reply, picture = client.do(command, **values)
    expect("error" not in reply, f"{command} {values}: {reply}")
    return picture


def save(client, name="saved.yaml"):
    reply, _ = client.do("save", file=name)
    expect("error" not in reply, f"save: {reply}")
    return reply


def faces_of(picture, place):
    """Codes of the faces of the surface whose middles fulfil a rule."""
    x = numpy.array(picture.array("position")).reshape(-1, 3)
    middle = x[numpy.array(picture.array("triangle")).reshape(-1, 3)].mean(axis=1)
    return [int(code) for code, at in zip(picture.array("face"), middle) if place(*at)]
