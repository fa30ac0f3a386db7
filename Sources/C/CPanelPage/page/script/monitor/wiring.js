// Which keyboards play which ports.

async function loadWiring() {
  const { wiring } = await server.request("panel.wiring", {});
  $("wiring-card").hidden = !wiring;
  if (!wiring) return;
  const targets = ports.filter(takesMIDI);
  const set = attempt(async (keyboard, port, isOn) => {
    try {
      await server.request("panel.wire", { keyboard: keyboard.address, port: port.name, isConnected: isOn });
    } finally {
      await loadWiring();
    }
  });
  const head = make("tr", {}, make("th", { scope: "col", textContent: "Keyboard" }), ...targets.map((port) => {
    const cell = make("th", { scope: "col", textContent: port.name });
    cell.ondragover = (event) => { event.preventDefault(); cell.classList.add("drop"); };
    cell.ondragleave = () => cell.classList.remove("drop");
    cell.ondrop = (event) => {
      event.preventDefault();
      const keyboard = wiring.keyboards.find((keyboard) => keyboard.address === event.dataTransfer.getData("text/plain"));
      if (keyboard) set(keyboard, port, true);
    };
    return cell;
  }));
  const rows = wiring.keyboards.map((keyboard) => make("tr", {},
    make("th", { scope: "row", textContent: keyboard.name, className: "wiring-keyboard", draggable: true, ondragstart: (event) => event.dataTransfer.setData("text/plain", keyboard.address) }),
    ...targets.map((port) => make("td", {}, make("input", { type: "checkbox", "aria-label": `${keyboard.name} plays ${port.name}`, checked: keyboard.plays.includes(port.name), onchange: (event) => set(keyboard, port, event.target.checked) })))));
  if (rows.length === 0) rows.push(make("tr", {}, make("td", { className: "dim", colSpan: targets.length + 1, textContent: "There is no keyboard: plug one in and switch it on." })));
  $("wiring-table").replaceChildren(make("thead", {}, head), make("tbody", {}, ...rows));
}
