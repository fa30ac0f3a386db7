// Selecting and saving a part.

let takeDrag = null;
const takeTime = (event) => {
  const box = takeCanvas.getBoundingClientRect();
  return clamp(((event.clientX - box.left - 38) / (takeCanvas.clientWidth - 46)) * take.end, 0, take.end);
};
takeCanvas.addEventListener("pointerdown", (event) => {
  if (!take) return;
  takeDrag = takeTime(event);
  takeCanvas.setPointerCapture(event.pointerId);
});
takeCanvas.addEventListener("pointermove", (event) => {
  if (takeDrag === null || !take) return;
  const time = takeTime(event);
  selection = { from: Math.min(takeDrag, time), to: Math.max(takeDrag, time) };
  showSelection();
});
takeCanvas.addEventListener("pointerup", () => {
  takeDrag = null;
  // A click selects everything.
  if (take && selection.to - selection.from < 0.02) { selection = { from: 0, to: take.end }; showSelection(); }
});
for (const id of ["take-from", "take-to"]) {
  $(id).addEventListener("change", () => {
    if (!take) return;
    const from = readClock($("take-from").value) ?? selection.from, to = readClock($("take-to").value) ?? selection.to;
    selection = { from: clamp(Math.min(from, to), 0, take.end), to: clamp(Math.max(from, to), 0, take.end) };
    showSelection();
  });
}
$("take-all").onclick = () => { if (take) { selection = { from: 0, to: take.end }; showSelection(); } };
$("take-refresh").onclick = attempt(loadTake);
$("take-save").onclick = () => saveFile("take.mid", "audio/midi", writeMIDI(take, selection.from, selection.to));
