// What was just played, and the part of it that is selected.

import { $, announce, attempt, clamp, clock, colors, isBlack, noteName, palette, parts, pictureFont, prepare, readClock, saveFile } from "./page.js";
import { componentOf, port, server } from "./server.js";

export let take = null; // { rate, division, tempo, tracks: [{ name, port, events: [{ tick, bytes }], notes: [{ key, begin, end }] }], end }
export let selection = { from: 0, to: 0 };
const takeCanvas = $("take-roll");
// The selection remains if the take begins as before.
async function loadTake() {
  const earlier = take;
  const parts = [];
  let length = 0, answer;
  do {
    answer = await server.request("take", { keepsSilence: false, offset: length });
    const part = Uint8Array.from(atob(answer.data), (character) => character.charCodeAt(0));
    parts.push(part);
    length += part.length;
    if (part.length === 0) break;
  } while (length < answer.total);
  const limit = answer.take.limit;
  if (length === 0) {
    take = null;
    $("take-summary").textContent = limit > 0 ? `Nothing has been played yet. The server keeps the last ${Math.round(limit / 60)} minutes.` : "Nothing is recorded: the server has no sound device, or its configuration keeps no takes.";
  } else {
    const bytes = new Uint8Array(length);
    let offset = 0;
    for (const part of parts) { bytes.set(part, offset); offset += part.length; }
    take = readMIDI(bytes);
    // The first track has the tempo only.
    take.tracks.forEach((track, index) => { track.port = answer.take.ports[index - 1]?.name; });
    if (earlier && beginsAs(earlier, take)) {
      if (selection.to === earlier.end) selection.to = take.end;
    } else selection = { from: 0, to: take.end };
    const notes = take.tracks.reduce((sum, track) => sum + track.notes.length, 0);
    $("take-summary").textContent = `${notes} ${notes === 1 ? "note" : "notes"} in ${clock(take.end)}, of the last ${Math.round(limit / 60)} minutes${answer.take.hasLosses ? "; some events are missing" : ""}.`;
  }
  $("take-part").hidden = !take;
  for (const id of ["take-from", "take-to", "take-all", "take-save", "take-audio"]) $(id).disabled = !take;
  showSelection();
}

// Whether the server has forgotten nothing of an earlier take, whose times are the same then.
function beginsAs(earlier, later) {
  return earlier.tracks.every((track) => {
    const same = later.tracks.find((other) => other.name === track.name);
    return track.notes.slice(0, 8).every((note, index) => {
      const other = same?.notes[index];
      return other && other.begin === note.begin && other.key === note.key && other.velocity === note.velocity;
    });
  });
}

function showSelection() {
  $("take-from").value = clock(selection.from);
  $("take-to").value = clock(selection.to);
  drawTake();
}

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
      context.font = pictureFont();
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

