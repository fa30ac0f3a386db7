// The panel of a Portative server: a client of the control socket, over a WebSocket. Its views, and its parts in the order in
// which they follow changes.

import "./sound.js";
import "./play.js";
import "./parameters.js";
import "./zones.js";
import "./zone-editor.js";
import "./saving.js";
import "./keyboard.js";
import "./monitor.js";
import "./takes.js";
import "./audition.js";
import "./recordings.js";
import "./song.js";
import "./now.js";
import "./stage.js";
import "./undo.js";
import { $, announce, parts } from "./page.js";
import { connect, hosted, isConnected, linkParameters, refreshView, setLink } from "./server.js";

const views = ["play", "song", "edit", "monitor", "takes"];
const earlierView = () => (hosted ? "play" : views.includes(localStorage.getItem("view")) ? localStorage.getItem("view") : "play");

function chooseView(name) {
  document.body.dataset.view = name;
  // The stage view is in the link, so that it returns when the page is loaded again.
  const isStage = name === "stage";
  if (!isStage && !hosted) localStorage.setItem("view", name);
  setLink({ view: isStage ? name : undefined });
  $("view-stage").hidden = !isStage;
  for (const other of views) {
    const tab = $(`tab-${other}`);
    tab.setAttribute("aria-selected", `${other === name}`);
    tab.tabIndex = other === name ? 0 : -1;
    $(`view-${other}`).hidden = other !== name;
  }
  announce("viewChanged");
  refreshView();
  announce("draw");
}
$("stage-open").onclick = () => {
  chooseView("stage");
  $("stage-next").focus();
};
function leaveStage() {
  chooseView(earlierView());
  $("stage-open").focus();
}
$("stage-close").onclick = leaveStage;
addEventListener("keydown", (event) => {
  if (event.key === "Escape" && event.shiftKey && document.body.dataset.view === "stage") leaveStage();
});
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
const wanted = linkParameters().get("view");
chooseView(wanted === "stage" || views.includes(wanted) ? wanted : earlierView());
connect();
