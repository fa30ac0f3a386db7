// The presets of a port in groups, with favourites, and the scenes.

import { $, announce, attempt, make, parts } from "./page.js";
import { valueOf } from "./parameters.js";
import { hosted, port, server, status } from "./server.js";
import { remember } from "./undo.js";
import { presetText, sendZones, zoneSettings } from "./zones.js";

export let presets = [];
// The preset that this page has chosen last: the server reports names with a delay of up to a second.
let chosen = null; // { preset, port, limit }

const favouriteKey = () => `favourites ${port.name}`;
const favourites = () => new Set(JSON.parse(localStorage.getItem(favouriteKey()) ?? "[]"));
export const idOf = (preset) => (preset.bank === undefined ? `${preset.index + 1}` : `${preset.bank}:${preset.program}`);

// Source: General MIDI System Level 1, table 1.
const families = ["Piano", "Chromatic percussion", "Organ", "Guitar", "Bass", "Strings", "Ensemble", "Brass", "Reed", "Pipe", "Synth lead", "Synth pad", "Synth effects", "Ethnic", "Percussive", "Sound effects"];

// A bank 0 with most programs is taken for General MIDI.
function groupPresets() {
  const isGeneral = new Set(presets.filter((preset) => preset.bank === 0).map((preset) => preset.program)).size >= 96;
  for (const preset of presets) {
    const { bank, program } = preset;
    if (bank === undefined) preset.group = "";
    else if (bank === 128) preset.group = "Drums";
    else if (bank === 0 && isGeneral) preset.group = families[program >> 3];
    else preset.group = `Bank ${bank}`;
  }
}

export async function loadPresets() {
  $("preset-list").classList.add("busy");
  try {
    const items = (await server.list("presets")).items;
    presets = items.map((preset, index) => ({
      index, name: preset.name, bank: preset.values["preset.bank"], program: preset.values["preset.program"],
    }));
    groupPresets();
    const groups = [...new Set(presets.map((preset) => preset.group))];
    $("preset-bank").replaceChildren(
      make("option", { value: "", textContent: "All presets" }), make("option", { value: "favourites", textContent: "Favourites" }),
      ...(groups.length > 1 ? groups.map((group) => make("option", { value: `group ${group}`, textContent: group })) : []));
    showPresets();
    $("preset-list").scrollTop = 0;
    announce("presetsLoaded");
    announce("presetChanged");
    revealPreset();
  } finally {
    $("preset-list").classList.remove("busy");
  }
}

let shown = [];

function showPresets() {
  const words = $("preset-search").value.toLowerCase().split(/\s+/).filter(Boolean);
  const group = $("preset-bank").value;
  const stars = favourites();
  shown = presets.filter((preset) => {
    if (group === "favourites" ? !stars.has(preset.name) : group !== "" && `group ${preset.group}` !== group) return false;
    return words.every((word) => preset.name.toLowerCase().includes(word) || idOf(preset) === word);
  });
  const groups = new Map();
  for (const preset of shown) groups.set(preset.group, [...(groups.get(preset.group) ?? []), preset]);
  $("preset-list").replaceChildren(...[...groups].map(([name, presets]) => make("div", {},
    ...(name === "" ? [] : [make("h3", { textContent: name })]), make("ul", { "aria-label": name || "Presets" }, ...presets.map((preset) => makeRow(preset, stars))))));
  $("preset-empty").hidden = shown.length > 0;
  $("preset-empty").textContent = presets.length === 0 ? "This port has no presets." : group === "favourites" ? "No favourites yet: choose the star beside a preset." : "No preset has these words.";
  // Enter in the search chooses the first one.
  if (words.length > 0) $("preset-list").querySelector(".choose")?.classList.add("candidate");
  markPreset();
  setStop($("preset-list").querySelector("[aria-current]") ?? $("preset-list").querySelector(".choose"));
}

