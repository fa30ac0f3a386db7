// The presets of a port, with favourites, and the scenes.

import { $, announce, attempt, make, parts } from "./page.js";
import { port, server, status } from "./server.js";

export let presets = [];
const favouriteKey = () => `favourites ${port.name}`;
const favourites = () => new Set(JSON.parse(localStorage.getItem(favouriteKey()) ?? "[]"));

async function loadPresets() {
  const items = (await server.list("presets")).items;
  presets = items.map((preset, index) => ({
    index, name: preset.name, bank: preset.values["preset.bank"], program: preset.values["preset.program"],
  }));
  const banks = [...new Set(presets.map((preset) => preset.bank))].filter((bank) => bank !== undefined).sort((a, b) => a - b);
  $("preset-bank").replaceChildren(
    make("option", { value: "", textContent: "All banks" }), make("option", { value: "favourites", textContent: "Favourites" }),
    ...banks.map((bank) => make("option", { value: `${bank}`, textContent: bank === 128 ? "Drums" : `Bank ${bank}` })));
  showPresets();
}

function showPresets() {
  const words = $("preset-search").value.toLowerCase().split(/\s+/).filter(Boolean);
  const bank = $("preset-bank").value;
  const stars = favourites();
  const id = (preset) => (preset.bank === undefined ? `${preset.index + 1}` : `${preset.bank}:${preset.program}`);
  const shown = presets.filter((preset) => {
    if (bank === "favourites" ? !stars.has(preset.name) : bank !== "" && `${preset.bank}` !== bank) return false;
    return words.every((word) => preset.name.toLowerCase().includes(word) || id(preset) === word);
  });
  $("preset-list").replaceChildren(...shown.map((preset) => {
    const star = make("button", {
      type: "button", className: "star", textContent: stars.has(preset.name) ? "★" : "☆",
      "aria-label": `Favourite: ${preset.name}`, "aria-pressed": `${stars.has(preset.name)}`,
    });
    star.onclick = () => {
      const stars = favourites();
      if (!stars.delete(preset.name)) stars.add(preset.name);
      localStorage.setItem(favouriteKey(), JSON.stringify([...stars]));
      star.textContent = stars.has(preset.name) ? "★" : "☆";
      star.setAttribute("aria-pressed", `${stars.has(preset.name)}`);
    };
    const choose = make("button", { type: "button", className: "choose" },
      make("span", { className: "id", textContent: id(preset) }), make("span", { textContent: preset.name }));
    choose.dataset.name = preset.name;
    choose.onclick = attempt(() => server.request("usePreset", { index: preset.index }));
    return make("li", {}, choose, star);
  }));
  $("preset-empty").hidden = shown.length > 0;
  $("preset-empty").textContent = presets.length === 0 ? "This port has no presets." : bank === "favourites" ? "No favourites yet: choose the star beside a preset." : "No preset has these words.";
  markPreset();
}

function markPreset() {
  const name = status?.ports.find((item) => item.name === port?.name)?.preset;
  for (const button of $("preset-list").querySelectorAll(".choose")) {
    const isCurrent = button.dataset.name === name;
    if (isCurrent) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
  }
}

$("preset-search").addEventListener("input", showPresets);
$("preset-bank").addEventListener("change", showPresets);

export async function loadScenes() {
  const list = await server.list("scenes");
  $("scenes-card").hidden = list.items.length === 0;
  $("scene-list").replaceChildren(...list.items.map((name, index) => {
    const button = make("button", { type: "button", className: "choose" },
      make("span", { className: "id", textContent: index < list.setListCount ? `${index + 1}` : "" }), make("span", { textContent: name }));
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
  $("scene-name").textContent = scene.name ?? "none chosen";
  $("scene-place").textContent = scene.place ? `${scene.place}/${scene.count}` : "";
  const buttons = [...$("scene-list").querySelectorAll(".choose")];
  // A scene may be in the set list several times.
  for (const [index, button] of buttons.entries()) {
    if (scene.place ? index + 1 === scene.place : button.dataset.name === scene.name) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
  }
}

const chooseScene = attempt(async (choice) => {
  await server.request("chooseScene", choice);
  await announce("sceneChanged");
});
$("scene-previous").onclick = () => chooseScene({ step: -1 });
$("scene-next").onclick = () => chooseScene({ step: 1 });

parts.push({ connected: loadScenes, chosen: loadPresets, presetChanged: markPreset, sceneChanged: showScene });
