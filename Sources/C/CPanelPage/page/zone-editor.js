// The zones in the Edit view: a list of fields, and a picture whose ends can be dragged.

import { $, announce, attempt, clamp, colors, isBlack, isDark, isShown, make, noteName, palette, parts, pictureFont, prepare } from "./page.js";
import { loadParameters, parameters } from "./parameters.js";
import { presets } from "./play.js";
import { componentOf, port, server, takesMIDI } from "./server.js";
import {
  addZone, beginEdit, controllerKind, curveKind, curveText, curveValue, endEdit, isVelocity, loadZones, presetText, readControllers, readCurve,
  readKeys, sendZones, takeZones, zones, zoneSettings, zoneSummary,
} from "./zones.js";

function showZones() {
  $("zones-card").hidden = !takesMIDI(port);
  $("zone-list").replaceChildren(...(zoneSettings ?? []).map(makeZone));
  $("zone-empty").hidden = zoneSettings?.length > 0;
  $("zone-empty").textContent = zoneSettings ? "No zone: no key is played." : "No zones: the port's sound has the whole keyboard.";
  drawZoneBars();
}

$("zone-add").onclick = () => {
  addZone();
  showZones();
};
$("zone-clear").onclick = attempt(async () => {
  await server.request("setZones", { component: componentOf(port) });
  await loadZones();
});

// One zone: its sound, keys, level and place, and in a part that can be opened all else.
const presetOptions = (zone) => {
  const own = zone.soundfont ? [] : presets.map((preset) => [preset.bank === undefined ? preset.name : `${preset.bank}:${preset.program}`, preset.name]);
  const current = presetValue(zone);
  const options = [["", zone.soundfont ? "first preset" : "the port's preset"], ...own];
  // A preset of another SoundFont, or words that name one.
  if (!options.some(([value]) => value === current)) options.push([current, presetText(zone)]);
  return options;
};
const presetValue = ({ preset, soundfont }) => {
  if (preset === undefined) return "";
  if (typeof preset !== "string") return `${preset.bank}:${preset.program}`;
  const known = soundfont ? null : presets.find((other) => other.name === preset && other.bank !== undefined);
  return known ? `${known.bank}:${known.program}` : preset;
};
const readPreset = (value) => {
  if (value === "") return undefined;
  const match = /^(\d+):(\d+)$/.exec(value);
  return match ? { bank: Number(match[1]), program: Number(match[2]) } : value;
};

function makeZone(zone, index) {
  const name = `zone ${index + 1}`;
  const summary = make("span", { className: "dim" });
  const fields = makeFields(name, () => { show(); sendZones(); });
  const keys = Array.from({ length: 128 }, (_, key) => [key, noteName(key)]);
  const lowest = () => readKeys(zone.keys)[0], highest = () => readKeys(zone.keys)[1];
  const curve = make("canvas", { className: "curve", role: "img", "aria-label": `Velocity curve of ${name}` });
  const show = () => {
    fields.show();
    summary.textContent = zoneSummary(zone);
    drawCurve(curve, zone);
  };
  const details = make("details", { ontoggle: () => drawCurve(curve, zone) },
    make("summary", {}, make("span", { textContent: "Velocity, controllers and more" }), " ", summary),
    make("div", { className: "fields" }, ...playingFields(zone, fields), curve),
    ...(zone.output ? [] : [make("h4", { textContent: "Parameters of this zone" }), makeZoneParameters(zone, name, show)]));
  const remove = make("button", { type: "button", textContent: "Remove", "aria-label": `Remove ${name}` });
  remove.onclick = () => { zoneSettings.splice(index, 1); sendZones(); showZones(); };
  const swatch = make("span", { className: "swatch", "aria-hidden": "true" });
  swatch.style.background = palette(index);
  const item = make("li", { className: "zone" },
    make("div", { className: "row heading" }, make("h3", {}, swatch, `Zone ${index + 1}`), remove),
    make("div", { className: "fields" },
      ...soundFields(zone, fields),
      fields.choice("Lowest key", keys, lowest, (key) => { zone.keys = [key, Math.max(key, highest())]; }),
      fields.choice("Highest key", keys, highest, (key) => { zone.keys = [Math.min(key, lowest()), key]; }),
      fields.number("Transpose, semitones", [-127, 127], () => zone.transpose ?? 0, (value) => putWhole(zone, "transpose", value, 0)),
      ...(zone.output ? [] : [
        fields.number("Level, dB", [-60, 12], () => zone.level ?? 0, (value) => put(zone, "level", value, 0)),
        fields.number("Pan, left to right", [-100, 100], () => zone.pan ?? 0, (value) => put(zone, "pan", value, 0))])),
    details);
  show();
  return item;
}

