// The ports, and the one that the page shows and plays.

let ports = [];
let port = null;
let status = null;
const componentOf = ({ type, subtype, manufacturer }) => ({ type, subtype, manufacturer });
const takesMIDI = (port) => port.type === "instrument" || port.type === "musicEffect";

async function loadPorts() {
  ports = (await server.list("report")).items.map((item) => item.port);
  const chosen = port?.name ?? localStorage.getItem("port");
  $("port").replaceChildren(...ports.map((port) => make("option", { value: port.name, textContent: port.name })));
  await choosePort(ports.find((port) => port.name === chosen) ?? ports.find(takesMIDI) ?? ports[0]);
}

async function choosePort(chosen) {
  if (!chosen) return;
  releaseAll();
  port = chosen;
  $("port").value = port.name;
  localStorage.setItem("port", port.name);
  const component = componentOf(port);
  await server.request("panel.play", takesMIDI(port) ? { component } : {});
  await server.request("describe", { component });
  parameters = null;
  await Promise.all([loadPresets(), loadZones()]);
  drawSoon();
  refreshView();
}

$("port").addEventListener("change", attempt(() => choosePort(ports.find((port) => port.name === $("port").value))));
