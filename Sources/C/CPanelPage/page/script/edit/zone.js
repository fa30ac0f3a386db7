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
    make("h4", { textContent: "Parameters of this zone" }), makeZoneParameters(zone, name, show));
  const remove = make("button", { type: "button", textContent: "Remove", "aria-label": `Remove ${name}` });
  remove.onclick = () => { zoneSettings.splice(index, 1); sendZones(); showZones(); };
  const swatch = make("span", { className: "swatch", "aria-hidden": "true" });
  swatch.style.background = palette(index);
  const item = make("li", { className: "zone" },
    make("div", { className: "row heading" }, make("h3", {}, swatch, `Zone ${index + 1}`), remove),
    make("div", { className: "fields" },
      fields.choice("Sound", presetOptions(zone), () => presetValue(zone), (value) => put(zone, "preset", readPreset(value))),
      fields.choice("Lowest key", keys, lowest, (key) => { zone.keys = [key, Math.max(key, highest())]; }),
      fields.choice("Highest key", keys, highest, (key) => { zone.keys = [Math.min(key, lowest()), key]; }),
      fields.number("Transpose, semitones", [-127, 127], () => zone.transpose ?? 0, (value) => putWhole(zone, "transpose", value, 0)),
      fields.number("Level, dB", [-60, 12], () => zone.level ?? 0, (value) => put(zone, "level", value, 0)),
      fields.number("Pan, left to right", [-100, 100], () => zone.pan ?? 0, (value) => put(zone, "pan", value, 0))),
    details);
  show();
  return item;
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
