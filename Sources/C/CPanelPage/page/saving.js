// Saving: what keyboards play as a scene, and the state of a port in a file, with its parameters, its preset and its zones.

import { $, attempt, saveFile } from "./page.js";
import { loadParameters, parameters, updateValues } from "./parameters.js";
import { loadScenes } from "./play.js";
import { componentOf, port, server, takesMIDI } from "./server.js";
import { loadZones, zoneSettings } from "./zones.js";

$("save-form").addEventListener("submit", (event) => {
  event.preventDefault();
  attempt(async () => {
    const name = $("save-name").value.trim();
    const answer = await server.request("saveScene", { name, replaces: $("save-replaces").checked });
    $("edit-message").textContent = `“${name}” is saved in ${answer.file}`;
    $("save-name").value = "";
    await loadScenes();
  })();
});

async function readState() {
  await loadParameters();
  const values = Object.fromEntries(parameters.map(({ identifier, value }) => [identifier, value]));
  return { portativeState: 1, port: port.name, component: componentOf(port), values, zones: zoneSettings };
}

// Returns the state in a text, which may be any file.
function decodeState(text) {
  let state = null;
  try { state = JSON.parse(text); } catch { /* It is refused below. */ }
  const isState = state?.portativeState === 1 && typeof state.values === "object" && Object.values(state.values ?? [""]).every(Number.isFinite)
    && (state.zones === null || Array.isArray(state.zones));
  if (!isState) throw new Error("The file has no state of a port: choose one that Save state has written.");
  return state;
}

// Recalls all of a state, or on an error nothing.
async function recallState(state) {
  const component = componentOf(port);
  await loadParameters();
  const known = new Set(parameters.map((parameter) => parameter.identifier));
  const names = Object.keys(state.values), missing = names.filter((name) => !known.has(name));
  const values = Object.fromEntries(names.filter((name) => known.has(name)).map((name) => [name, state.values[name]]));
  const earlier = Object.fromEntries(parameters.map(({ identifier, value }) => [identifier, value]));
  await server.request("setParameters", { values });
  try {
    if (takesMIDI(port)) await server.request("setZones", state.zones ? { component, zones: JSON.stringify(state.zones) } : { component });
  } catch (error) {
    await server.request("setParameters", { values: earlier });
    throw error;
  }
  await Promise.all([loadZones(), updateValues()]);
  return `The state of ${state.port} is recalled${missing.length > 0 ? `, without what this port does not have: ${missing.join(", ")}` : ""}.`;
}

$("state-save").onclick = attempt(async () => {
  const state = await readState();
  saveFile(`${port.name.replace(/[^\p{L}\p{N}]+/gu, " ").trim()}.json`, "application/json", JSON.stringify(state, null, 2));
});
$("state-recall").onclick = () => $("state-file").click();
$("state-file").addEventListener("change", attempt(async () => {
  const [file] = $("state-file").files;
  if (!file) return;
  try {
    if (file.size > 50000) throw new Error(`The file has ${file.size} bytes, and a state at most 50000: choose one that Save state has written.`);
    $("edit-message").textContent = await recallState(decodeState(await file.text()));
  } finally {
    // So that the same file can be chosen again.
    $("state-file").value = "";
  }
}));
