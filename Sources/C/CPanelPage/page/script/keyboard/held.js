// What the page holds on its keyboard.

const keysCanvas = $("keys");
let remoteKeys = new Set();
const held = new Map(); // What holds a key: a pointer's number or a key's code, and its key.
let lowest = Number(localStorage.getItem("lowest") ?? 48);
let isSustained = false;
let zones = [];
const trail = []; // Notes that move upwards above the keyboard.

const count = (key) => [...held.values()].filter((other) => other === key).length;

function press(holder, key, velocity) {
  if (!isConnected || key < 0 || key > 127 || held.get(holder) === key) return;
  if (held.has(holder)) release(holder);
  held.set(holder, key);
  if (count(key) === 1) server.notify("panel.midi", { bytes: [0x90, key, clamp(Math.round(velocity), 1, 127)] });
  drawSoon();
}

function release(holder) {
  const key = held.get(holder);
  if (key === undefined) return;
  held.delete(holder);
  if (count(key) === 0) server.notify("panel.midi", { bytes: [0x80, key, 64] });
  drawSoon();
}

function releaseAll() {
  if (held.size > 0 || isSustained) server.notify("panel.release", {});
  held.clear();
  setSustain(false, true);
}

function setSustain(isOn, isSilent = false) {
  if (isOn === isSustained) return;
  isSustained = isOn;
  $("sustain").setAttribute("aria-pressed", `${isOn}`);
  if (!isSilent) server.notify("panel.midi", { bytes: [0xb0, 64, isOn ? 127 : 0] });
}

$("sustain").onclick = () => setSustain(!isSustained);
// On small screens, where the slider is hidden, the place on the key gives all velocities.
const velocity = () => ($("velocity").offsetParent ? Number($("velocity").value) : 127);
$("velocity").addEventListener("input", () => { $("velocity-value").textContent = $("velocity").value; });
