// The parameters of a port, and the knobs, pedals and buttons that set them.

import { Connection } from "./connection.js";
import { $, announce, attempt, isShown, make, noteName, parts, report } from "./page.js";
import { componentOf, describe, hosted, port, readCredentials, server, status } from "./server.js";
import { remember } from "./undo.js";

export let parameters = null;
let loading = null; // While they are being read.
let dragged = null;
const units = { decibels: "dB", milliseconds: "ms", seconds: "s", beats: "beats", hertz: "Hz", percent: "%", cents: "ct", semitones: "st" };

export async function loadParameters() {
  if (parameters) return updateValues();
  loading ??= readParameters().finally(() => { loading = null; });
  await loading;
}

async function readParameters() {
  const list = await server.list("parameters");
  const groups = new Map((list.groups ?? []).map((group) => [group.identifier, { name: group.name, rows: [] }]));
  parameters = list.items.map((parameter) => ({ ...parameter }));
  setLearning(false);
  for (const parameter of parameters) {
    const group = parameter.identifier.includes(".") ? parameter.identifier.split(".")[0] : "";
    if (!groups.has(group)) groups.set(group, { name: group || "General", rows: [] });
    groups.get(group).rows.push(makeParameter(parameter));
  }
  $("parameters").replaceChildren(...[...groups.values()].filter((group) => group.rows.length > 0).map((group) =>
    make("section", { className: "card" }, make("h2", { textContent: group.name }), ...group.rows)));
  await updateValues();
  await loadControls();
}

export async function updateValues() {
  const own = status?.ports.find((item) => item.name === port.name);
  // While nothing plays the port, each description has a unit of its own, with the settings of then.
  if (!hosted && !own?.peaks && !own?.host) await describe();
  const { values } = await server.request("values", {});
  parameters?.forEach((parameter, index) => {
    if (parameter === dragged || parameter.isSending || values[index] === undefined || parameter.value === values[index]) return;
    parameter.value = values[index];
    parameter.show();
    if (hosted && parameter.identifier.startsWith("preset.")) announce("presetChanged");
  });
}

// The last known value of a parameter; undefined if there is none.
export const valueOf = (identifier) => parameters?.find((parameter) => parameter.identifier === identifier)?.value;

// Values of parameters as texts, and as places on a slider.
const toPosition = (parameter, value) => {
  const { minimum, maximum } = parameter;
  if (parameter.scale === "logarithmic") return Math.log(value / minimum) / Math.log(maximum / minimum);
  return (value - minimum) / (maximum - minimum || 1);
};
const toValue = (parameter, position) => {
  const { minimum, maximum } = parameter;
  if (parameter.scale === "logarithmic") return minimum * (maximum / minimum) ** position;
  return minimum + (maximum - minimum) * position;
};
const isWhole = (parameter) => parameter.unit === "index" || parameter.unit === "toggle" || parameter.valueNames.length > 0;

export function valueText(parameter, value) {
  const name = parameter.valueNames[value - parameter.minimum];
  if (isWhole(parameter) && name) return name;
  const size = parameter.maximum - parameter.minimum;
  const digits = isWhole(parameter) ? 0 : size > 500 ? 0 : size > 20 ? 1 : 2;
  const unit = units[parameter.unit];
  return value.toFixed(digits).replace("-", "−") + (unit ? ` ${unit}` : "");
}

// The control of one parameter, which fits its unit and scale.
function makeParameter(parameter) {
  const id = `p-${parameter.identifier}`;
  const transmit = attempt(async () => {
    try {
      while (parameter.next !== undefined) {
        const value = parameter.next;
        parameter.next = undefined;
        await server.request("setParameters", { values: { [parameter.identifier]: value } });
      }
    } finally {
      parameter.isSending = false;
    }
  });
  const send = (value) => {
    const earlier = parameter.value;
    if (earlier !== undefined && earlier !== value) remember(`parameter ${parameter.identifier}`, parameter.name, () => parameter.send(earlier));
    parameter.value = value;
    parameter.show();
    // At most one request waits, with the latest value.
    parameter.next = value;
    if (parameter.isSending) return;
    parameter.isSending = true;
    transmit();
  };
  parameter.send = send;
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
  input.title = `${parameter.identifier}; a double click resets it to ${valueText(parameter, parameter.defaultValue)}`;
  parameter.learn = make("button", { type: "button", className: "learn", textContent: "Learn", "aria-label": `Learn a control for ${parameter.name}` });
  const chooseLearned = attempt(() => {
    const isLearning = Boolean(parameter.learning);
    endLearning();
    return isLearning ? undefined : learn(parameter);
  });
  const reset = make("button", { type: "button", className: "reset", textContent: "Reset", "aria-label": `Reset ${parameter.name}`, onclick: () => send(parameter.defaultValue) });
  const showInput = parameter.show;
  parameter.show = () => {
    showInput();
    reset.classList.toggle("usual", Math.abs(parameter.value - parameter.defaultValue) < 1e-6 * (parameter.maximum - parameter.minimum || 1));
    parameter.followed?.();
  };
  control.append(input, reset, parameter.learn);
  parameter.assigned = make("div", { className: "assigned", hidden: true });
  const row = make("div", { className: "parameter" }, make("label", { className: "name", htmlFor: id, textContent: parameter.name }), value, control, parameter.assigned);
  // While controls are learned, all of the row chooses the parameter.
  row.addEventListener("click", (event) => {
    if (!isLearning() || parameter.assigned.contains(event.target)) return;
    event.preventDefault();
    chooseLearned();
  });
  return row;
}

