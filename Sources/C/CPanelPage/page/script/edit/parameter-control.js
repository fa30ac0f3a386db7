// The control of one parameter, which fits its unit and scale.

function makeParameter(parameter) {
  const id = `p-${parameter.identifier}`;
  const send = (value) => {
    parameter.value = value;
    parameter.show();
    // At most one request waits, with the latest value.
    parameter.next = value;
    if (parameter.isSending) return;
    parameter.isSending = true;
    attempt(async () => {
      try {
        while (parameter.next !== undefined) {
          const value = parameter.next;
          parameter.next = undefined;
          await server.request("setParameters", { values: { [parameter.identifier]: value } });
        }
      } finally {
        parameter.isSending = false;
      }
    })();
  };
  const value = make("output", { className: "value number" });
  const control = make("div", { className: "control" });
  let input;
  if (parameter.unit === "toggle") {
    input = make("input", { type: "checkbox", id, onchange: () => send(input.checked ? 1 : 0) });
    parameter.show = () => { input.checked = parameter.value >= 0.5; value.textContent = parameter.value >= 0.5 ? "on" : "off"; };
  } else if (parameter.valueNames.length > 0) {
    input = make("select", { id, onchange: () => send(Number(input.value)) },
      ...parameter.valueNames.map((name, index) => make("option", { value: `${parameter.minimum + index}`, textContent: name })));
    parameter.show = () => { input.value = `${parameter.value}`; value.textContent = ""; };
  } else {
    const steps = isWhole(parameter) ? parameter.maximum - parameter.minimum : 1000;
    input = make("input", { type: "range", id, min: 0, max: steps, step: 1 });
    input.oninput = () => {
      dragged = parameter;
      const chosen = toValue(parameter, input.value / (steps || 1));
      send(isWhole(parameter) ? Math.round(chosen) : chosen);
    };
    input.onchange = () => { dragged = null; };
    input.ondblclick = () => send(parameter.defaultValue);
    parameter.show = () => {
      if (dragged !== parameter) input.value = Math.round(toPosition(parameter, parameter.value) * steps);
      value.textContent = valueText(parameter, parameter.value);
      input.setAttribute("aria-valuetext", value.textContent);
    };
  }
  input.title = `${parameter.identifier}; default ${valueText(parameter, parameter.defaultValue)}`;
  parameter.learn = make("button", { type: "button", className: "learn", textContent: "Learn", "aria-label": `Learn a control for ${parameter.name}` });
  parameter.learn.onclick = () => (parameter.learning ? parameter.learning.close() : attempt(learn)(parameter));
  const reset = make("button", { type: "button", textContent: "Reset", "aria-label": `Reset ${parameter.name}`, onclick: () => send(parameter.defaultValue) });
  control.append(input, reset, parameter.learn);
  parameter.assigned = make("div", { className: "assigned", hidden: true });
  return make("div", { className: "parameter" }, make("label", { className: "name", htmlFor: id, textContent: parameter.name }), value, control, parameter.assigned);
}
