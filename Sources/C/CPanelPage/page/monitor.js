// Levels, hosts, the sound device, keyboards and the log.

import { $, attempt, clamp, colors, drawSoon, isShown, make, parts, prepare } from "./page.js";
import { port, ports, server, takesMIDI } from "./server.js";
import { restartSound } from "./sound.js";

// Levels with peak hold and clips.
export const meters = {
  rows: new Map(),
  last: 0,

  follow(status) {
    const names = status.ports.map((port) => port.name);
    if (names.join("\n") !== [...this.rows.keys()].join("\n")) this.build(names);
    let voices = 0, most = 0;
    for (const item of status.ports) {
      const row = this.rows.get(item.name);
      voices += item.voices ?? 0;
      most += item.mostVoices ?? 0;
      row.isPlayed = Boolean(item.peaks);
      for (const side of [0, 1]) {
        const level = item.peaks?.[side] ?? 0;
        row.target[side] = level;
        row.level[side] = Math.max(row.level[side], level);
        if (level >= row.hold[side]) { row.hold[side] = level; row.holdTime[side] = performance.now(); }
        if (level > 1) row.isClipped = true;
      }
      const peak = Math.max(...row.hold);
      const text = item.peaks ? (peak > 0 ? `${(20 * Math.log10(peak)).toFixed(1)} dB` : "−∞ dB").replace("-", "−") : item.host ? "by host" : "idle";
      row.value.textContent = text;
      if (item.name === port?.name) {
        $("now-level").textContent = row.isClipped ? "CLIP" : text;
        $("now-level").title = row.isClipped ? "The level was above full scale: lower the volume." : "";
      }
      row.clip.classList.toggle("on", row.isClipped);
      row.clip.textContent = row.isClipped ? "CLIP" : "clip";
    }
    $("sound-device").textContent = status.sound ?? "closed: it opens when a keyboard or a page plays a port";
    $("sound-xruns").textContent = `${status.xruns}`;
    $("sound-voices").textContent = voices > 0 ? `${voices} now, ${most} at most` : `${most} at most`;
  },

  build(names) {
    this.rows.clear();
    $("meters").replaceChildren(...names.map((name) => {
      const row = {
        level: [0, 0], target: [0, 0], hold: [0, 0], holdTime: [0, 0], isClipped: false, isPlayed: false,
        canvas: make("canvas", { className: "level", role: "img", "aria-label": `Level of ${name}` }), value: make("span", { className: "number" }), clip: make("span", { className: "clip" }),
      };
      this.rows.set(name, row);
      return make("div", { className: "meter" }, make("span", { textContent: name }), row.canvas, row.value, row.clip);
    }));
  },

  // Returns whether anything still moves.
  draw(time) {
    const seconds = clamp((time - this.last) / 1000, 0, 0.1);
    this.last = time;
    let isMoving = false;
    const place = (level) => clamp(1 + (20 * Math.log10(Math.max(level, 1e-5))) / 60, 0, 1);
    for (const [name, row] of this.rows) {
      for (const side of [0, 1]) {
        // Falls by 24 dB per second; peaks stay for 1.5 s.
        row.level[side] = Math.max(row.target[side], row.level[side] * 10 ** ((-24 * seconds) / 20));
        if (row.level[side] < 1e-4) row.level[side] = 0;
        if (time - row.holdTime[side] > 1500) row.hold[side] = Math.max(row.level[side], row.hold[side] * 10 ** ((-24 * seconds) / 20));
        if (row.hold[side] < 1e-4) row.hold[side] = 0;
        if (row.level[side] > 0 || row.hold[side] > 0) isMoving = true;
      }
      for (const canvas of [row.canvas, ...(name === port?.name ? [$("now-meter")] : [])]) if (canvas.clientWidth > 0) this.drawRow(row, canvas, place);
    }
    return isMoving;
  },

  drawRow(row, canvas, place) {
    const context = prepare(canvas), width = canvas.clientWidth, thickness = canvas.clientHeight / 2 - 1;
    for (const side of [0, 1]) {
      const y = side * (thickness + 2);
      context.fillStyle = colors.raised;
      context.fillRect(0, y, width, thickness);
      context.fillStyle = row.isClipped ? colors.alarm : colors.accent;
      context.fillRect(0, y, width * place(row.level[side]), thickness);
      if (row.hold[side] > 0) {
        context.fillStyle = row.hold[side] > 1 ? colors.alarm : colors.title;
        context.fillRect(clamp(width * place(row.hold[side]) - 2, 0, width - 2), y, 2, thickness);
      }
    }
    context.fillStyle = colors.line;
    for (const decibels of [-48, -36, -24, -12]) context.fillRect(Math.round(width * (1 + decibels / 60)), 0, 1, canvas.clientHeight);
  },
};
$("clear-clips").onclick = () => {
  for (const row of meters.rows.values()) { row.isClipped = false; row.clip.classList.remove("on"); row.clip.textContent = "clip"; row.hold = [0, 0]; }
  $("now-level").title = "";
  drawSoon();
};

