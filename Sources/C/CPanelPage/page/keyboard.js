// The keyboard: what the page holds on it, its picture, and panic.

import { $, attempt, clamp, colors, drawSoon, isBlack, isDark, isShown, isStill, noteName, palette, parts, pictureFont, prepare } from "./page.js";
import { isConnected, port, server, takesMIDI } from "./server.js";
import { zones } from "./zones.js";

export const keysCanvas = $("keys");
export let remoteKeys = new Set();
const held = new Map(); // What holds a key: a pointer's number or a key's code, and its key.
let lowest = Number(localStorage.getItem("lowest") ?? 48);
let isSustained = false;

const count = (key) => [...held.values()].filter((other) => other === key).length;

function press(holder, key, velocity) {
  // Effects have no keys.
  if (!isConnected || !port || !takesMIDI(port) || key < 0 || key > 127 || held.get(holder) === key) return;
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
$("velocity").addEventListener("dblclick", () => {
  $("velocity").value = $("velocity").defaultValue;
  $("velocity-value").textContent = $("velocity").value;
});

export const panic = attempt(async () => {
  releaseAll();
  await server.request("panic", {});
});
$("panic").onclick = panic;

function setLowest(key) {
  lowest = clamp(key, 0, 96);
  localStorage.setItem("lowest", `${lowest}`);
  $("octave").textContent = noteName(lowest);
  layoutKeys();
  drawSoon();
}
$("octave-down").onclick = () => setLowest(lowest - 12);
$("octave-up").onclick = () => setLowest(lowest + 12);

function keyAt(event) {
  const box = keysCanvas.getBoundingClientRect();
  const x = event.clientX - box.left, y = event.clientY - box.top;
  const inside = (key) => x >= key.x && x < key.x + key.width && y >= key.y && y < key.y + key.height;
  const found = layout.keys.findLast(inside);
  if (!found) return null;
  // Lower on the key is louder, up to the velocity that is set.
  const depth = (y - found.y) / found.height;
  return { key: found.key, velocity: velocity() * (0.45 + 0.55 * clamp(depth * 1.25, 0, 1)) };
}

keysCanvas.addEventListener("pointerdown", (event) => {
  if (event.button !== 0) return;
  const hit = keyAt(event);
  if (!hit) return;
  event.preventDefault();
  keysCanvas.focus({ preventScroll: true });
  keysCanvas.setPointerCapture(event.pointerId);
  press(event.pointerId, hit.key, hit.velocity);
});
keysCanvas.addEventListener("pointermove", (event) => {
  if (!held.has(event.pointerId)) return;
  const hit = keyAt(event);
  if (hit) press(event.pointerId, hit.key, hit.velocity);
});
for (const type of ["pointerup", "pointercancel", "lostpointercapture"]) {
  keysCanvas.addEventListener(type, (event) => release(event.pointerId));
}
keysCanvas.addEventListener("contextmenu", (event) => event.preventDefault());

// The keys of the computer as keys of a piano.
const keyCodes = ["KeyA", "KeyW", "KeyS", "KeyE", "KeyD", "KeyF", "KeyT", "KeyG", "KeyY", "KeyH", "KeyU", "KeyJ", "KeyK", "KeyO", "KeyL", "KeyP"];
const isTyping = (target) => target.closest("input, select, textarea, dialog") !== null;

addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !event.shiftKey && !event.repeat && !isTyping(event.target)) panic();
  if (event.ctrlKey || event.altKey || event.metaKey || isTyping(event.target)) return;
  const offset = keyCodes.indexOf(event.code);
  if (offset >= 0) {
    if (!event.repeat) press(event.code, clamp(Math.floor(lowest / 12) * 12, 0, 108) + offset, velocity());
  } else if (event.code === "KeyZ") setLowest(lowest - 12);
  else if (event.code === "KeyX") setLowest(lowest + 12);
  else if (event.code === "Space" && (event.target === keysCanvas || event.target === document.body)) setSustain(true);
  else return;
  event.preventDefault();
});
addEventListener("keyup", (event) => {
  release(event.code);
  if (event.code === "Space" && (event.target === keysCanvas || event.target === document.body)) setSustain(false);
});
addEventListener("blur", () => releaseAll());
addEventListener("pagehide", () => releaseAll());
document.addEventListener("visibilitychange", () => { if (document.hidden) releaseAll(); });

// Rectangles of the keys in CSS pixels, white ones first.
export let layout = { keys: [], width: 0, height: 0, top: 0 };

function layoutKeys() {
  const width = keysCanvas.clientWidth, height = keysCanvas.clientHeight;
  const whiteCount = clamp(Math.floor(width / 26), 8, 52);
  // Within the range of a piano as far as possible.
  const whites = Array.from({ length: 128 }, (_, key) => key).filter((key) => !isBlack(key));
  const last = whites.indexOf(whiteCount > 51 ? 127 : Math.max(108, Math.min(127, lowest + 12)));
  const first = whiteCount > 51 ? 21 : whites[Math.max(0, Math.min(whites.indexOf(lowest), last - whiteCount + 1))];
  const keys = [];
  const whiteWidth = width / whiteCount;
  const top = Math.round(isShown("play") ? Math.min(height * 0.5, zones.length * 18 + height * 0.24) : Math.min(height * 0.4, zones.length * 9));
  let white = 0;
  for (let key = first; white <= whiteCount && key < 128; key += 1) {
    if (isBlack(key)) {
      if (white > 0 && white < whiteCount) keys.push({ key, isBlack: true, x: white * whiteWidth - whiteWidth * 0.3, width: whiteWidth * 0.6, y: top, height: (height - top) * 0.62 });
    } else {
      if (white < whiteCount) keys.push({ key, isBlack: false, x: white * whiteWidth, width: whiteWidth, y: top, height: height - top });
      white += 1;
    }
  }
  const base = clamp(Math.floor(lowest / 12) * 12, 0, 108);
  for (const key of keys) key.letter = keyCodes[key.key - base]?.at(-1);
  layout = { keys: keys.sort((a, b) => a.isBlack - b.isBlack), width, height, top, whiteWidth, first };
}