function makeRow(preset, stars) {
  const star = make("button", {
    type: "button", className: "star", tabIndex: -1, textContent: stars.has(preset.name) ? "★" : "☆",
    "aria-label": `Favourite: ${preset.name}`, "aria-pressed": `${stars.has(preset.name)}`,
  });
  star.onclick = () => {
    const stars = favourites();
    if (!stars.delete(preset.name)) stars.add(preset.name);
    localStorage.setItem(favouriteKey(), JSON.stringify([...stars]));
    star.textContent = stars.has(preset.name) ? "★" : "☆";
    star.setAttribute("aria-pressed", `${stars.has(preset.name)}`);
  };
  const choose = make("button", { type: "button", className: "choose", tabIndex: -1, title: preset.name },
    make("span", { className: "id", textContent: idOf(preset) }), make("span", { textContent: preset.name }));
  choose.dataset.name = preset.name;
  choose.dataset.index = preset.index;
  choose.onclick = () => choosePreset(preset);
  return make("li", {}, choose, star);
}

// A scene with a preset is played as one zone, whose preset is the one that is heard. `null` if the port's own preset is, or zones
// have several.
function zonePreset() {
  const zone = zoneSettings?.length === 1 ? zoneSettings[0] : null;
  if (!zone || zone.preset === undefined || zone.soundfont) return null;
  const { preset: wanted } = zone;
  const isWanted = ({ name, bank, program }) => (typeof wanted === "string" ? name === wanted : bank === wanted.bank && program === wanted.program);
  return presets.find(isWanted) ?? { name: presetText(zone) };
}

const choosePreset = attempt(async (preset) => {
  if (zonePreset()) {
    const { name, bank, program } = preset;
    zoneSettings[0].preset = bank === undefined ? name : { bank, program };
    announce("presetChanged");
    return sendZones();
  }
  const earlier = currentPreset();
  if (earlier?.index !== undefined && earlier.index !== preset.index) remember("preset", earlier.name, () => choosePreset(earlier));
  chosen = { preset, port, limit: performance.now() + 3000 };
  announce("presetChanged");
  try {
    await server.request("usePreset", { index: preset.index });
  } catch (error) {
    chosen = null;
    announce("presetChanged");
    throw error;
  }
});

// The preset that plays, or that was chosen a moment ago.
export function currentPreset() {
  const own = zonePreset();
  if (own) return own;
  // The status is that of the port, and not of this host.
  const played = hosted && presets.find(({ bank, program }) => bank !== undefined && bank === valueOf("preset.bank") && program === valueOf("preset.program"));
  const name = hosted ? played?.name : status?.ports.find((item) => item.name === port?.name)?.preset;
  // Two presets may have the same name, and some ports report none.
  if (chosen?.port === port && (name === undefined || chosen.preset.name === name || performance.now() < chosen.limit)) return chosen.preset;
  return presets.find((preset) => preset.name === name) ?? (name ? { name } : null);
}

// The preset after or before the present one, among those that are listed.
export function neighbour(step) {
  const current = currentPreset();
  const list = shown.some((preset) => preset.index === current?.index) ? shown : presets;
  const place = list.findIndex((preset) => preset.index === current?.index);
  return list[place < 0 ? 0 : (place + step + list.length) % list.length];
}
export function stepPreset(step) {
  const next = neighbour(step);
  if (next) choosePreset(next).then(revealPreset);
}

function markPreset() {
  const current = currentPreset();
  for (const button of $("preset-list").querySelectorAll(".choose")) {
    const isCurrent = current?.index === undefined ? button.dataset.name === current?.name : Number(button.dataset.index) === current.index;
    if (isCurrent) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
  }
}

// Scrolls the list itself only, not the page.
function revealPreset() {
  const list = $("preset-list"), row = list.querySelector("[aria-current]")?.parentElement;
  if (!row || list.scrollHeight <= list.clientHeight) return;
  list.scrollTop += row.getBoundingClientRect().top - list.getBoundingClientRect().top - (list.clientHeight - row.clientHeight) / 2;
}

// The list is one stop of the Tab key: arrows move in it.

function setStop(button) {
  for (const other of $("preset-list").querySelectorAll("[tabindex='0']")) other.tabIndex = -1;
  if (button) button.tabIndex = 0;
}

function focusButton(button) {
  if (!button) return;
  setStop(button);
  button.focus();
}

