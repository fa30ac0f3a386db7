// The fields of the zones.

function showZones() {
  $("zones-card").hidden = !takesMIDI(port);
  const keyChoice = (label, value, change) => make("select", { "aria-label": label, onchange: (event) => change(Number(event.target.value)) },
    ...Array.from({ length: 128 }, (_, key) => make("option", { value: `${key}`, textContent: noteName(key), selected: key === value })));
  const rows = (zoneSettings ?? []).map((zone, index) => {
    const [low, high] = parseKeys(zone.keys);
    const set = (change) => { change(); sendZones(); showZones(); };
    const names = new Set(presets.map((preset) => preset.name));
    const current = typeof zone.preset === "string" ? zone.preset : presets.find((preset) => zone.preset && preset.bank === zone.preset.bank && preset.program === zone.preset.program)?.name ?? "";
    const sound = make("select", { "aria-label": `Sound of zone ${index + 1}`, onchange: (event) => set(() => {
      const preset = presets.find((preset) => preset.name === event.target.value);
      if (!preset) delete zone.preset;
      else zone.preset = preset.bank === undefined ? preset.name : { bank: preset.bank, program: preset.program };
    }) }, make("option", { value: "", textContent: "the port's preset" }),
    ...(current && !names.has(current) ? [make("option", { value: current, textContent: current, selected: true })] : []),
    ...presets.map((preset) => make("option", { value: preset.name, textContent: preset.name, selected: preset.name === current })));
    const number = (label, value, low, high, change) => make("input", { type: "number", "aria-label": `${label} of zone ${index + 1}`, min: low, max: high, value, onchange: (event) => set(() => change(clamp(Number(event.target.value) || 0, low, high))) });
    return make("tr", {}, make("td", {}, sound),
      make("td", {}, keyChoice(`Lowest key of zone ${index + 1}`, low, (key) => set(() => { zone.keys = [key, Math.max(key, high)]; }))),
      make("td", {}, keyChoice(`Highest key of zone ${index + 1}`, high, (key) => set(() => { zone.keys = [Math.min(key, low), key]; }))),
      make("td", {}, number("Transposition", zone.transpose ?? 0, -48, 48, (value) => { zone.transpose = value; })),
      make("td", {}, number("Level", zone.level ?? 0, -60, 12, (value) => { zone.level = value; })),
      make("td", {}, make("button", { type: "button", textContent: "Remove", "aria-label": `Remove zone ${index + 1}`, onclick: () => set(() => zoneSettings.splice(index, 1)) })));
  });
  if (rows.length === 0) rows.push(make("tr", {}, make("td", { colSpan: 6, className: "dim", textContent: zoneSettings ? "No zone: no key is played." : "No zones: the port's sound has the whole keyboard." })));
  $("zone-table").tBodies[0].replaceChildren(...rows);
  drawZoneBars();
}

$("zone-add").onclick = () => {
  zoneSettings = zoneSettings ? [...zoneSettings, { keys: [60, 127] }] : [{ keys: [0, 59] }, { keys: [60, 127] }];
  sendZones();
  showZones();
};
$("zone-clear").onclick = attempt(async () => {
  await server.request("setZones", { component: componentOf(port) });
  await loadZones();
});
