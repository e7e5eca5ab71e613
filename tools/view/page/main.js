// Start of the page: the stage, the line to the program, keys.
import { App } from "./app.js";
import { Connection } from "./connection.js";
import { drawHead, listenToKeys, theme } from "./keys.js";

function fail(line) {
  const box = document.getElementById("message");
  box.textContent = line;
  box.classList.add("bad");
  box.hidden = false;
}

function start() {
  let app;
  try {
    app = new App();
  } catch (error) {
    fail(error.message);
    return;
  }
  app.connection = new Connection({
    state: state => app.hearState(state),
    picture: (header, arrays) => app.hearPicture(header, arrays),
    error: line => app.tell(line, true),
    close: () => fail("The program has ended or the line to it was lost: start edgewise view again, or load this page again"),
  });
  const dark = localStorage.getItem("edgewise-theme") || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  document.documentElement.dataset.theme = dark;
  drawHead(app);
  listenToKeys(app);
  document.getElementById("message").addEventListener("click", event => { event.target.hidden = true; });
  theme(app, dark);
  window.edgewise = app; // for tests and for the browser's console
}

start();