// The mode in which a parameter is chosen, and then the knob, pedal or button that sets it.
const isLearning = () => document.body.classList.contains("learning");

function endLearning() {
  for (const parameter of parameters ?? []) parameter.learning?.close();
}

function setLearning(isOn) {
  if (!isOn) endLearning();
  document.body.classList.toggle("learning", isOn);
  $("learn").setAttribute("aria-pressed", `${isOn}`);
  $("edit-message").textContent = isOn ? "Choose a parameter, then move a knob, a pedal or a button." : "";
}
$("learn").onclick = () => setLearning(!isLearning());

const controlText = (control) => {
  const names = { controller: "controller", fineController: "fine controller", pitchBend: "pitch bend", pressure: "pressure", note: "note", program: "program" };
  const number = control.number === undefined ? "" : control.message === "note" ? ` ${noteName(control.number)}` : ` ${control.number}`;
  return `${names[control.message] ?? control.message}${number}${control.channel ? `, channel ${control.channel}` : ""}${control.keyboard ? ` of ${control.keyboard}` : ""}`;
};

async function loadControls() {
  const controls = (await server.list("controls")).items;
  for (const parameter of parameters ?? []) {
    const own = controls.filter((control) => control.effect === "parameter" && control.parameter === parameter.identifier && (!control.port || control.port === port.name));
    parameter.assigned.hidden = own.length === 0;
    const chips = own.map((control) => make("span", { className: "chip", title: control.problem ?? "" }, `${controlText(control)}${control.problem ? " (no effect)" : ""}`));
    if (own.some((control) => control.origin === "learned")) {
      const clear = make("button", { type: "button", textContent: "×", "aria-label": `Forget the controls of ${parameter.name}` });
      clear.onclick = attempt(async () => {
        await server.request("clearControls", { scope: "parameter", port: port.name, parameter: parameter.identifier });
        await loadControls();
      });
      chips.at(-1).append(clear);
    }
    parameter.assigned.replaceChildren(...chips);
  }
}

// Waits on a connection of its own, because a connection answers in order.
async function learn(parameter) {
  const connection = new Connection("Panel (learning)");
  parameter.learning = connection;
  parameter.learn.textContent = "Move it…";
  parameter.learn.setAttribute("aria-pressed", "true");
  let isCancelled = false;
  connection.onclose = () => { isCancelled = true; };
  try {
    await connection.open(readCredentials());
    const wish = { component: componentOf(port), parameter: parameter.identifier, isNote: false, seconds: 60 };
    const ask = (tries) => connection.request("learnControl", wish).catch(async (error) => {
      // The server notices with a delay that a page has given up.
      if (error.code !== "notLearned" || tries === 0 || isCancelled) throw error;
      await new Promise((resolve) => setTimeout(resolve, 150));
      return ask(tries - 1);
    });
    const answer = await ask(10);
    if (isLearning()) $("edit-message").textContent = answer.control ? `${parameter.name}: ${controlText(answer.control)}` : "No control was moved within 60 s.";
    if (answer.warning) report(new Error(answer.warning));
  } catch (error) {
    if (!isCancelled) throw error;
  } finally {
    parameter.learning = null;
    parameter.learn.textContent = "Learn";
    parameter.learn.removeAttribute("aria-pressed");
    connection.onclose = null;
    connection.close();
    await loadControls().catch(() => {});
  }
}

parts.push({
  leave: () => setLearning(false),
  disconnected: () => setLearning(false),
  viewChanged: () => setLearning(false),
  chosen() { parameters = null; },
  async update() {
    if (!(isShown("edit") || isShown("play")) || !parameters) return;
    // A host may have gone.
    await (hosted ? updateValues().catch(report) : updateValues());
  },
});
