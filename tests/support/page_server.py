"""A server with the protocol of tools/view/README.md for tests of the page alone: a bent bar, sets by their faces, and a record of
the commands that came."""
import base64
import hashlib
import json
import os
import socket
import struct
import threading
from array import array

SIZE = (24, 4, 4)  # squares along x, y, z, each 0.01 long


def bar():
    """Places, triangles (outward) and their squares' sides of a bar's surface."""
    row, place, triangle, side = {}, [], [], []

    def vertex(point):
        if point not in row:
            row[point] = len(place)
            place.append([0.01 * x for x in point])
        return row[point]

    for axis in range(3):
        u, v = (axis + 1) % 3, (axis + 2) % 3
        for end in (0, SIZE[axis]):
            for i in range(SIZE[u]):
                for j in range(SIZE[v]):
                    corner = []
                    for a, b in ((0, 0), (1, 0), (1, 1), (0, 1)):
                        point = [0, 0, 0]
                        point[axis], point[u], point[v] = end, i + a, j + b
                        corner.append(vertex(tuple(point)))
                    a, b, c, d = corner if end else corner[::-1]
                    triangle += [[a, b, c], [a, c, d]]
                    side += [2 * axis + (end > 0)] * 2
    return place, triangle, side


class PageServer:
    def __init__(self, folder):
        self.folder = folder
        self.commands = []
        self.place, self.triangle, self.side = bar()
        self.mask = [0] * len(self.triangle)
        self.answers = {}  # command: what it answers, or an error's line
        self.state = {"kind": "state", "file": "bar.mesh", "sets": [], "materials": [{"region": 0, "young": 2.1e11, "poisson": 0.3, "density": 7850}],
                      "loads": [], "supports": [], "parameters": [], "steps": [], "frames": 0, "journal": [], "at": 0}
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self.listener.getsockname()[1]}/"
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            threading.Thread(target=self.serve, args=(self.listener.accept()[0],), daemon=True).start()

    def picture(self, number, done):
        displacement = [[0, 0, -0.003 * (x / 0.24) ** 2] for x, _, _ in self.place]
        value = [(0.24 - x) * abs(z - 0.02) * 1e9 for x, _, z in self.place]
        n, rows = len(self.triangle), len(self.place)
        flat = {"position": ("f4", rows, 3, sum(self.place, [])), "displacement": ("f4", rows, 3, sum(displacement, [])), "value": ("f4", rows, 1, value),
                "vertex_id": ("i4", rows, 1, range(rows)), "triangle": ("i4", n, 3, sum(self.triangle, [])), "tet": ("i4", n, 1, range(n)),
                "face": ("i4", n, 1, range(0, 4 * n, 4)), "face_set": ("u4", n, 1, self.mask)}
        body, arrays = b"", {}
        for name, (kind, count, columns, data) in flat.items():
            arrays[name] = {"type": kind, "shape": [count, columns], "offset": len(body)}
            body += array({"f4": "f", "i4": "i", "u4": "I"}[kind], data).tobytes()
            body += b"\0" * (-len(body) % 8)
        header = json.dumps({"kind": "picture", "number": number, "done": done, "mode": "statics", "time": 0, "playing": False, "n_tet": n, "n_live": n,
                             "n_vertex": rows, "iterations": 7, "blocks": 12, "error": 0.04, "stages": {"solve": 1.5, "total": 2.0}, "message": "",
                             "field": {"name": "von Mises stress", "unit": "Pa"}, "arrays": arrays}).encode()
        header += b" " * (-len(header) % 4)
        return struct.pack("<I", len(header)) + header + body

    def do(self, command):
        """Its answer; the state as it is then."""
        self.commands.append(command)
        name, state = command["do"], self.state
        if isinstance(self.answers.get(name), str):
            return {"id": command["id"], "error": self.answers[name]}
        if name == "set":
            faces = {code // 4 for code in command["faces"]}
            for t in faces:
                self.mask[t] |= 1 << len(state["sets"])
            state["sets"].append({"name": command["name"], "kind": "faces", "count": len(faces), "area": 0.5e-4 * len(faces)})
        if name == "support":
            state["supports"].append({"set": command["set"], "fixed": command["fixed"]})
        if name == "load_add":
            state["loads"].append({key: command[key] for key in ("type", "set", "value")})
        return {"reply": command["id"], **self.answers.get(name, {})}

    def serve(self, line):
        try:
            request = b""
            while b"\r\n\r\n" not in request:
                request += line.recv(4096)
            path = request.split()[1].decode().split("?")[0]
            if path == "/socket":
                self.talk(line, request)
                return
            file = os.path.join(self.folder, os.path.basename(path) or "index.html")
            data = open(file, "rb").read() if os.path.isfile(file) else b""
            kind = {"html": "text/html", "css": "text/css", "js": "text/javascript"}.get(file.rsplit(".", 1)[-1], "text/plain")
            line.sendall(f"HTTP/1.1 200 OK\r\nContent-Type: {kind}; charset=utf-8\r\nContent-Length: {len(data)}\r\nConnection: close\r\n\r\n".encode() + data)
            line.close()
        except (OSError, IndexError):
            line.close()

    def talk(self, line, request):
        key = next(text.split(b": ")[1] for text in request.split(b"\r\n") if text.lower().startswith(b"sec-websocket-key"))
        accept = base64.b64encode(hashlib.sha1(key + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest())
        line.sendall(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: " + accept + b"\r\n\r\n")
        number = 1
        send(line, json.dumps(self.state).encode(), 1)
        send(line, self.picture(number, 0), 2)
        while True:
            data = receive(line)
            if data is None:
                return
            command = json.loads(data)
            if command["do"] == "ack":
                continue
            send(line, json.dumps(self.do(command)).encode(), 1)
            number += 1
            send(line, json.dumps(self.state).encode(), 1)
            send(line, self.picture(number, command["id"]), 2)


def send(line, data, kind):
    n = len(data)
    size = bytes([n]) if n < 126 else bytes([126]) + struct.pack(">H", n) if n < 65536 else bytes([127]) + struct.pack(">Q", n)
    line.sendall(bytes([128 | kind]) + size + data)


def exact(line, n):
    data = b""
    while len(data) < n:
        part = line.recv(n - len(data))
        if not part:
            raise OSError("closed")
        data += part
    return data


def receive(line):
    """Text of the next message; None: the end."""
    head = exact(line, 2)
    n = head[1] & 127
    if n > 125:
        n = struct.unpack(">H" if n == 126 else ">Q", exact(line, 2 if n == 126 else 8))[0]
    mask = exact(line, 4)
    data = exact(line, n)
    return None if head[0] & 15 == 8 else bytes(b ^ mask[i % 4] for i, b in enumerate(data))