// Returns the nearest button of the same kind in the next line up or down.
function inLine(button, step) {
  const kind = button.classList.contains("star") ? ".star" : ".choose";
  const all = [...$("preset-list").querySelectorAll(kind)], own = button.getBoundingClientRect();
  const list = step > 0 ? all.slice(all.indexOf(button) + 1) : all.slice(0, all.indexOf(button)).reverse();
  let best = null, line = null;
  for (const other of list) {
    const box = other.getBoundingClientRect();
    if (Math.abs(box.top - own.top) < 2) continue;
    if (line !== null && Math.abs(box.top - line) > 2) break;
    line = box.top;
    const distance = Math.abs(box.left - own.left);
    if (!best || distance < best.distance) best = { other, distance };
  }
  return best?.other;
}

$("preset-list").addEventListener("keydown", (event) => {
  const all = [...$("preset-list").querySelectorAll("button")], chooses = all.filter((button) => button.className.includes("choose"));
  const place = all.indexOf(event.target);
  if (place < 0 || event.ctrlKey || event.altKey || event.metaKey) return;
  const page = (step) => {
    let button = event.target;
    for (let i = 0; i < 8; i += 1) button = inLine(button, step) ?? button;
    return button;
  };
  const move = {
    ArrowDown: () => inLine(event.target, 1), ArrowUp: () => inLine(event.target, -1) ?? $("preset-search"),
    ArrowRight: () => all[place + 1], ArrowLeft: () => all[place - 1], Home: () => chooses[0], End: () => chooses.at(-1),
    PageDown: () => page(1), PageUp: () => page(-1),
  }[event.key];
  if (!move) return;
  event.preventDefault();
  const next = move();
  if (next === $("preset-search")) next.focus();
  else focusButton(next);
});
$("preset-list").addEventListener("focusin", (event) => { if (event.target.matches("button")) setStop(event.target); });

$("preset-search").addEventListener("keydown", (event) => {
  const first = $("preset-list").querySelector(".choose");
  if (event.key === "ArrowDown") focusButton(first);
  else if (event.key === "Enter") first?.click();
  else return;
  event.preventDefault();
});
$("preset-search").addEventListener("input", showPresets);
$("preset-bank").addEventListener("change", showPresets);

// The scenes, in the order of the set list, and after it those that are not in it.
export let scenes = [];
export let setListCount = 0;

export async function loadScenes() {
  const list = await server.list("scenes");
  [scenes, setListCount] = [list.items, list.setListCount];
  $("scenes-card").hidden = scenes.length === 0;
  $("scene-list").replaceChildren(...scenes.map((name, index) => {
    const button = make("button", { type: "button", className: "choose", title: name },
      make("span", { className: "id", textContent: index < setListCount ? `${index + 1}` : "" }), make("span", { textContent: name }));
    button.dataset.name = name;
    button.onclick = () => chooseScene({ name });
    return make("li", {}, button);
  }));
  showScene();
}

function showScene() {
  const scene = status?.scene;
  $("scene").hidden = !scene;
  if (!scene) return;
  $("scene-name").textContent = scene.name ?? "no scene";
  $("scene-name").parentElement.title = scene.name ?? "";
  $("scene-place").textContent = scene.place ? `${scene.place}/${scene.count}` : "";
  $("scene-previous").disabled = !canStep(-1);
  $("scene-next").disabled = !canStep(1);
  const buttons = [...$("scene-list").querySelectorAll(".choose")];
  // A scene may be in the set list several times.
  for (const [index, button] of buttons.entries()) {
    if (scene.place ? index + 1 === scene.place : button.dataset.name === scene.name) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
  }
}

// The scenes end with the last one. Before a scene is chosen, the next one is the first.
function canStep(step) {
  const { name, place } = status?.scene ?? {};
  // Where a scene outside the set list leads, only the server knows.
  if (name && !place) return true;
  const next = (place ?? (step > 0 ? 0 : setListCount + 1)) + step;
  return next >= 1 && next <= setListCount;
}

const chooseScene = attempt(async (choice) => {
  await server.request("chooseScene", choice);
  await announce("sceneChanged");
});
export const stepScene = (step) => { if (canStep(step)) chooseScene({ step }); };
$("scene-previous").onclick = () => stepScene(-1);
$("scene-next").onclick = () => stepScene(1);

parts.push({ view: "play", show: revealPreset, connected: loadScenes, leave() { chosen = null; }, chosen: loadPresets, presetChanged: markPreset, zonesRead: () => announce("presetChanged"), sceneChanged: showScene });
