// The panel of a Portative server: a client of the control socket, over a WebSocket. Its views, and its parts in the order in
// which they follow changes.

import "./play.js";
import "./parameters.js";
import "./zones.js";
import "./zone-editor.js";
import "./saving.js";
import "./keyboard.js";
import "./monitor.js";
import "./takes.js";
import { $, announce, parts } from "./page.js";
import { connect, isConnected, refreshView } from "./server.js";

const views = ["play", "edit", "monitor", "takes"];

function chooseView(name) {
  document.body.dataset.view = name;
  localStorage.setItem("view", name);
  for (const other of views) {
    const tab = $(`tab-${other}`);
    tab.setAttribute("aria-selected", `${other === name}`);
    tab.tabIndex = other === name ? 0 : -1;
    $(`view-${other}`).hidden = other !== name;
  }
  refreshView();
  announce("draw");
}
for (const name of views) $(`tab-${name}`).onclick = () => chooseView(name);
document.querySelector(".tabs").addEventListener("keydown", (event) => {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  const next = views[(views.indexOf(document.body.dataset.view) + step + views.length) % views.length];
  chooseView(next);
  $(`tab-${next}`).focus();
});

// What the status does not have is requested while it is shown.
setInterval(() => {
  if (!isConnected || document.hidden) return;
  for (const part of parts) part.update?.().catch(() => {});
}, 1000);

new ResizeObserver(() => announce("draw")).observe(document.body);
chooseView(views.includes(localStorage.getItem("view")) ? localStorage.getItem("view") : "play");
connect();
