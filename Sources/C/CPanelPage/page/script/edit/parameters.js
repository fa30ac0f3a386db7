// The parameters of a port, and their values.

let parameters = null;
let dragged = null;
const units = { decibels: "dB", milliseconds: "ms", seconds: "s", beats: "beats", hertz: "Hz", percent: "%", cents: "ct", semitones: "st" };

async function loadParameters() {
  if (parameters) return updateValues();
  const list = await server.list("parameters");
  const groups = new Map((list.groups ?? []).map((group) => [group.identifier, { name: group.name, rows: [] }]));
  parameters = list.items.map((parameter) => ({ ...parameter }));
  for (const parameter of parameters) {
    const group = parameter.identifier.includes(".") ? parameter.identifier.split(".")[0] : "";
    if (!groups.has(group)) groups.set(group, { name: group || "General", rows: [] });
    groups.get(group).rows.push(makeParameter(parameter));
  }
  $("parameters").replaceChildren(...[...groups.values()].filter((group) => group.rows.length > 0).map((group) =>
    make("section", { className: "card" }, make("h2", { textContent: group.name }), ...group.rows)));
  await updateValues();
  await loadControls();
}

async function updateValues() {
  const own = status?.ports.find((item) => item.name === port.name);
  // While nothing plays the port, each description has a unit of its own, with the settings of then.
  if (!own?.peaks && !own?.host) await server.request("describe", { component: componentOf(port) });
  const { values } = await server.request("values", {});
  parameters?.forEach((parameter, index) => {
    if (parameter === dragged || parameter.isSending || values[index] === undefined || parameter.value === values[index]) return;
    parameter.value = values[index];
    parameter.show();
  });
}