// What sounds: a preset, or a module outside, whose sound is not known here.
function soundFields(zone, fields) {
  if (!zone.output) return [fields.choice("Sound", presetOptions(zone), () => presetValue(zone), (value) => put(zone, "preset", readPreset(value)))];
  const channels = [[undefined, "the keyboard’s"], ...Array.from({ length: 16 }, (_, index) => [index + 1, `${index + 1}`])];
  return [
    make("div", { className: "stacked" }, make("span", { textContent: "Module" }), make("p", { className: "module line", textContent: zone.output, title: zone.output })),
    fields.choice("Channel of the module", channels, () => zone.outputChannel, (value) => put(zone, "outputChannel", value)),
  ];
}

// What of a keyboard plays the zone, and how.
function playingFields(zone, fields) {
  const velocities = () => zone.velocities ?? [1, 127];
  const setVelocities = (lowest, highest) => {
    if (!isVelocity(lowest) || !isVelocity(highest)) return "A whole number.";
    put(zone, "velocities", lowest === 1 && highest === 127 ? undefined : [lowest, highest]);
  };
  const setCurve = (kind, text) => {
    const { value, problem } = readCurve(kind, text);
    if (problem) return problem;
    zone.velocity = value;
  };
  const setKind = (kind) => {
    if (kind === "fixed") zone.velocity = 100;
    else if (kind === "points") zone.velocity = [[1, 1], [127, 127]];
    else put(zone, "velocity", kind, "linear");
  };
  const setControllers = (text) => {
    const { value, problem } = readControllers(text);
    if (problem) return problem;
    zone.controllers = value;
  };
  const channels = Array.from({ length: 16 }, (_, index) => [index + 1, `${index + 1}`]);
  return [
    fields.number("Lowest velocity", [1, 127], () => velocities()[0], (value) => setVelocities(value, Math.max(value, velocities()[1]))),
    fields.number("Highest velocity", [1, 127], () => velocities()[1], (value) => setVelocities(Math.min(value, velocities()[0]), value)),
    fields.choice("Velocity curve", [["linear", "linear"], ["soft", "soft"], ["hard", "hard"], ["fixed", "one velocity"], ["points", "points"]], () => curveKind(zone.velocity), setKind),
    fields.text("Velocity", "1 to 127", () => (curveKind(zone.velocity) === "fixed" ? curveText(zone.velocity) : null), (text) => setCurve("fixed", text)),
    fields.text("Velocity points", "1 20, 127 110", () => (curveKind(zone.velocity) === "points" ? curveText(zone.velocity) : null), (text) => setCurve("points", text)),
    fields.choice("Controllers", [["all", "all"], ["none", "none"], ["list", "only these"]], () => controllerKind(zone.controllers),
      (kind) => put(zone, "controllers", kind === "list" ? [1, 11, "bend"] : kind, "all")),
    fields.text("Controllers that pass", "1, 11, bend", () => (controllerKind(zone.controllers) === "list" ? zone.controllers.join(", ") : null), setControllers),
    fields.choice("Notes", [["poly", "polyphonic"], ["mono", "mono"], ["legato", "legato"]], () => zone.mode ?? "poly", (value) => put(zone, "mode", value, "poly")),
    fields.box("Invert the pedal", () => zone.invertPedal === true, (value) => put(zone, "invertPedal", value, false)),
    fields.text("Keyboards", "all; or: Nord*; Pads", () => (zone.keyboards ?? []).join("; "), (text) => {
      const names = text.split(";").map((name) => name.trim()).filter(Boolean);
      put(zone, "keyboards", names.length > 0 ? names : undefined);
    }),
    fields.choice("Channel", [[undefined, "all"], ...channels], () => zone.channel, (value) => put(zone, "channel", value)),
  ];
}

