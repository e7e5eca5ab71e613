"""The server of `edgewise view` from outside: what it prints and serves, who gets in, hostile and
malformed messages, a client that never acknowledges, several clients, a lost connection, its end."""
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

import checks
from checks import expect as check
from view_client import Closed, Picture, Server

program, source, build = sys.argv[1:4]
beam = f"{source}/datasets/beam.yaml"
N_HOSTILE = int(os.environ.get("EW_EDITS", "1500"))


def check_entry(server):
    status, body = server.get("/")
    check(status == 200 and b"<html" in body, "the page is served")
    check(server.get("/../etc/passwd")[0] >= 400 and server.get("/no.js")[0] == 404, "no other files")
    check(server.get("/", host="evil.example")[0] == 403, "another host's name is refused")
    for what, options in {
            "a wrong token": {"token": "0" * 32}, "no token": {"token": ""},
            "a long token": {"token": "a" * 5000},
            "another origin": {"origin": "http://evil.example"},
            "a null origin": {"origin": "null"},
            "another name": {"name": f"evil.example:{server.port}"},
            "a longer name": {"name": f"localhost.evil.example:{server.port}"}}.items():
        client = server.connect(**options)
        check(client.status == 403, f"{what} is refused by 403, not by {client.status}")
        client.close()
    pages = [server.connect() for _ in range(16)]
    check(all(page.status == 101 for page in pages), "16 pages get in")
    for page in pages:  # one that has a picture is counted
        page.picture()
    check(server.connect().status == 503, "a 17th is told that there are so many")
    for page in pages:
        page.close()
    deadline = time.time() + 10
    while server.connect().status != 101 and time.time() < deadline:
        time.sleep(0.05)
    for name in f"localhost:{server.port}", "localhost:8000":
        client = server.connect(name=name)
        check(client.status == 101, f"the own page gets in as {name}")
        client.close()


