// Knobs, pedals and buttons that set parameters.

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
    $("edit-message").textContent = answer.control ? `${parameter.name}: ${controlText(answer.control)}` : "No control was moved within 60 s.";
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
