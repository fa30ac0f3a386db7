// A song beside the keyboards: a file of the user, its transport, its words, a mixer of its channels, and its sound as a file.

import { soundFont } from "./audition.js";
import { $, attempt, clock, isShown, make, parts, showNotice } from "./page.js";
import { presets } from "./play.js";
import { isConnected, server } from "./server.js";
import { showMixer } from "./mixer.js";
import { remember } from "./undo.js";
import { loadWords, showWords } from "./words.js";

export let song = null; // As the server reports it.
let readTime = 0; // When it was read.
let revision = null;

// The bytes of a part, so that its text fits into a message of a page.
const partBytes = 45_000;
const longestFile = 64 << 20;

function base64(bytes) {
  let text = "";
  for (let begin = 0; begin < bytes.length; begin += 8192) text += String.fromCharCode(...bytes.subarray(begin, begin + 8192));
  return btoa(text);
}

const load = attempt(async (file) => {
  if (file.size === 0 || file.size > longestFile) throw new Error(`“${file.name}” has ${Math.round(file.size / 1e6)} MB, and a song 1 byte to ${longestFile >> 20} MiB: choose another file.`);
  const bytes = new Uint8Array(await file.arrayBuffer());
  $("song-loading").hidden = false;
  $("song-loading").value = 0;
  try {
    let status;
    for (let offset = 0; offset < bytes.length; offset += partBytes) {
      const data = base64(bytes.subarray(offset, offset + partBytes));
      status = await server.request("loadSong", { name: file.name, data, offset, total: bytes.length, ...(soundFont() && { soundFont: soundFont() }) });
      $("song-loading").value = Math.min(1, (offset + partBytes) / bytes.length);
    }
    follow(status);
  } finally {
    $("song-loading").hidden = true;
  }
});

const choose = (files) => { if (files.length > 0) load(files[0]); };
$("song-choose").onclick = () => $("song-file").click();
$("song-file").addEventListener("change", () => {
  choose($("song-file").files);
  // So that the same file can be chosen again.
  $("song-file").value = "";
});
const hasFiles = (event) => event.dataTransfer?.types.includes("Files");
for (const name of ["dragover", "dragenter"]) {
  addEventListener(name, (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    document.body.classList.toggle("dropping", isShown("song"));
  });
}
addEventListener("dragleave", (event) => { if (!event.relatedTarget) document.body.classList.remove("dropping"); });
// A file that is dropped elsewhere must not replace the page.
addEventListener("drop", (event) => {
  if (!hasFiles(event)) return;
  event.preventDefault();
  document.body.classList.remove("dropping");
  if (isShown("song") && isConnected) choose(event.dataTransfer.files);
});

function follow(status) {
  song = status.song ?? null;
  readTime = performance.now();
  $("song-empty").hidden = Boolean(song);
  $("song-player").hidden = $("song-remove").hidden = !song;
  $("song-mixer-card").hidden = !(song?.channels.length > 0);
  $("song-click").setAttribute("aria-pressed", `${status.isClicking}`);
  $("song-problem").textContent = status.problem ? `${status.problem.charAt(0).toUpperCase()}${status.problem.slice(1)}.` : "";
  $("song-problem").hidden = !status.problem;
  if (!song) {
    revision = null;
    return;
  }
  const isNew = song.revision !== revision;
  revision = song.revision;
  if (isNew) {
    loadWords(song).catch(() => {});
    $("song-seek").max = song.length;
  }
  showSong();
  showMixer(song, isNew);
}

function showSong() {
  const isMIDI = song.kind === "midi";
  $("song-name").textContent = song.name;
  $("song-name").title = song.name;
  $("song-play").textContent = song.isPlaying ? "Stop" : "Play";
  $("song-play").setAttribute("aria-pressed", `${song.isPlaying}`);
  setValue("song-tempo", song.tempoPercent, `${song.tempoPercent} %`);
  setValue("song-level", song.level, `${song.level.toFixed(1)} dB`.replace("-", "−"));
  $("song-transposition").textContent = `${song.transposition > 0 ? "+" : ""}${song.transposition}`.replace("-", "−");
  $("song-count-in").value = `${song.countIn}`;
  for (const id of ["song-tempo", "song-transpose-down", "song-transpose-up", "song-render"]) $(id).disabled = !isMIDI;
  for (const id of ["song-bar-back", "song-bar-on", "song-loop", "song-loop-first", "song-loop-last"]) $(id).disabled = !song.bars;
  $("song-loop").setAttribute("aria-pressed", `${Boolean(song.loop)}`);
  for (const [id, value] of [["song-loop-first", song.loop?.first], ["song-loop-last", song.loop?.last]]) {
    $(id).max = song.bars ?? 1;
    if (value && document.activeElement !== $(id)) $(id).value = value;
  }
  showPosition();
}

// What is being moved keeps its place.
function setValue(id, value, text) {
  if (!$(id).matches(":active")) $(id).value = value;
  $(`${id}-value`).textContent = text;
  $(id).setAttribute("aria-valuetext", text);
}

