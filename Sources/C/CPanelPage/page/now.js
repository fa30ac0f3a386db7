// What plays now: its name, level and volume.

import { $, attempt, isDark, make, noteName, palette, parts } from "./page.js";
import { loadParameters, parameters, valueText } from "./parameters.js";
import { currentPreset, idOf, presets, stepPreset } from "./play.js";
import { isConnected, port, server } from "./server.js";
import { presetText, readKeys, useOnePreset, zoneSettings } from "./zones.js";

// What the slider reaches, in decibels; other values of the port are shown as numbers.
const [quietest, loudest] = [-48, 12];

const kinds = { instrument: "Instrument", musicEffect: "Effect that notes control", effect: "Effect", midiProcessor: "MIDI processor", generator: "Generator" };

function showNow() {
  if (!port) return;
  const preset = currentPreset(), zones = zoneSettings ?? [];
  const usesPreset = (zone) => zone.preset === undefined && !zone.soundfont && !zone.output;
  const soundOf = (zone) => (usesPreset(zone) ? preset?.name ?? "The port's preset" : presetText(zone));
  // A preset is heard where a zone has no sound of its own, and of one zone it is changed.
  const isHeard = !zoneSettings || zones.some(usesPreset) || (zones.length === 1 && !zones[0].soundfont && !zones[0].output);
  const isAlone = !zoneSettings || zones.length === 1;
  const name = zones.length === 1 ? soundOf(zones[0]) : zoneSettings ? `${zones.length || "No"} zones` : preset?.name ?? port.name;
  const place = isHeard && isAlone && preset?.group ? `${preset.group} · ${idOf(preset)}` : zoneSettings ? port.name : kinds[port.type] ?? "Port";
  $("now-name").textContent = name;
  $("now-name").title = name;
  $("now-place").textContent = place;
  $("now-list").hidden = isAlone || zones.length === 0;
  $("now-list").replaceChildren(...(isAlone ? [] : zones.map((zone, index) => {
    const [low, high] = readKeys(zone.keys), swatch = make("span", { className: "swatch", "aria-hidden": "true" });
    swatch.style.background = palette(index);
    return make("li", {}, swatch, make("span", { className: "line", textContent: soundOf(zone), title: soundOf(zone) }), make("span", { className: "dim number", textContent: `${noteName(low)}–${noteName(high)}` }));
  })));
  $("now-unheard").hidden = isHeard || presets.length === 0;
  for (const id of ["preset-previous", "preset-next"]) {
    $(id).disabled = !isHeard || presets.length === 0;
    $(id).hidden = presets.length === 0;
  }
}

const gain = () => parameters?.find((parameter) => parameter.identifier === "gain" && parameter.unit === "decibels");

function showVolume() {
  const parameter = gain();
  $("now-volume").hidden = !parameter;
  if (!parameter) return;
  parameter.followed = showVolume;
  const slider = $("volume");
  slider.min = Math.max(quietest, parameter.minimum);
  slider.max = Math.min(loudest, parameter.maximum);
  slider.value = parameter.value;
  $("volume-value").textContent = valueText(parameter, parameter.value);
  slider.setAttribute("aria-valuetext", $("volume-value").textContent);
}

$("volume").addEventListener("input", () => gain()?.send(Number($("volume").value)));
$("volume").addEventListener("dblclick", () => gain()?.send(gain().defaultValue));
// The transposition of all ports, which scenes set too.
let transposition = 0;
const transpose = attempt((step) => server.request("transpose", { step }));
$("transpose-down").onclick = () => transpose(-1);
$("transpose-up").onclick = () => transpose(1);

function showTransposition(status) {
  if (status.transposition === transposition) return;
  transposition = status.transposition;
  $("transposition").textContent = `${transposition > 0 ? "+" : ""}${transposition}`.replace("-", "−");
}

$("preset-previous").onclick = () => stepPreset(-1);
$("preset-next").onclick = () => stepPreset(1);
$("zones-off").onclick = useOnePreset;

// Where there is room, the controls of the keyboard are beside what plays.
const isWide = matchMedia("(min-width: 900px) and (min-height: 481px)");
function placeControls() {
  const place = isWide.matches && document.body.dataset.view === "play" ? $("now-controls") : $("keyboard-bar");
  if ($("play-controls").parentElement !== place) place.append($("play-controls"));
}
isWide.addEventListener("change", placeControls);
placeControls();

// The swatches have the colors of the palette.
isDark.addEventListener("change", showNow);

parts.push({
  view: "play",
  chosen: showNow,
  follow: showTransposition,
  presetChanged: showNow,
  zonesRead: showNow,
  viewChanged: placeControls,
  async show() {
    showNow();
    if (!isConnected) return;
    await loadParameters();
    showVolume();
  },
  leave() { $("now-volume").hidden = true; },
});
