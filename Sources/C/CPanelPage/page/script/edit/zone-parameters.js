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