// Parameters that a zone has for itself, instead of those of the port.
function makeZoneParameters(zone, name, show) {
  const list = make("div", { className: "fields" });
  const changed = () => { show(); sendZones(); };
  const set = (identifier, value) => {
    const all = { ...zone.parameters };
    put(all, identifier, value);
    put(zone, "parameters", Object.keys(all).length > 0 ? all : undefined);
  };
  const build = () => {
    const fields = makeFields(name, changed);
    const rows = Object.keys(zone.parameters ?? {}).map((identifier) => {
      const parameter = parameters?.find((parameter) => parameter.identifier === identifier);
      const title = parameter?.name ?? identifier;
      const remove = make("button", { type: "button", textContent: "×", "aria-label": `Remove ${title} of ${name}` });
      remove.onclick = () => { set(identifier, undefined); changed(); build(); };
      const range = parameter ? [parameter.minimum, parameter.maximum] : [-Infinity, Infinity];
      const get = () => Number((zone.parameters?.[identifier] ?? 0).toFixed(4));
      return make("div", { className: "row" }, fields.number(title, range, get, (value) => set(identifier, value)), remove);
    });
    const free = (parameters ?? []).filter(({ identifier }) => !identifier.startsWith("preset.") && zone.parameters?.[identifier] === undefined);
    const add = make("select", { className: "wide", "aria-label": `Add a parameter of ${name}` }, make("option", { textContent: "Add a parameter…", value: "" }),
      ...free.map((parameter) => make("option", { value: parameter.identifier, textContent: parameter.name })));
    add.onchange = () => {
      const parameter = free.find((parameter) => parameter.identifier === add.value);
      if (!parameter) return;
      set(parameter.identifier, parameter.value ?? parameter.defaultValue);
      changed();
      build();
      list.querySelector(".row:last-of-type input")?.focus();
    };
    list.replaceChildren(...rows, add);
    fields.show();
  };
  build();
  return list;
}

// The picture of a zone's velocities: those that sound, above those that are played.
function drawCurve(canvas, zone) {
  if (canvas.clientWidth === 0) return;
  const context = prepare(canvas), width = canvas.clientWidth, height = canvas.clientHeight;
  const x = (velocity) => (velocity / 127) * (width - 4) + 2, y = (velocity) => height - 2 - (velocity / 127) * (height - 4);
  const [low, high] = zone.velocities ?? [1, 127];
  context.fillStyle = colors.raised;
  context.fillRect(x(low), 0, x(high) - x(low), height);
  context.strokeStyle = colors.line;
  context.lineWidth = 1;
  context.beginPath();
  context.moveTo(x(0), y(0));
  context.lineTo(x(127), y(127));
  context.stroke();
  context.strokeStyle = colors.accent;
  context.lineWidth = 2;
  context.beginPath();
  for (let velocity = low; velocity <= high; velocity += 1) context.lineTo(x(velocity), y(curveValue(zone.velocity, velocity)));
  context.stroke();
}

// Labelled fields that change one thing, such as a zone. A field with a wrong value says why, and changes nothing.

function makeFields(owner, changed) {
  const shows = [];
  const add = (label, control, show, read) => {
    control.setAttribute("aria-label", `${label} of ${owner}`);
    control.addEventListener("change", () => {
      const problem = read() ?? "";
      control.setCustomValidity(problem);
      if (problem) control.reportValidity();
      else changed();
    });
    // A wrong value does not remain wrong while it is corrected.
    control.addEventListener("input", () => control.setCustomValidity(""));
    const field = make("label", { className: "stacked" }, make("span", { textContent: label }), control);
    shows.push(() => show(field));
    return field;
  };
  return {
    // Options are pairs of a value and its text.
    choice(label, options, get, set) {
      const control = make("select", {}, ...options.map(([, text]) => make("option", { textContent: text })));
      return add(label, control,
        () => { control.selectedIndex = options.findIndex(([value]) => value === get()); },
        () => set(options[control.selectedIndex][0]));
    },
    number(label, [minimum, maximum], get, set) {
      const control = make("input", { type: "number", min: minimum, max: maximum, step: "any" });
      return add(label, control, () => { control.value = get(); }, () => {
        const value = control.valueAsNumber;
        return value >= minimum && value <= maximum ? set(value) : `${label}: ${minimum} to ${maximum}.`.replaceAll("-", "−");
      });
    },
    // `get` returns null while the field has no meaning.
    text(label, placeholder, get, set) {
      const control = make("input", { type: "text", placeholder, autocomplete: "off", spellcheck: false });
      return add(label, control, (field) => {
        field.classList.add("wide");
        const text = get();
        field.hidden = text === null;
        if (text !== null) control.value = text;
      }, () => set(control.value));
    },
    box(label, get, set) {
      const control = make("input", { type: "checkbox" });
      return add(label, control, () => { control.checked = get(); }, () => set(control.checked));
    },
    show() { for (const show of shows) show(); },
  };
}

