// The zones of a port, in the notation of the configuration.

let zoneSettings = null; // As in the configuration; null without zones.

const parseKeys = (keys) => {
  const number = (text) => {
    const match = /^([A-Ga-g])([#♯b♭]?)(-?\d+)$/.exec(text.trim());
    if (!match) return Number(text);
    const offset = { c: 0, d: 2, e: 4, f: 5, g: 7, a: 9, b: 11 }[match[1].toLowerCase()];
    return (Number(match[3]) + 1) * 12 + offset + ("#♯".includes(match[2]) && match[2] ? 1 : match[2] ? -1 : 0);
  };
  if (keys === undefined || keys === null) return [0, 127];
  if (Array.isArray(keys)) return [keys[0], keys[1]];
  const parts = `${keys}`.split("..");
  if (parts.length === 1) return [number(parts[0]), number(parts[0])];
  return [parts[0] ? number(parts[0]) : 0, parts[1] ? number(parts[1]) : 127];
};
const presetText = (preset) => {
  if (preset === undefined) return "the port's preset";
  if (typeof preset === "string") return preset;
  return presets.find((other) => other.bank === preset.bank && other.program === preset.program)?.name ?? `${preset.bank}:${preset.program}`;
};

async function loadZones() {
  if (!port) return;
  const answer = await server.request("zones", { component: componentOf(port) });
  zoneSettings = answer.zones ? JSON.parse(answer.zones) : null;
  takeZones();
  if (view === "edit") showZones();
}

function takeZones() {
  zones = (zoneSettings ?? []).map((zone) => {
    const [low, high] = parseKeys(zone.keys);
    return { low, high, label: presetText(zone.preset) };
  });
  layoutKeys();
  drawSoon();
}

const sendZones = attempt(async () => {
  takeZones();
  drawZoneBars();
  await server.request("setZones", { component: componentOf(port), zones: JSON.stringify(zoneSettings) });
});