function drawKeys(time) {
  // Effects and the stage view have no keyboard.
  if (keysCanvas.clientWidth === 0) {
    trail.length = 0;
    return false;
  }
  if (keysCanvas.clientWidth !== layout.width || keysCanvas.clientHeight !== layout.height) layoutKeys();
  const context = prepare(keysCanvas);
  const sounding = new Set([...remoteKeys, ...held.values()]);
  const { keys, width, height, top } = layout;
  context.fillStyle = colors.panel;
  context.fillRect(0, 0, width, top);
  const zoneHeight = zones.length > 0 ? Math.min(18, Math.max(3, top / zones.length - (isShown("play") ? 4 : 0))) : 0;
  const roof = zones.length * zoneHeight;
  const isMoving = drawTrail(context, time, sounding, top, roof);
  drawZones(context, zoneHeight);
  for (const key of keys) {
    const isOn = sounding.has(key.key);
    context.fillStyle = isOn ? colorOf(key.key) : colors[key.isBlack ? "black-key" : "white-key"];
    context.beginPath();
    context.roundRect(key.x + 0.5, key.y, key.width - 1, key.height, [0, 0, 4, 4]);
    context.fill();
    if (key.letter && width > 700 && height > 120 && key.width > 14) {
      context.fillStyle = isOn ? colors["on-color"] : key.isBlack ? colors["key-line"] : colors["key-text"];
      context.font = pictureFont();
      context.textAlign = "center";
      context.fillText(key.letter, key.x + key.width / 2, key.y + key.height - (key.isBlack ? 8 : 22));
    }
    if (!key.isBlack) {
      context.strokeStyle = colors["key-line"];
      context.lineWidth = 1;
      context.stroke();
      if (key.key % 12 === 0) {
        context.fillStyle = isOn ? colors["on-color"] : colors["key-text"];
        context.font = pictureFont();
        context.textAlign = "center";
        context.fillText(noteName(key.key), key.x + key.width / 2, key.y + key.height - 7);
      }
    } else if (isDark.matches && !isOn) {
      context.strokeStyle = colors.line;
      context.stroke();
    }
  }
  return isMoving;
}

function zoneOf(key) { return zones.findIndex((zone) => key >= zone.low && key <= zone.high); }
function colorOf(key) { return palette(Math.max(0, zoneOf(key))); }

// Notes that move upwards from their keys.
export const trail = [];
const trailSeconds = 2.2;

function drawTrail(context, time, sounding, top, roof) {
  if (isStill.matches) { trail.length = 0; return false; }
  for (const key of sounding) if (!trail.some((note) => note.key === key && note.end === null)) trail.push({ key, begin: time, end: null });
  for (const note of trail) if (note.end === null && !sounding.has(note.key)) note.end = time;
  const room = top - roof;
  for (let index = trail.length - 1; index >= 0; index -= 1) if (trail[index].end !== null && time - trail[index].end > trailSeconds * 1000) trail.splice(index, 1);
  for (const note of trail) {
    const key = layout.keys.find((key) => key.key === note.key);
    if (!key) continue;
    const y = (moment) => top - ((time - moment) / 1000 / trailSeconds) * room;
    const upper = Math.max(roof, y(note.begin)), lower = note.end === null ? top : y(note.end);
    context.fillStyle = colorOf(note.key);
    context.globalAlpha = note.end === null ? 0.95 : 0.55;
    const inset = key.isBlack ? 1 : key.width * 0.22;
    context.fillRect(key.x + inset, upper, key.width - 2 * inset, Math.max(2, lower - upper));
  }
  context.globalAlpha = 1;
  return trail.length > 0;
}

function drawZones(context, height) {
  zones.forEach((zone, index) => {
    const left = layout.keys.filter((key) => key.key >= zone.low && key.key <= zone.high);
    if (left.length === 0) return;
    const begin = Math.min(...left.map((key) => key.x)), end = Math.max(...left.map((key) => key.x + key.width));
    context.fillStyle = palette(index);
    context.fillRect(begin + 1, index * height + 1, end - begin - 2, height - 2);
    if (height < 15) return;
    context.fillStyle = colors["on-color"];
    context.font = pictureFont(600);
    context.textAlign = "left";
    context.save();
    context.beginPath();
    context.rect(begin, index * height, end - begin, height);
    context.clip();
    context.fillText(zone.label, begin + 6, index * height + height - 4);
    context.restore();
  });
}

parts.push({
  leave: releaseAll,
  disconnected() {
    releaseAll();
    remoteKeys = new Set();
    drawSoon();
  },
  follow(status) {
    remoteKeys = new Set(status.ports.find((item) => item.name === port?.name)?.keys ?? []);
    drawSoon();
  },
  draw() {
    layoutKeys();
    drawSoon();
  },
  animate: drawKeys,
});
setLowest(lowest);
