// Drawing by WebGL 2: bodies with a color by value, set or region, their feature edges, a section plane; the triangle under a pixel.
import { normalize } from "./vector.js";

const VERTEX = `#version 300 es
uniform mat4 matrix;
uniform float factor, explode;
uniform vec4 plane; // shown where dot(plane.xyz, place) <= plane.w
in vec3 position, displacement, normal, away;
in float value;
in vec4 tint;
out vec3 outward;
out float scalar, beyond;
out vec4 paint;
flat out int triangle;
void main() {
  outward = normal;
  scalar = value;
  paint = tint;
  beyond = dot(plane.xyz, position) - plane.w;
  triangle = gl_VertexID / 3;
  gl_Position = matrix * vec4(position + factor * displacement + explode * away, 1);
}`;

const SURFACE = `#version 300 es
precision highp float;
precision highp int;
uniform vec3 back, toLight, base;
uniform vec2 range;
uniform sampler2D colors;
uniform bool byValue, closed; // closed: a surface whose triangles face outward
in vec3 outward;
in float scalar, beyond;
in vec4 paint;
out vec4 color;
void main() {
  if (beyond > 0.0) discard;
  vec3 n = normalize(outward);
  if (dot(n, back) < 0.0) n = -n;
  vec3 body = base;
  if (byValue && !isnan(scalar)) {
    float part = range.y != range.x ? (scalar - range.x) / (range.y - range.x) : 0.5;
    body = texture(colors, vec2(clamp(part, 0.002, 0.998), 0.5)).rgb;
  }
  body = mix(body, paint.rgb, paint.a);
  if (closed && !gl_FrontFacing) body = mix(base, vec3(0.5), 0.5); // seen from inside, through a section
  float light = 0.58 + 0.34 * max(dot(n, toLight), 0.0) + 0.14 * max(dot(n, back), 0.0);
  color = vec4(body * light, 1);
}`;

const LINE = `#version 300 es
precision highp float;
uniform vec4 ink;
in float beyond;
out vec4 color;
void main() {
  if (beyond > 0.0) discard;
  color = ink;
}`;

const PICK = `#version 300 es
precision highp float;
precision highp int;
in float beyond;
flat in int triangle;
out vec4 color;
void main() {
  if (beyond > 0.0) discard;
  int id = triangle + 1;
  color = vec4(id & 255, id >> 8 & 255, id >> 16 & 255, 255) / 255.0;
}`;

const ATTRIBUTES = { position: 3, displacement: 3, normal: 3, away: 3, value: 1, tint: 4 };
const NOWHERE = [0, 0, 0, 1];

function build(gl, fragment) {
  const program = gl.createProgram();
  for (const [kind, source] of [[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
    gl.attachShader(program, shader);
  }
  Object.keys(ATTRIBUTES).forEach((name, i) => gl.bindAttribLocation(program, i, name));
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
  const place = {};
  for (let i = 0; i < gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS); ++i) {
    const { name } = gl.getActiveUniform(program, i);
    place[name] = gl.getUniformLocation(program, name);
  }
  return { program, place };
}

/** Buffers of corners or line ends; missing attributes are constant. The arrays stay here, for a context that comes back is empty. */
class Batch {
  constructor(renderer) {
    this.gl = renderer.gl;
    this.others = renderer.batches.add(this);
    this.count = 0;
    this.data = {};
    this.make();
  }

  make() {
    this.array = this.gl.createVertexArray();
    this.buffer = {};
    for (const [name, data] of Object.entries(this.data)) this.set(name, data);
  }

  set(name, data) {
    this.data[name] = data;
    const { gl } = this, at = Object.keys(ATTRIBUTES).indexOf(name), bytes = data instanceof Uint8Array;
    gl.bindVertexArray(this.array);
    if (!data.length) { gl.disableVertexAttribArray(at); return; }
    this.buffer[name] ??= gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer[name]);
    gl.bufferData(gl.ARRAY_BUFFER, data, gl.DYNAMIC_DRAW);
    gl.enableVertexAttribArray(at);
    gl.vertexAttribPointer(at, ATTRIBUTES[name], bytes ? gl.UNSIGNED_BYTE : gl.FLOAT, bytes, 0, 0);
    if (name === "position") this.count = data.length / 3;
  }

  draw(mode) {
    const { gl } = this;
    if (!this.count) return;
    gl.bindVertexArray(this.array);
    for (const name of ["displacement", "normal", "away", "value", "tint"]) {
      if (!this.buffer[name]) gl.vertexAttrib4f(Object.keys(ATTRIBUTES).indexOf(name), 0, 0, 0, 0);
    }
    gl.drawArrays(mode, 0, this.count);
  }

  free() {
    this.others.delete(this);
    Object.values(this.buffer).forEach(buffer => this.gl.deleteBuffer(buffer));
    this.gl.deleteVertexArray(this.array);
  }
}

export class Renderer {
  /** Throws where the browser has no WebGL 2. `change(why)` is called when it takes the context away, and without a reason when it
   * has given it back, with all that was in it. */
  constructor(canvas, change) {
    const gl = canvas.getContext("webgl2", { antialias: true, preserveDrawingBuffer: true });
    if (!gl) throw new Error("This browser has no WebGL 2: switch on hardware acceleration, or use a newer browser");
    this.gl = gl;
    this.canvas = canvas;
    this.batches = new Set();
    this.make();
    canvas.addEventListener("webglcontextlost", event => {
      event.preventDefault(); // else it does not come back
      change("The browser took WebGL away, for want of memory or of its graphics");
    });
    canvas.addEventListener("webglcontextrestored", () => {
      this.make();
      this.batches.forEach(batch => batch.make());
      change(null);
    });
  }