let takeDrag = null; // The time and the place at which a drag began.
const takeTime = (event) => {
  const box = takeCanvas.getBoundingClientRect();
  return clamp(((event.clientX - box.left - 38) / (takeCanvas.clientWidth - 46)) * take.end, 0, take.end);
};
takeCanvas.addEventListener("pointerdown", (event) => {
  if (!take) return;
  takeDrag = { time: takeTime(event), x: event.clientX };
  takeCanvas.setPointerCapture(event.pointerId);
});
takeCanvas.addEventListener("pointermove", (event) => {
  if (takeDrag === null || !take) return;
  const time = takeTime(event);
  selection = { from: Math.min(takeDrag.time, time), to: Math.max(takeDrag.time, time) };
  showSelection();
});
takeCanvas.addEventListener("pointerup", (event) => {
  // A click selects everything.
  if (take && takeDrag && Math.abs(event.clientX - takeDrag.x) < 3) { selection = { from: 0, to: take.end }; showSelection(); }
  takeDrag = null;
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

// Saves the selected part with the sound that was heard. The server renders it, and chooses the folder.
$("take-audio").onclick = attempt(async () => {
  const earlier = take;
  $("take-audio").disabled = true;
  $("take-message").textContent = "Rendering…";
  let text = "";
  try {
    await loadTake();
    if (!take || !beginsAs(earlier, take)) throw new Error("The server has forgotten the beginning of what was played: select again.");
    $("take-audio").disabled = true;
    // The server counts from the first note of the port, whose zones have tracks of their own.
    const first = Math.min(...take.tracks.filter((track) => track.port === port.name && track.notes.length > 0).map((track) => track.notes[0].begin));
    const begin = Number.isFinite(first) ? first : 0;
    const part = { component: componentOf(port), from: selection.from - begin };
    // To the end, the sound fades out.
    if (selection.to < take.end) part.to = selection.to - begin;
    const { file } = await server.request("panel.saveTake", part);
    text = `${port.name}: saved as “${file.split("/").at(-1)}”`;
    announce("takeSaved").catch(() => {});
  } finally {
    $("take-message").textContent = text;
    $("take-audio").disabled = !take;
  }
});

// Reads a Standard MIDI File with one tempo, as the server writes it.
function readMIDI(bytes) {
  const data = new DataView(bytes.buffer);
  const result = { division: data.getUint16(12), tempo: 500000, tracks: [], end: 0 };
  let place = 8 + data.getUint32(4);
  while (place + 8 <= bytes.length) {
    const end = place + 8 + data.getUint32(place + 4);
    let at = place + 8, tick = 0, running = 0;
    const number = () => { let value = 0, byte; do { byte = bytes[at++]; value = value * 128 + (byte & 127); } while (byte & 128); return value; };
    const track = { name: "", events: [], notes: [] };
    while (at < end) {
      tick += number();
      if (bytes[at] & 128) running = bytes[at++];
      if (running === 0xff) {
        const type = bytes[at++], size = number(), content = bytes.subarray(at, at + size);
        at += size;
        if (type === 3) track.name = new TextDecoder().decode(content);
        if (type === 0x51) result.tempo = content[0] * 65536 + content[1] * 256 + content[2];
      } else if (running === 0xf0 || running === 0xf7) {
        const size = number();
        track.events.push({ tick, bytes: [running, ...variable(size), ...bytes.subarray(at, at + size)] });
        at += size;
      } else {
        const size = (running & 0xe0) === 0xc0 ? 1 : 2;
        track.events.push({ tick, bytes: [running, ...bytes.subarray(at, at + size)] });
        at += size;
      }
    }
    result.tracks.push(track);
    place = end;
  }
  const seconds = (tick) => (tick * result.tempo) / 1e6 / result.division;
  for (const track of result.tracks) {
    const open = new Map();
    for (const { tick, bytes: [status, key, velocity] } of track.events) {
      const slot = (status & 15) * 128 + key, kind = status & 0xf0;
      if (kind !== 0x90 && kind !== 0x80) continue;
      if (open.has(slot)) { open.get(slot).end = seconds(tick); open.delete(slot); }
      if (kind === 0x90 && velocity > 0) { const note = { key, velocity, begin: seconds(tick), end: seconds(tick) }; track.notes.push(note); open.set(slot, note); }
    }
    for (const event of track.events) result.end = Math.max(result.end, seconds(event.tick));
    for (const note of open.values()) note.end = result.end;
  }
  return result;
}

function variable(number) {
  const bytes = [number & 127];
  for (let rest = number >> 7; rest > 0; rest >>= 7) bytes.unshift((rest & 127) | 128);
  return bytes;
}

// Writes a part of the take: the settings before it, and its notes, which end with it.
function writeMIDI(take, from, to) {
  const ticks = (seconds) => Math.round((seconds * 1e6 * take.division) / take.tempo);
  const [first, last] = [ticks(from), ticks(to)];
  const text = (word) => [...new TextEncoder().encode(word)];
  const long = (number) => [number >>> 24, (number >> 16) & 255, (number >> 8) & 255, number & 255];
  const chunk = (events) => {
    const body = [];
    let tick = 0;
    for (const event of events) { body.push(...variable(event.tick - tick), ...event.bytes); tick = event.tick; }
    body.push(0, 0xff, 0x2f, 0);
    return [...text("MTrk"), ...long(body.length), ...body];
  };
  const tracks = take.tracks.filter((track) => track.notes.length > 0).map((track) => {
    const name = text(track.name);
    const settings = new Map(), events = [], held = new Set();
    for (const { tick, bytes } of track.events) {
      const [status, number, value] = bytes, kind = status & 0xf0, slot = (status & 15) * 128 + number;
      const isOn = kind === 0x90 && value > 0, isOff = kind === 0x80 || (kind === 0x90 && value === 0);
      if (tick < first) {
        if (!isOn && !isOff && kind !== 0xa0) { const place = kind === 0xb0 ? `${status} ${number}` : `${status} ${kind === 0xf0 ? tick : ""}`; settings.delete(place); settings.set(place, { tick: 0, bytes }); }
      } else if (tick < last || isOff) {
        if (isOff && !held.delete(slot)) continue;
        if (isOn) held.add(slot);
        events.push({ tick: Math.min(tick, last) - first, bytes });
      }
    }
    for (const slot of held) events.push({ tick: last - first, bytes: [0x80 | (slot >> 7), slot & 127, 64] });
    return chunk([{ tick: 0, bytes: [0xff, 3, ...variable(name.length), ...name] }, ...settings.values(), ...events]);
  });
  const tempo = chunk([{ tick: 0, bytes: [0xff, 0x51, 3, take.tempo >> 16, (take.tempo >> 8) & 255, take.tempo & 255] }]);
  return new Uint8Array([...text("MThd"), 0, 0, 0, 6, 0, 1, 0, tracks.length + 1, take.division >> 8, take.division & 255, ...tempo, ...tracks.flat()]);
}

parts.push({ view: "takes", show: loadTake, draw: drawTake });
