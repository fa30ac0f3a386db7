// Play, Edit, Monitor and Takes.

let view = "play";
const views = ["play", "edit", "monitor", "takes"];

function chooseView(name) {
  view = name;
  document.body.dataset.view = name;
  layout.width = 0;
  localStorage.setItem("view", name);
  for (const other of views) {
    const tab = $(`tab-${other}`);
    tab.setAttribute("aria-selected", `${other === name}`);
    tab.tabIndex = other === name ? 0 : -1;
    $(`view-${other}`).hidden = other !== name;
  }
  refreshView();
  drawSoon();
}
for (const name of views) $(`tab-${name}`).onclick = () => chooseView(name);
document.querySelector(".tabs").addEventListener("keydown", (event) => {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  chooseView(views[(views.indexOf(view) + step + views.length) % views.length]);
  $(`tab-${view}`).focus();
});

function refreshView() {
  if (!isConnected || !port) return;
  attempt(async () => {
    if (view === "edit") {
      await loadParameters();
      showZones();
    }
    if (view === "monitor") await loadReport();
    if (view === "takes") await loadTake();
  })();
}

// What the status does not have is requested while it is shown.
setInterval(() => {
  if (!isConnected || document.hidden) return;
  if (view === "monitor") loadReport().catch(() => {});
  if (view === "edit" && parameters) updateValues().catch(() => {});
  if (view === "edit" || view === "play") followZones().catch(() => {});
}, 1000);
