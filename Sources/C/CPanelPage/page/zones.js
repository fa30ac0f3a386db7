// The zones of a port, in the notation of the configuration, and parts of them as texts.

import { announce, isShown, parts, report } from "./page.js";
import { presets } from "./play.js";
import { componentOf, hosted, port, server } from "./server.js";
import { remember } from "./undo.js";

// The zones above the keys: their lowest and highest key, and a label.
export let zones = [];
export let zoneSettings = null; // As in the configuration; null without zones.
let zoneText; // The zones as the server reported them last.
let zoneEdits = 0; // Changes of this page.
let unfinishedEdits = 0; // Those that are being made, or that the server has not answered.

export const presetText = (zone) => {
  const { preset, soundfont, output } = zone;
  if (output) return `${output}${zone.outputChannel ? `, channel ${zone.outputChannel}` : ""}`;
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
  announce("zonesRead");
}

export async function loadZones() {
  // A host has no zones.
  if (port) useZones(hosted ? null : await readZones());
}

// Shows what other pages and commands have changed.
async function followZones() {
  const edit = zoneEdits, shown = port;
  if (!port || unfinishedEdits > 0) return;
  const text = await readZones();
  if (edit === zoneEdits && shown === port && text !== zoneText) useZones(text);
}

export function takeZones() {
  zones = (zoneSettings ?? []).map((zone) => {
    const [low, high] = readKeys(zone.keys);
    return { low, high, label: presetText(zone) };
  });
  announce("draw");
}

// Until the edit has ended, the page keeps its zones.
export function beginEdit() {
  zoneEdits += 1;
  unfinishedEdits += 1;
}
export function endEdit() { unfinishedEdits -= 1; }

// Sends the zones. If the server refuses them, the page shows those that are played.
export async function sendZones() {
  takeZones();
  beginEdit();
  const edit = zoneEdits, earlier = zoneText, own = port;
  remember("zones", "the zones", async () => {
    if (own === port) await restoreZones(earlier);
  });
  try {
    await server.request("setZones", { component: componentOf(port), zones: JSON.stringify(zoneSettings) });
    const text = await readZones();
    if (edit === zoneEdits) zoneText = text;
  } catch (error) {
    report(error);
    await loadZones().catch(() => {});
  } finally {
    endEdit();
  }
}

async function restoreZones(text) {
  await server.request("setZones", { component: componentOf(port), ...(text && { zones: text }) });
  await loadZones();
}

export async function addZone() {
  // The first zone has the whole keyboard.
  zoneSettings = zoneSettings?.length > 0 ? [...zoneSettings, { keys: [60, 127] }] : [{ keys: [0, 127] }];
  await sendZones();
}

// Gives the whole keyboard to the preset of the port.
export async function useOnePreset() {
  zoneSettings = [{}];
  await sendZones();
  announce("zonesRead");
}

// Parts of a zone as texts, and back. What cannot be read is answered with a sentence.

