// The picture of the notes.

function drawTake() {
  if (takeCanvas.clientWidth === 0) return;
  const context = prepare(takeCanvas), width = takeCanvas.clientWidth, height = takeCanvas.clientHeight;
  if (!take) return;
  const notes = take.tracks.flatMap((track) => track.notes);
  const low = Math.min(...notes.map((note) => note.key)) - 3, high = Math.max(...notes.map((note) => note.key)) + 3;
  const rowHeight = (height - 22) / (high - low + 1);
  const x = (seconds) => 38 + (seconds / Math.max(take.end, 0.1)) * (width - 46);
  const y = (key) => (high - key) * rowHeight;
  for (let key = low; key <= high; key += 1) {
    if (isBlack(key)) { context.fillStyle = colors.panel; context.fillRect(38, y(key), width - 46, rowHeight); }
    if (key % 12 === 0) {
      context.fillStyle = colors.line;
      context.fillRect(38, y(key) + rowHeight, width - 46, 1);
      context.fillStyle = colors.dim;
      context.font = "11px system-ui, sans-serif";
      context.textAlign = "right";
      context.fillText(noteName(key), 32, y(key) + rowHeight);
    }
  }
  const step = [0.5, 1, 2, 5, 10, 30, 60, 120, 300, 600].find((step) => (take.end / step) * 64 < width) ?? 600;
  context.textAlign = "center";
  for (let time = 0; time <= take.end; time += step) {
    context.fillStyle = colors.line;
    context.fillRect(x(time), 0, 1, height - 20);
    context.fillStyle = colors.dim;
    context.fillText(step < 1 ? clock(time) : clock(time).replace(/\.0$/, ""), x(time), height - 5);
  }
  const tracks = take.tracks.filter((track) => track.notes.length > 0);
  tracks.forEach((track, index) => {
    context.fillStyle = palette(index);
    for (const note of track.notes) {
      const isChosen = note.end >= selection.from && note.begin <= selection.to;
      context.globalAlpha = isChosen ? 0.45 + (0.55 * note.velocity) / 127 : 0.2;
      context.fillRect(x(note.begin), y(note.key) + 0.5, Math.max(2, x(note.end) - x(note.begin)), Math.max(2, rowHeight - 1));
    }
  });
  context.globalAlpha = 1;
  if (selection.from > 0 || selection.to < take.end) {
    context.fillStyle = colors.accent;
    context.globalAlpha = 0.12;
    context.fillRect(x(selection.from), 0, x(selection.to) - x(selection.from), height - 20);
    context.globalAlpha = 1;
    context.fillRect(x(selection.from), 0, 2, height - 20);
    context.fillRect(x(selection.to) - 2, 0, 2, height - 20);
  }
}