// Between two answers of the server, the song goes on.
export const position = () => (song.isPlaying ? Math.min(song.length, song.position + (performance.now() - readTime) / 1000) : song.position);

function showPosition() {
  const now = position();
  if (!$("song-seek").matches(":active")) $("song-seek").value = now;
  $("song-seek").setAttribute("aria-valuetext", clock(Math.max(0, now)));
  const place = song.bar ? `bar ${song.bar}.${song.beat} of ${song.bars}` : now < 0 ? "count-in" : "";
  const tempo = song.tempo ? `${Math.round(song.tempo)} bpm` : "";
  $("song-time").textContent = `${now < 0 ? "−" : ""}${clock(Math.abs(now))} / ${clock(song.length)}`;
  $("song-place").textContent = [place, song.meter, tempo].filter(Boolean).join(" · ");
  showWords(now);
}

const command = attempt(async (command, values = {}) => follow(await server.request("commandSong", { command, ...values })));

// Changes something, and remembers what was there before.
export const changeSong = attempt(async (name, change, earlier) => {
  const own = revisionless(song);
  remember(`song ${name}`, `${name} of ${song.name}`, async () => {
    if (song && revisionless(song) === own) follow(await server.request("changeSong", earlier));
  });
  follow(await server.request("changeSong", change));
});
const revisionless = (song) => `${song.name} ${song.channels.length} ${song.soundFont ?? ""}`;

$("song-play").onclick = () => command(song.isPlaying ? "stop" : "continue");
$("song-start").onclick = () => (song.isPlaying ? command("start") : command("jump", { position: 0 }));
$("song-bar-back").onclick = () => command("jump", { bar: Math.max(1, (song.bar ?? 1) - 1) });
$("song-bar-on").onclick = () => command("jump", { bar: Math.min(song.bars, (song.bar ?? 0) + 1) });
$("song-seek").addEventListener("change", () => command("jump", { position: Number($("song-seek").value) }));
$("song-seek").addEventListener("input", () => { $("song-time").textContent = `${clock(Number($("song-seek").value))} / ${clock(song.length)}`; });
const slide = (id, name, field, usual) => {
  const send = (value) => changeSong(name, { [field]: value }, { [field]: song[field] });
  $(id).addEventListener("change", () => send(Number($(id).value)));
  $(id).addEventListener("dblclick", () => send(usual));
};
slide("song-tempo", "Tempo", "tempoPercent", 100);
slide("song-level", "Level", "level", 0);
const transpose = (step) => changeSong("Transposition", { transposition: song.transposition + step }, { transposition: song.transposition });
$("song-transpose-down").onclick = () => transpose(-1);
$("song-transpose-up").onclick = () => transpose(1);
$("song-transposition").parentElement.addEventListener("dblclick", () => transpose(-song.transposition));
$("song-click").onclick = attempt(async () => follow(await server.request("changeSong", { isClicking: $("song-click").getAttribute("aria-pressed") !== "true" })));
$("song-count-in").addEventListener("change", () => changeSong("Count-in", { countIn: Number($("song-count-in").value) }, { countIn: song.countIn }));
const loopBars = () => {
  const [first, last] = ["song-loop-first", "song-loop-last"].map((id) => Number($(id).value));
  return { bar: Math.min(first, last), lastBar: Math.max(first, last) };
};
$("song-loop").onclick = () => (song.loop ? command("endLoop") : command("loop", loopBars()));
for (const id of ["song-loop-first", "song-loop-last"]) $(id).addEventListener("change", () => { if (song.loop) command("loop", loopBars()); });
$("song-remove").onclick = attempt(async () => follow(await server.request("unloadSong", {})));
export const jumpTo = (time) => command("jump", { position: time });

// The song as it is set, in a file that the server renders and the browser saves.
$("song-render").onclick = attempt(async () => {
  $("song-render").disabled = true;
  $("song-render-message").textContent = "Rendering…";
  let text = "";
  try {
    const { path } = await server.request("panel.renderSong", { format: $("song-format").value });
    make("a", { href: path, download: "" }).click();
    text = "Rendered, and given to the browser.";
  } finally {
    $("song-render-message").textContent = text;
    $("song-render").disabled = song?.kind !== "midi";
  }
});

async function read() {
  follow(await server.request("song", {}));
}

// The transport is asked for while it moves and is shown.
let lastRead = 0;
let timer;
function tick() {
  clearTimeout(timer);
  if (!isShown("song") || !isConnected || document.hidden) return;
  const now = performance.now();
  if (song?.isPlaying) showPosition();
  if (now - lastRead >= (song?.isPlaying ? 250 : 1000)) {
    lastRead = now;
    read().catch(() => {});
  }
  timer = setTimeout(tick, song?.isPlaying ? 50 : 250);
}
document.addEventListener("visibilitychange", tick);

parts.push({
  view: "song",
  async show() {
    await read();
    tick();
  },
  presetsLoaded() { if (song) showMixer(song, true); },
  disconnected() { revision = null; },
});
