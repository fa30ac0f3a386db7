// The zones of a port, in the notation of the configuration.

let zoneSettings = null; // As in the configuration; null without zones.
let zoneText; // The zones as the server reported them last.
let zoneEdits = 0; // Changes of this page.
let zonesOnTheWay = 0; // Changes that the server has not answered.

const presetText = (zone) => {
  const { preset, soundfont } = zone;
  const file = soundfont ? `${soundfont.split("/").at(-1)}: ` : "";
  if (preset === undefined) return file ? `${file}first preset` : "the port's preset";
  if (typeof preset === "string") return file + preset;
  // Another SoundFont has other names.
  const known = file ? null : presets.find((other) => other.bank === preset.bank && other.program === preset.program);
  return known?.name ?? `${file}${preset.bank}:${preset.program}`;
};

async function readZones() {
  return (await server.request("zones", { component: componentOf(port) })).zones;
}

function useZones(text) {
  zoneText = text;
  zoneSettings = text ? JSON.parse(text) : null;
  takeZones();
  if (view === "edit" && parameters) showZones();
}

async function loadZones() {
  if (port) useZones(await readZones());
}

// Shows what other pages and commands have changed.
async function followZones() {
  const edit = zoneEdits, shown = port;
  if (!port || barDrag || zonesOnTheWay > 0) return;
  const text = await readZones();
  if (edit === zoneEdits && shown === port && !barDrag && text !== zoneText) useZones(text);
}

function takeZones() {
  zones = (zoneSettings ?? []).map((zone) => {
    const [low, high] = readKeys(zone.keys);
    return { low, high, label: presetText(zone) };
  });
  layoutKeys();
  drawZoneBars();
  drawSoon();
}

// Sends the zones. If the server refuses them, the page shows those that are played.
async function sendZones() {
  takeZones();
  zoneEdits += 1;
  zonesOnTheWay += 1;
  const edit = zoneEdits;
  try {
    await server.request("setZones", { component: componentOf(port), zones: JSON.stringify(zoneSettings) });
    const text = await readZones();
    if (edit === zoneEdits) zoneText = text;
  } catch (error) {
    report(error);
    await loadZones().catch(() => {});
  } finally {
    zonesOnTheWay -= 1;
  }
}
