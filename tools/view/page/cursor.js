// A pointer that keys move over the body, so that all that the mouse does there can be done without one: it sends the same events.

const STEP = 12, cursor = { x: 0, y: 0, mark: null, isDown: false };

function send(app, type, ctrlKey = false) {
  const { canvas } = app.stage, box = canvas.getBoundingClientRect();
  canvas.dispatchEvent(new PointerEvent(type, { bubbles: true, pointerId: 77, pointerType: "mouse", button: 0, buttons: cursor.isDown ? 1 : 0, ctrlKey, clientX: box.left + cursor.x, clientY: box.top + cursor.y }));
}

function show(app) {
  const { canvas } = app.stage;
  if (!cursor.mark) {
    cursor.mark = document.createElement("div");
    cursor.mark.id = "cursor";
    canvas.parentElement.append(cursor.mark);
    [cursor.x, cursor.y] = [canvas.clientWidth / 2, canvas.clientHeight / 2];
    canvas.addEventListener("pointermove", event => { if (event.isTrusted) hideCursor(); });
  }
  cursor.mark.hidden = false;
  cursor.mark.classList.toggle("down", cursor.isDown);
  Object.assign(cursor.mark.style, { left: `${canvas.offsetLeft + cursor.x}px`, top: `${canvas.offsetTop + cursor.y}px` });
}

export function hideCursor() { if (cursor.mark) cursor.mark.hidden = true; }

export function moveCursor(app, dx, dy) {
  const { canvas } = app.stage;
  if (cursor.mark && !cursor.mark.hidden) {
    cursor.x = Math.max(0, Math.min(canvas.clientWidth - 1, cursor.x + STEP * dx));
    cursor.y = Math.max(0, Math.min(canvas.clientHeight - 1, cursor.y + STEP * dy));
  }
  show(app);
  send(app, "pointermove");
}

/** Down where it is up and up where it is down; a click is both. */
export function pressCursor(app, ctrlKey = false) {
  cursor.isDown = !cursor.isDown;
  show(app);
  send(app, cursor.isDown ? "pointerdown" : "pointerup", ctrlKey);
}

export function clickCursor(app, ctrlKey = false) {
  if (!cursor.isDown) pressCursor(app, ctrlKey);
  pressCursor(app, ctrlKey);
}
