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