  make() {
    const { gl } = this;
    this.surface = build(gl, SURFACE);
    this.line = build(gl, LINE);
    this.pickProgram = build(gl, PICK);
    this.colors = gl.createTexture();
    this.target = null;
  }

  batch() { return new Batch(this); }

  setScale(texels) {
    const { gl } = this;
    gl.bindTexture(gl.TEXTURE_2D, this.colors);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, texels.length / 4, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, texels);
    for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, name, gl.NEAREST);
    for (const name of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.texParameteri(gl.TEXTURE_2D, name, gl.CLAMP_TO_EDGE);
  }

  resize() {
    const ratio = window.devicePixelRatio || 1, { canvas } = this;
    const width = Math.max(1, Math.round(canvas.clientWidth * ratio)), height = Math.max(1, Math.round(canvas.clientHeight * ratio));
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  }

  begin() {
    const { gl } = this;
    this.resize();
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.viewport(0, 0, this.canvas.width, this.canvas.height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.enable(gl.DEPTH_TEST);
    gl.depthFunc(gl.LEQUAL);
  }

  /** Draw in one part {x, y, width, height} of the canvas, in pixels of the page from its top left corner. */
  viewport(view) {
    const ratio = this.canvas.width / this.canvas.clientWidth;
    this.gl.viewport(view.x * ratio, this.canvas.height - (view.y + view.height) * ratio, view.width * ratio, view.height * ratio);
  }

  use({ program, place }, camera, aspect, how) {
    const { gl } = this;
    gl.useProgram(program);
    gl.uniformMatrix4fv(place.matrix, false, camera.matrix(aspect));
    gl.uniform1f(place.factor, how.factor);
    gl.uniform1f(place.explode, how.explode || 0);
    gl.uniform4fv(place.plane, how.plane || NOWHERE);
  }

  drawSurface(batch, camera, aspect, how) {
    const { gl } = this, { place } = this.surface, { right, up, back } = camera.axes();
    this.use(this.surface, camera, aspect, how);
    gl.uniform3fv(place.back, back);
    gl.uniform3fv(place.toLight, normalize([0, 1, 2].map(i => back[i] + 0.9 * up[i] - 0.5 * right[i])));
    gl.uniform3fv(place.base, how.base);
    gl.uniform2fv(place.range, how.range);
    gl.uniform1i(place.byValue, how.byValue ? 1 : 0);
    gl.uniform1i(place.closed, how.closed ? 1 : 0);
    gl.bindTexture(gl.TEXTURE_2D, this.colors);
    gl.enable(gl.POLYGON_OFFSET_FILL);
    gl.polygonOffset(1, 2);
    batch.draw(gl.TRIANGLES);
    gl.disable(gl.POLYGON_OFFSET_FILL);
  }

  drawLines(batch, camera, aspect, how) {
    const { gl } = this;
    this.use(this.line, camera, aspect, how);
    gl.uniform4fv(this.line.place.ink, how.ink);
    gl.enable(gl.BLEND);
    gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    batch.draw(gl.LINES);
    gl.disable(gl.BLEND);
  }

  /** Triangles of a batch that are seen in a rectangle of a view, by pixel of the page from the view's top left corner: a Map from
   * triangle to its number of pixels. */
  trianglesIn(batch, camera, view, how, rectangle) {
    const { gl } = this, width = Math.round(view.width), height = Math.round(view.height);
    if (!this.target || this.target.width !== width || this.target.height !== height) this.makeTarget(width, height);
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.target.frame);
    gl.viewport(0, 0, width, height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.enable(gl.DEPTH_TEST);
    this.use(this.pickProgram, camera, view.width / view.height, how);
    batch.draw(gl.TRIANGLES);
    const x = Math.max(0, Math.floor(rectangle.x)), w = Math.min(width, Math.ceil(rectangle.x + rectangle.width)) - x;
    const top = Math.max(0, Math.floor(rectangle.y)), h = Math.min(height, Math.ceil(rectangle.y + rectangle.height)) - top;
    const seen = new Map();
    if (w > 0 && h > 0) {
      const pixels = new Uint8Array(4 * w * h);
      gl.readPixels(x, height - top - h, w, h, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
      for (let i = 0; i < pixels.length; i += 4) {
        const id = pixels[i] + 256 * pixels[i + 1] + 65536 * pixels[i + 2] - 1;
        if (id >= 0) seen.set(id, (seen.get(id) || 0) + 1);
      }
    }
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    return seen;
  }

  makeTarget(width, height) {
    const { gl } = this;
    if (this.target) {
      gl.deleteFramebuffer(this.target.frame);
      this.target.parts.forEach(part => gl.deleteRenderbuffer(part));
    }
    const frame = gl.createFramebuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, frame);
    const parts = [[gl.COLOR_ATTACHMENT0, gl.RGBA8], [gl.DEPTH_ATTACHMENT, gl.DEPTH_COMPONENT24]].map(([at, format]) => {
      const part = gl.createRenderbuffer();
      gl.bindRenderbuffer(gl.RENDERBUFFER, part);
      gl.renderbufferStorage(gl.RENDERBUFFER, format, width, height);
      gl.framebufferRenderbuffer(gl.FRAMEBUFFER, at, gl.RENDERBUFFER, part);
      return part;
    });
    this.target = { frame, parts, width, height };
  }
}
