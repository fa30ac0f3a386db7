// What was changed in this page, so that it can be undone: with the button, or with Control and Z.

import { $, attempt, parts } from "./page.js";

const limit = 50;
// Within this time, changes of one thing are one change, such as the movement of a slider.
const gesture = 1000;
let changes = []; // { key, name, undo, time }
let isUndoing = false;

function show() {
  const last = changes.at(-1);
  $("undo").disabled = !last;
  $("undo").title = last ? `Undo: ${last.name}` : "Nothing to undo";
}

// - key: what was changed. - name: the same for who reads it. - undo(): brings back what was there before.
export function remember(key, name, undo) {
  if (isUndoing) return;
  const last = changes.at(-1), time = performance.now();
  if (last?.key === key && time - last.time < gesture) last.time = time;
  else changes.push({ key, name, undo, time });
  changes = changes.slice(-limit);
  show();
}

const undo = attempt(async () => {
  const last = changes.pop();
  if (!last || isUndoing) return;
  isUndoing = true;
  show();
  try {
    await last.undo();
  } finally {
    isUndoing = false;
  }
});
$("undo").onclick = undo;
addEventListener("keydown", (event) => {
  const isText = event.target.matches?.("input:not([type=range], [type=checkbox]), textarea");
  if (event.key !== "z" || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey || isText) return;
  event.preventDefault();
  undo();
});

function forget() {
  changes = [];
  show();
}
show();

parts.push({ leave: forget, disconnected: forget });