// Sets a value of an object, which does not name what it has anyway.
const put = (object, name, value, usual) => {
  if (value === usual) delete object[name];
  else object[name] = value;
};
const putWhole = (object, name, value, usual) => {
  if (!Number.isInteger(value)) return "A whole number.";
  put(object, name, value, usual);
};

// The picture of the zones, whose ends can be dragged.
const bars = $("zone-bars");
const barHeight = () => clamp(84 / Math.max(1, zones.length), 4, 42);
const barX = (key) => (key / 128) * bars.clientWidth;

function drawZoneBars() {
  if (bars.clientWidth === 0) return;
  const context = prepare(bars);
  for (let key = 0; key < 128; key += 1) {
    context.fillStyle = isBlack(key) ? colors["black-key"] : colors["white-key"];
    context.fillRect(barX(key), 92, bars.clientWidth / 128 - 0.5, 18);
  }
  const height = barHeight();
  zones.forEach((zone, index) => {
    context.fillStyle = palette(index);
    context.fillRect(barX(zone.low), index * height, Math.max(3, barX(zone.high + 1) - barX(zone.low)), height - 3);
    if (height < 14) return;
    context.fillStyle = colors["on-color"];
    context.font = pictureFont(600);
    context.save();
    context.beginPath();
    context.rect(barX(zone.low), index * height, barX(zone.high + 1) - barX(zone.low), height);
    context.clip();
    context.fillText(`${zone.label}  ${noteName(zone.low)}–${noteName(zone.high)}`, barX(zone.low) + 8, index * height + height / 2 + 3);
    context.restore();
  });
}

let barDrag = null;
const barHit = (event) => {
  const box = bars.getBoundingClientRect(), x = event.clientX - box.left, y = event.clientY - box.top;
  const index = Math.floor(y / barHeight()), zone = zones[index];
  if (!zone) return null;
  if (Math.abs(x - barX(zone.low)) < 10) return { index, end: "low" };
  if (Math.abs(x - barX(zone.high + 1)) < 10) return { index, end: "high" };
  return null;
};
bars.addEventListener("pointerdown", (event) => {
  barDrag = barHit(event);
  if (!barDrag) return;
  beginEdit();
  bars.setPointerCapture(event.pointerId);
});
bars.addEventListener("pointermove", (event) => {
  bars.style.cursor = barDrag || barHit(event) ? "ew-resize" : "default";
  if (!barDrag) return;
  const key = clamp(Math.floor(((event.clientX - bars.getBoundingClientRect().left) / bars.clientWidth) * 128), 0, 127);
  const zone = zones[barDrag.index];
  if (barDrag.end === "low") zone.low = Math.min(key, zone.high);
  else zone.high = Math.max(key, zone.low);
  announce("draw");
});
bars.addEventListener("pointerup", () => {
  if (!barDrag) return;
  const zone = zones[barDrag.index];
  zoneSettings[barDrag.index].keys = [zone.low, zone.high];
  barDrag = null;
  showZones();
  sendZones();
  endEdit();
});
bars.addEventListener("pointercancel", () => {
  if (barDrag) endEdit();
  barDrag = null;
  takeZones();
});

// Their colors are those of the palette.
isDark.addEventListener("change", () => { if (isShown("edit") && port) showZones(); });

parts.push({
  view: "edit",
  zonesRead() { if (isShown("edit") && parameters) showZones(); },
  async show() {
    await loadParameters();
    showZones();
  },
  draw: drawZoneBars,
});
