"""A client of `edgewise view` made of the standard library: WebSocket frames, pictures."""
import base64
import json
import os
import re
import socket
import struct
import subprocess
import urllib.parse


class Closed(Exception):
    """The server ended the connection."""


class Server:
    """The program with a file; ends with the block."""

    def __init__(self, program, path, *options):
        # A sanitizer keeps what is freed for a while; not so much that it looks like growth.
        sanitizer = ":".join(filter(None, (os.environ.get("ASAN_OPTIONS"), "quarantine_size_mb=8")))
        self.process = subprocess.Popen(
            [program, "view", "--no-browser", *options, path], env=dict(os.environ, ASAN_OPTIONS=sanitizer),
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        line = ""
        for line in self.process.stdout:
            if line.startswith("open "):
                break
        match = re.match(r"open http://(.+):(\d+)/\?token=(\w+)$", line.strip())
        if not match:
            raise RuntimeError(line + self.process.stderr.read())
        self.host, self.port, self.token = match[1], int(match[2]), match[3]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.terminate()
        _, errors = self.process.communicate(timeout=60)
        print(errors, end="")

    def connect(self, **options):
        return Client(self.host, self.port, options.pop("token", self.token), **options)

    def get(self, path, host=None):
        """Status and body of an HTTP request."""
        with socket.create_connection((self.host, self.port), 30) as stream:
            name = host or f"{self.host}:{self.port}"
            stream.sendall(f"GET {path} HTTP/1.1\r\nHost: {name}\r\nConnection: close\r\n\r\n".encode())
            data = b""
            while part := stream.recv(65536):
                data += part
        head, _, body = data.partition(b"\r\n\r\n")
        return int(head.split()[1]), body

    def memory(self):
        """Resident kB."""
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as status:
            return int(re.search(r"VmRSS:\s+(\d+)", status.read())[1])


class Picture:
    """Header and arrays as bytes."""

    types = {"f4": "f", "f8": "d", "i4": "i", "u4": "I"}

    def __init__(self, data):
        size, = struct.unpack_from("<I", data)
        self.header = json.loads(data[4:4 + size])
        self.data = data[4 + size:]

    def array(self, name):
        about = self.header["arrays"][name]
        n = 1
        for length in about["shape"]:
            n *= length
        return struct.unpack_from(f"<{n}{self.types[about['type']]}", self.data, about["offset"])


class Client:
    """A WebSocket. origin None: no such header. buffer: bytes that the system keeps unread, 0: its own choice."""

    def __init__(self, host, port, token, origin="", name=None, timeout=60, buffer=0):
        self.stream = socket.socket()
        if buffer:
            self.stream.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        self.stream.settimeout(timeout)
        self.stream.connect((host, port))
        self.stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.buffer, self.next_id, self.texts, self.status = b"", 1, [], 0
        name = name or f"{host}:{port}"
        head = [f"GET /socket?token={urllib.parse.quote(token)} HTTP/1.1", f"Host: {name}",
                "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
                "Sec-WebSocket-Key: " + base64.b64encode(os.urandom(16)).decode()]
        if origin is not None:
            head.append("Origin: " + (origin or f"http://{name}"))
        self.stream.sendall(("\r\n".join(head) + "\r\n\r\n").encode())
        while b"\r\n\r\n" not in self.buffer:
            part = self.stream.recv(65536)
            if not part:
                break
            self.buffer += part
        answer, _, self.buffer = self.buffer.partition(b"\r\n\r\n")
        self.status = int(answer.split()[1]) if answer else 0

    def close(self):
        self.stream.close()

    def frame(self, opcode, data, final=True):
        mask = os.urandom(4)
        n = len(data)
        head = bytes([(0x80 if final else 0) | opcode])
        head += bytes([0x80 | n]) if n < 126 else struct.pack(">BH", 0xfe, n) if n < 65536 else \
            struct.pack(">BQ", 0xff, n)
        body = bytes(b ^ mask[i & 3] for i, b in enumerate(data))
        self.stream.sendall(head + mask + body)

    def _fill(self, n):
        while len(self.buffer) < n:
            part = self.stream.recv(1 << 20)
            if not part:
                raise Closed
            self.buffer += part

    def receive(self):
        """The next text as an object, or a picture. After a timeout it may be called again."""
        while True:
            self._fill(2)
            opcode, n, begin = self.buffer[0] & 15, self.buffer[1] & 127, 2
            if n > 125:
                begin = 4 if n == 126 else 10
                self._fill(begin)
                n, = struct.unpack_from(">H" if n == 126 else ">Q", self.buffer, 2)
            self._fill(begin + n)
            data, self.buffer = self.buffer[begin:begin + n], self.buffer[begin + n:]
            if opcode == 8:
                raise Closed
            if opcode == 9:
                self.frame(10, data)
            elif opcode == 1:
                return json.loads(data)
            elif opcode == 2:
                return Picture(data)

    def post(self, do, **values):
        """Sends a command; its id."""
        number, self.next_id = self.next_id, self.next_id + 1
        self.frame(1, json.dumps({"id": number, "do": do, **values}).encode())
        return number

    def acknowledge(self, picture):
        self.frame(1, json.dumps({"do": "ack", "number": picture.header["number"]}).encode())

    def picture(self, number=0):
        """The first picture from this number on; texts on the way are in `texts`."""
        while True:
            message = self.receive()
            if isinstance(message, Picture):
                self.acknowledge(message)
                if message.header["number"] >= number:
                    return message
            else:
                self.texts.append(message)

    def answer(self, number):
        """The reply to a command with this id, and the first picture that has it in it."""
        while True:
            for text in self.texts:
                if number in (text.get("reply"), text.get("id")):
                    if "picture" not in text:
                        raise AssertionError(f"no picture follows: {text}")
                    return text, self.picture(text["picture"])
            message = self.receive()
            if isinstance(message, Picture):
                self.acknowledge(message)
            else:
                self.texts.append(message)

    def do(self, command, **values):
        """Sends a command; its reply and its picture."""
        self.texts.clear()
        return self.answer(self.post(command, **values))