def check_commands(server):
    client = server.connect()
    first = client.picture()
    n, m = first.header["arrays"]["position"]["shape"][0], first.header["arrays"]["tet"]["shape"][0]
    check(max(first.array("triangle")) == n - 1 and min(first.array("value")) > 0,
          "the first picture is a surface with its stress")
    face = first.array("face")[m // 2]
    reply, picture = client.do("remove", face=face, radius=0)
    check("reply" in reply and picture.header["n_tet"] == first.header["n_tet"] - 1, "a tet goes")
    reply, again = client.do("undo")
    check(again.array("value") == first.array("value") and
          again.array("displacement") == first.array("displacement"), "an undo gives the same bits")
    reply, same = client.do("remove", tets=[1 << 40])
    check("error" in reply and "\n" not in reply["error"], "a refusal is one line")
    check("position" not in same.header["arrays"], "a surface that the client has is not sent again")
    check(again.header["error"] is None and 0.01 < client.picture().header["error"] < 1,
          "the error is estimated once there is time")
    reply, _ = client.do("mode", mode="dynamics")
    client.do("play", dt=1e-5)
    moving = [client.picture() for _ in range(5)]
    times = [p.header["time"] for p in moving]
    check(times == sorted(times) and times[-1] > times[0], "time goes on in pictures")
    client.do("pause")
    client.do("goto", at=0)
    client.close()


def check_drags(server):
    """Of drags that wait the last is done: all ids pass, not all have a reply."""
    client = server.connect()
    picture = client.picture()
    vertex = picture.array("vertex_id")[0]
    place = picture.array("position")[:3]
    ids = [client.post("pull", vertex=vertex, to=[place[0], place[1] + 1e-5 * k, place[2]])
           for k in range(60)]
    client.answer(ids[-1])
    done = [t["reply"] for t in client.texts if t.get("reply") in ids]
    check(ids[-1] in done and done == sorted(done), "the last of a drag is done")
    client.do("goto", at=0)
    client.close()


def hostile(rng):
    """Opcode and bytes of a frame."""
    kind = rng.randrange(8)
    good = json.dumps({"id": rng.randrange(1, 1 << 40), "do": rng.choice(
        ["remove", "fix", "pull", "load", "step", "goto", "cut", "refine", "mode", "state", "ack", "weld", "field", "section", "x"]),
        "tolerance": rng.choice([-1, "a", None, 1e300]), "sides": rng.choice([[], [[1, 2]], [[0, 0, 0, "a"]], 3, [[0] * 4] * 9]),
        "index": rng.choice([-1, 1e9, "a"]), "value": rng.choice([[], [1], ["a"], {}]), "name": rng.choice(["", 3, "velocity", "x" * 99]), "of": rng.choice([1, "x"]),
        "tets": [rng.randrange(-5, 99999999)], "vertex": rng.choice([-1, 0.5, 1e300, "a", None, []]),
        "vertices": rng.choice([[], [1e99], {}, "a"]), "at": rng.choice([-1, 1e300, "x"]),
        "to": [1, "2", None], "face": rng.choice([-1, 1e18, True]), "n": rng.choice([0, -1, 1e9]),
        "mode": rng.choice(["", 1, "statics"]), "point": [0, 0, 0], "normal": [0, 0, 0]}).encode()
    if kind == 0:
        return 1, bytes(rng.randrange(256) for _ in range(rng.randrange(200)))
    if kind == 1:
        return 1, good[:rng.randrange(len(good))]
    if kind == 2:
        data = bytearray(good)
        for _ in range(3):
            data[rng.randrange(len(data))] = rng.randrange(256)
        return 1, bytes(data)
    if kind == 3:
        return 1, b"[" * rng.randrange(1, 5000)
    if kind == 4:
        return rng.choice([1, 2]), rng.choice([b"", b"null", b"[]", b"1e999", b'"a"', b"{}"])
    if kind == 5:
        return 2, good
    return 1, good


def drain(client):
    """Waits until all that was sent before is done: an unknown command is answered behind it."""
    while True:
        number, reply = client.post("x"), {}
        while number not in (reply.get("reply"), reply.get("id")):
            message = client.receive()
            if isinstance(message, Picture):
                client.acknowledge(message)
            else:
                reply = message
        if "commands wait" not in reply.get("error", ""):
            return
        time.sleep(0.05)


def check_hostile(server):
    """Each connection may be ended for it; the next one gets in, and sees the body as it was."""
    rng, client, n_closed = random.Random(3), server.connect(), 0
    before = client.picture()
    for _ in range(N_HOSTILE):
        try:
            opcode, data = hostile(rng)
            client.frame(opcode, data, rng.random() > 0.02)
            client.stream.settimeout(0.0005)
            while True:
                message = client.receive()
                if isinstance(message, Picture):
                    client.stream.settimeout(5)
                    client.acknowledge(message)
                    client.stream.settimeout(0.0005)
        except TimeoutError:
            pass
        except (Closed, OSError):
            n_closed += 1
            client.close()
            client = server.connect()
    client.close()
    client = server.connect()
    check(client.status == 101 and server.process.poll() is None, "the server lives on")
    drain(client)
    picture = client.picture()
    check(picture.array("value") == before.array("value"), "hostile messages change nothing")
    check(n_closed > 0, "many broken messages end a connection")
    client.close()


def check_slow_client(server):
    """One never reads or acknowledges, one goes without a word: the third sees each change, memory stays."""
    silent, lost, client = server.connect(buffer=4096), server.connect(), server.connect()
    first = client.picture()
    vertex, place = first.array("vertex_id")[0], first.array("position")[:3]
    lost.close()
    memory = 0
    for k in range(240):
        _, picture = client.do("pull", vertex=vertex, to=[place[0], place[1], place[2] + 1e-5 * (k % 7)])
        memory = server.memory() if k == 120 else memory
        if N_HOSTILE > 1500 and k == 200:
            time.sleep(11)  # longer than the server waits for a client that takes nothing
    check(not picture.header["message"], "each drag is answered")
    client.do("goto", at=0)
    check(server.memory() < memory + 80000, "memory does not grow with pictures that nobody takes")
    got = 0
    silent.stream.settimeout(0.5)
    try:
        while True:
            got += isinstance(silent.receive(), Picture)
    except (TimeoutError, Closed):
        pass
    check(got == 2, f"without acknowledgement two pictures come, not {got}")
    for one in silent, client:
        one.close()


def check_end():
    with Server(program, beam, "--grace", "0.3") as server:
        client = server.connect()
        client.picture()
        client.close()
        check(server.process.wait(timeout=30) == 0, "the program ends with its page")
    with Server(program, f"{source}/datasets/beam.mesh") as server:
        client = server.connect()
        picture = client.picture()
        check("constrained" in picture.header["message"], "a mesh without supports says so")
        client.do("fix", face=picture.array("face")[0], radius=0.2)
        check(not client.do("load", face=picture.array("face")[-1], radius=0.1, force=[0, 0, 1])[1]
              .header["message"], "and is solved once it has some")
        client.post("quit")
        check(server.process.wait(timeout=30) == 0, "the program ends by quit")
    with Server(program, beam) as server:
        server.process.send_signal(signal.SIGINT)
        check(server.process.wait(timeout=30) == -signal.SIGINT, "and by Ctrl-C")


def state_of(client, wanted):
    """The first state that is as wanted."""
    while True:
        text = client.texts.pop(0) if client.texts else client.receive()
        if not isinstance(text, Picture) and text.get("kind") == "state" and wanted(text):
            return text


def check_broken():
    """The page says what is wrong with a file, and opens it as soon as it is repaired."""
    with tempfile.TemporaryDirectory() as folder:
        whole = {}
        for name in "beam.yaml", "beam.mesh":
            with open(f"{source}/datasets/{name}", encoding="utf-8") as data:
                whole[name] = data.read()
        flat = "MeshVersionFormatted 2\nDimension 3\nVertices\n4\n0 0 0 0\n1 0 0 0\n0 1 0 0\n1 1 0 0\nTetrahedra\n1\n1 2 3 4 0\nEnd\n"
        good_mesh, good_case = ("beam.mesh", whole["beam.mesh"]), ("part.yaml", whole["beam.yaml"])
        young = whole["beam.yaml"].replace("young: 210e9", "young: -1")
        for shown, texts, words, cure in [
                ("part.yaml", [("part.yaml", "mesh: ["), good_mesh], "part.yaml:2: not valid YAML", good_case),
                ("part.yaml", [("part.yaml", young), good_mesh], "young is -1", good_case),
                ("part.yaml", [good_case], "beam.mesh: cannot be opened", good_mesh),
                ("part.yaml", [good_case, ("beam.mesh", whole["beam.mesh"].replace("0.1", "nan", 1))], "beam.mesh:", good_mesh),
                ("beam.mesh", [("beam.mesh", flat)], "no usable volume", good_mesh),
                ("beam.mesh", [("beam.mesh", flat.replace("\n1\n1 2 3 4 0", "\n0"))], "no tets", good_mesh)]:
            for name in os.listdir(folder):
                os.remove(f"{folder}/{name}")
            for name, text in texts:
                checks.write(folder, name, text)
            with Server(program, f"{folder}/{shown}") as server:
                client = server.connect()
                trouble = state_of(client, lambda state: "trouble" in state)["trouble"]
                check(words in trouble and "\n" not in trouble, f"{words}: the page says '{trouble}'")
                client.post("undo")
                check(client.receive().get("error") == trouble, "a command is refused by the same line")
                checks.write(folder, *cure)
                state = state_of(client, lambda state: "trouble" not in state)
                check(state["mesh"] and client.picture().header["n_tet"] > 1000, f"{words}: repaired, it is not opened")
        checks.write(folder, "nan.mesh", whole["beam.mesh"].replace("0.1", "nan", 1))
        with Server(program, f"{folder}/nan.mesh") as server:
            server.connect().post("quit")
            check(server.process.wait(timeout=30) == 0, "quit ends the program")
        refuse([(["--picture", f"{folder}/x.png", f"{folder}/nan.mesh"], "nan.mesh")])


def check_refusals():
    refuse([(["no.mesh"], "no.mesh"), ([f"{source}/README.md"], "README.md"),
            (["--port", "70000", beam], "65535"), (["--listen", "192.0.2.1", beam], "listen")])


def refuse(calls):
    for arguments, words in calls:
        run = subprocess.run([program, "view", "--no-browser", *arguments], capture_output=True,
                             text=True, timeout=60)
        check(run.returncode == 2 and words in run.stderr and run.stderr.count("\n") == 1,
              f"{arguments[-1]} is refused in one line: {run.stderr}")


with open(f"{build}/CMakeCache.txt", encoding="utf-8") as cache:
    if "EW_WITH_VIEW:BOOL=ON" not in cache.read():
        print("skipped: built without the page (EW_WITH_VIEW)")
        sys.exit(77)
with Server(program, beam, "--grace", "600") as running:
    for part in check_entry, check_commands, check_drags, check_hostile, check_slow_client:
        start = time.time()
        part(running)
        print(f"{part.__name__}: {time.time() - start:.1f} s", flush=True)
check_end()
check_broken()
check_refusals()
sys.exit(checks.n_bad > 0)