// Hosts, transport and load of the ports.
async function loadReport() {
  const report = await server.list("report");
  $("port-table").tBodies[0].replaceChildren(...report.items.map((item) => {
    const song = item.song, rendering = item.rendering;
    const transport = song ? `${song.isPlaying ? "playing" : "stopped"}${song.isRecording ? ", recording" : ""}, beat ${song.beat.toFixed(1)}, ${song.tempo.toFixed(1)} bpm, ${song.meter}` : "–";
    // With several hosts, whose round trip it is.
    const roundTrips = (item.roundTrips ?? []).map((one, _, all) =>
      `${all.length > 1 ? `${one.host.name} (${one.host.processID}): ` : ""}${Math.round(one.median)} µs, longest ${Math.round(one.longest)} µs`);
    const cell = (text, className = "") => make("td", { textContent: text, className });
    return make("tr", {}, make("th", { scope: "row", textContent: item.port.name }),
      cell(item.host ? `${item.host.name}${item.hostCount > 1 ? ` and ${item.hostCount - 1} more` : ""}` : "–"), cell(transport), cell(item.players.join(", ") || "–"),
      cell(rendering ? `${(rendering.load * 100).toFixed(1)} %` : "–", "number"), cell(roundTrips.join("; ") || "–", "number"), cell(`${rendering?.lateCycles ?? "–"}`, "number"), cell(`${rendering?.lateEvents ?? "–"}`, "number"),
      cell(rendering ? rendering.unit.map((figure) => `${figure.name} ${figure.value}`).join(", ") : ""));
  }));
}

$("restart-sound").onclick = restartSound;

$("doctor-check").onclick = attempt(async () => {
  $("doctor-check").disabled = true;
  try {
    $("doctor-empty").textContent = "Checking…";
    const { findings } = await server.request("panel.doctor", {});
    $("doctor-empty").hidden = true;
    $("doctor-list").replaceChildren(...findings.map((finding) => make("li", {},
      make("span", { className: finding.verdict, textContent: finding.verdict }), make("span", { textContent: `${finding.subject}: ${finding.message}` }),
      ...(finding.remedy ? [make("span", { className: "remedy", textContent: finding.remedy })] : []))));
  } finally {
    $("doctor-empty").textContent = "Nothing has been checked yet.";
    $("doctor-check").disabled = false;
  }
});

// Which keyboards play which ports.
export async function loadWiring() {
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

function addLogLine(line) {
  const isAtEnd = $("log").scrollTop + $("log").clientHeight >= $("log").scrollHeight - 4;
  const kind = line.startsWith("portative:") ? "error" : line.startsWith("warning:") ? "warning" : "";
  $("log").append(make("div", { className: kind, textContent: line }));
  while ($("log").children.length > 200) $("log").firstChild.remove();
  if (isAtEnd) $("log").scrollTop = $("log").scrollHeight;
}

parts.push({
  view: "monitor",
  connected: loadWiring,
  follow(status) {
    for (const line of status.log) addLogLine(line);
    meters.follow(status);
  },
  show: loadReport,
  async update() { if (isShown("monitor")) await loadReport(); },
  draw: drawSoon,
  animate: (time) => meters.draw(time),
});
