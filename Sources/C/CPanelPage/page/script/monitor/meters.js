// Levels with peak hold and clips.

const meters = {
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
      row.value.textContent = item.peaks ? (peak > 0 ? `${(20 * Math.log10(peak)).toFixed(1)} dB` : "−∞ dB").replace("-", "−") : item.host ? "by host" : "idle";
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
        canvas: make("canvas", { role: "img", "aria-label": `Level of ${name}` }), value: make("span", { className: "number" }), clip: make("span", { className: "clip" }),
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
    for (const row of this.rows.values()) {
      for (const side of [0, 1]) {
        // Falls by 24 dB per second; peaks stay for 1.5 s.
        row.level[side] = Math.max(row.target[side], row.level[side] * 10 ** ((-24 * seconds) / 20));
        if (row.level[side] < 1e-4) row.level[side] = 0;
        if (time - row.holdTime[side] > 1500) row.hold[side] = Math.max(row.level[side], row.hold[side] * 10 ** ((-24 * seconds) / 20));
        if (row.hold[side] < 1e-4) row.hold[side] = 0;
        if (row.level[side] > 0 || row.hold[side] > 0) isMoving = true;
      }
      if (row.canvas.clientWidth === 0) continue;
      const context = prepare(row.canvas), width = row.canvas.clientWidth;
      for (const side of [0, 1]) {
        const y = side * 12;
        context.fillStyle = colors.raised;
        context.fillRect(0, y, width, 9);
        context.fillStyle = row.isClipped ? colors.alarm : colors.accent;
        context.fillRect(0, y, width * place(row.level[side]), 9);
        if (row.hold[side] > 0) {
          context.fillStyle = row.hold[side] > 1 ? colors.alarm : colors.title;
          context.fillRect(clamp(width * place(row.hold[side]) - 2, 0, width - 2), y, 2, 9);
        }
      }
      context.fillStyle = colors.line;
      for (const decibels of [-48, -36, -24, -12]) context.fillRect(Math.round(width * (1 + decibels / 60)), 0, 1, 21);
    }
    return isMoving;
  },
};
$("clear-clips").onclick = () => {
  for (const row of meters.rows.values()) { row.isClipped = false; row.clip.classList.remove("on"); row.clip.textContent = "clip"; row.hold = [0, 0]; }
  drawSoon();
};