const readKey = (text) => {
  const match = /^([A-Ga-g])([#♯b♭]?)(-?\d+)$/.exec(text.trim());
  if (!match) return Number(text);
  const offset = { c: 0, d: 2, e: 4, f: 5, g: 7, a: 9, b: 11 }[match[1].toLowerCase()];
  const accidental = { "#": 1, "♯": 1, b: -1, "♭": -1 }[match[2]] ?? 0;
  return (Number(match[3]) + 1) * 12 + offset + accidental;
};

export const readKeys = (keys) => {
  if (keys === undefined || keys === null) return [0, 127];
  if (Array.isArray(keys)) return [keys[0], keys[1]];
  const parts = `${keys}`.split("..");
  if (parts.length === 1) return [readKey(parts[0]), readKey(parts[0])];
  return [parts[0] ? readKey(parts[0]) : 0, parts[1] ? readKey(parts[1]) : 127];
};

export const isVelocity = (number) => Number.isInteger(number) && number >= 1 && number <= 127;

// A curve is a name, one velocity, or points.
export const curveKind = (curve) => {
  if (curve === undefined) return "linear";
  if (typeof curve === "string") return curve;
  return typeof curve === "number" || curve.length === 1 ? "fixed" : "points";
};
export const curveText = (curve) => {
  if (typeof curve === "number") return `${curve}`;
  if (!Array.isArray(curve)) return "";
  return curve.length === 1 ? `${curve[0][1]}` : curve.map((point) => point.join(" ")).join(", ");
};
export const readCurve = (kind, text) => {
  if (kind === "fixed") {
    const velocity = Number(text);
    return isVelocity(velocity) ? { value: velocity } : { problem: "One velocity from 1 to 127." };
  }
  const points = text.split(/[,;]/).filter((part) => part.trim()).map((part) => part.trim().split(/[\s:]+/).map(Number));
  const isAscending = points.every((point, index) => index === 0 || points[index - 1][0] < point[0]);
  if (points.length > 0 && isAscending && points.every((point) => point.length === 2 && point.every(isVelocity))) return { value: points };
  return { problem: "Points of the velocity played and the velocity sounding, from 1 to 127, with the velocity played ascending: 1 20, 64 90, 127 110." };
};

// The velocity that sounds. Source: the curves of the configuration.
export const curveValue = (curve, velocity) => {
  const exponent = { linear: 1, soft: 0.6, hard: 1.6 }[curve ?? "linear"];
  if (exponent) return 127 * (velocity / 127) ** exponent;
  const points = typeof curve === "number" ? [[1, curve]] : curve;
  const next = points.findIndex((point) => point[0] >= velocity);
  if (next === 0) return points[0][1];
  if (next < 0) return points.at(-1)[1];
  const [before, after] = [points[next - 1], points[next]];
  return before[1] + ((velocity - before[0]) / (after[0] - before[0])) * (after[1] - before[1]);
};

export const controllerKind = (controllers) => {
  if (controllers === undefined || controllers === "all") return "all";
  return controllers === "none" || controllers.length === 0 ? "none" : "list";
};
export const readControllers = (text) => {
  const words = text.split(/[\s,;]+/).filter(Boolean).map((word) => (/^\d+$/.test(word) ? Number(word) : word.toLowerCase()));
  const isKnown = (word) => (typeof word === "number" ? word < 120 : ["bend", "pressure", "program"].includes(word));
  if (words.length > 0 && words.every(isKnown)) return { value: words };
  return { problem: "Controllers from 0 to 119, bend, pressure and program: 1, 11, bend." };
};

// What differs from a zone that passes everything, in a few words.
export function zoneSummary(zone) {
  const parts = [];
  if (zone.keyboards) parts.push(zone.keyboards.join("; "));
  if (zone.channel) parts.push(`channel ${zone.channel}`);
  if (zone.velocities) parts.push(`velocities ${zone.velocities.join("–")}`);
  const curve = curveKind(zone.velocity);
  if (curve === "fixed") parts.push(`velocity ${curveText(zone.velocity)}`);
  else if (curve !== "linear") parts.push(curve === "points" ? "velocity by points" : `${curve} velocities`);
  const controllers = controllerKind(zone.controllers);
  if (controllers !== "all") parts.push(controllers === "none" ? "no controllers" : `controllers ${zone.controllers.join(", ")}`);
  if (zone.invertPedal) parts.push("pedal inverted");
  if (zone.mode && zone.mode !== "poly") parts.push(zone.mode);
  if (zone.routes?.length > 0) parts.push(`${zone.routes.length} ${zone.routes.length === 1 ? "route" : "routes"}`);
  const count = Object.keys(zone.parameters ?? {}).length;
  if (count > 0) parts.push(`${count} ${count === 1 ? "parameter" : "parameters"}`);
  return parts.join(" · ");
}

parts.push({
  chosen: loadZones,
  sceneChanged: loadZones,
  async update() { if (isShown("edit") || isShown("play")) await followZones(); },
});
