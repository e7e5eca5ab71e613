// The line to the program: numbered commands as JSON, their answers as promises; states as JSON, pictures as a header and arrays.
const ARRAYS = { f4: Float32Array, i4: Int32Array, u4: Uint32Array, u1: Uint8Array, f8: Float64Array };

/** A message {header, arrays by name} of bytes: length of the header, header, arrays at offsets from its end. */
export function decode(bytes) {
  const size = new DataView(bytes).getUint32(0, true), header = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 4, size)));
  const arrays = {};
  for (const [name, { type, shape, offset }] of Object.entries(header.arrays || {})) {
    arrays[name] = new ARRAYS[type](bytes.slice(4 + size + offset, 4 + size + offset + ARRAYS[type].BYTES_PER_ELEMENT * shape.reduce((a, b) => a * b, 1)));
  }
  return { header, arrays };
}

export class Connection {
  /** `on` {state, picture, error, close} hear of what comes without being asked for. */
  constructor(on) {
    this.on = on;
    this.next = 1;
    this.waiting = new Map();
    const token = new URLSearchParams(location.search).get("token") || "";
    this.socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/socket?token=${encodeURIComponent(token)}`);
    this.socket.binaryType = "arraybuffer";
    this.socket.onmessage = event => this.hear(event.data);
    this.socket.onclose = () => on.close();
  }

  hear(data) {
    if (typeof data !== "string") {
      const { header, arrays } = decode(data);
      this.on.picture(header, arrays);
      this.dropReplaced(header.done);
      this.post({ do: "ack", number: header.number });
      return;
    }
    const message = JSON.parse(data);
    if (message.kind === "state") this.on.state(message);
    const id = message.reply ?? message.id, asked = this.waiting.get(id);
    if (asked) {
      this.waiting.delete(id);
      asked(message);
    }
    if (message.error) this.on.error(message.error);
  }

  /** A drag that a later one replaced has no answer. */
  dropReplaced(done) {
    for (const [id, resolve] of this.waiting) {
      if (id >= done) continue;
      this.waiting.delete(id);
      resolve(null);
    }
  }

  post(message) { if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message)); }

  /** Do a command; the answer, or null where the program refused (its line has been shown). */
  do(name, values = {}) {
    const id = this.next++;
    this.post({ id, do: name, ...values });
    return new Promise(resolve => this.waiting.set(id, answer => resolve(answer && !answer.error ? answer : null)));
  }
}
