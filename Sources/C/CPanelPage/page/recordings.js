// The recording of what is heard, and the list of recordings and saved takes: play, rename, trim, download, delete.

import { $, attempt, clamp, clock, confirmed, isShown, make, parts, readClock, showNotice } from "./page.js";
import { isConnected, server, status } from "./server.js";

// The button in Play.

let shownFailure = "";

const decibels = (peak) => (peak > 0 ? `${(20 * Math.log10(peak)).toFixed(1)} dB`.replace("-", "−") : "silent");

function showRecording() {
  const recording = status?.recording;
  const isOn = recording?.isOn === true;
  $("record").setAttribute("aria-pressed", `${isOn}`);
  $("record").textContent = isOn ? "Stop" : "Record";
  $("record").disabled = !isConnected || status?.silence?.kind === "none";
  const { seconds, peak, file } = recording ?? {};
  $("record-state").textContent = !isOn ? "" : seconds === undefined ? "Waits for the first sound" : `${clock(seconds)} · peak ${decibels(peak)}`;
  $("record-state").title = file ?? "";
  $("record-state").classList.toggle("alarm", isOn && peak > 1);
  const failure = recording?.failure ?? "";
  if (failure === shownFailure) return;
  if (shownFailure) showNotice("");
  shownFailure = failure;
  if (failure) showNotice(`${failure.charAt(0).toUpperCase()}${failure.slice(1)}.`, { text: "Close", run: () => showNotice("") });
}

const record = attempt(async (isOn) => {
  $("record").disabled = true;
  try {
    await server.request("panel.record", { isOn });
  } finally {
    $("record").disabled = false;
  }
  if (!isOn) await loadRecordings();
});
$("record").onclick = () => record(status?.recording?.isOn !== true);

// The list in Takes.

let recordings = [];
let opened = null; // { key, kind: "trim" or "rename", from, to }
const keyOf = ({ name }) => `${name.folder}/${name.file}`;
const stemOf = ({ name }) => name.file.replace(/\.[^.]*$/, "");
const sizeText = (bytes) => (bytes < 1e6 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`);
const dateText = (time) => new Date(time * 1000).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });

async function loadRecordings() {
  recordings = (await server.list("panel.recordings")).items;
  showRecordings();
}

// One recording is played at a time.
const audio = new Audio();
let playedKey = null;
let hasWaited = false;

const played = () => recordings.find((recording) => keyOf(recording) === playedKey);
const linkOf = async (recording, part, isForPlaying) => (await server.request("panel.linkRecording", { recording: recording.name, part, isForPlaying })).path;

const play = attempt(async (recording) => {
  const key = keyOf(recording);
  if (playedKey !== key) {
    audio.pause();
    playedKey = key;
    audio.src = await linkOf(recording, "audio", true);
    const range = opened?.key === key ? opened : null;
    if (range) audio.currentTime = range.from;
    hasWaited = false;
    showRecordings();
  }
  if (!audio.paused) return audio.pause();
  await audio.play();
});

audio.onerror = () => {
  // The link has ended, or the server has been restarted.
  const recording = played();
  if (!recording || hasWaited || !isConnected) return;
  const time = audio.currentTime;
  hasWaited = true;
  linkOf(recording, "audio", true).then((path) => {
    audio.src = path;
    audio.currentTime = time;
  }).catch(() => {});
};
for (const event of ["play", "pause", "ended", "timeupdate", "loadedmetadata", "seeked"]) audio.addEventListener(event, showPlayer);

function showPlayer() {
  const item = $("recording-list").querySelector(".played");
  const recording = played();
  if (!item || !recording) return;
  // The part that is being trimmed is what plays.
  if (opened?.key === playedKey && opened.kind === "trim" && !audio.paused && audio.currentTime >= opened.to) audio.pause();
  const button = item.querySelector(".play-button"), slider = item.querySelector(".seek");
  const isPlaying = !audio.paused && !audio.ended;
  button.textContent = isPlaying ? "❚❚" : "▶";
  button.setAttribute("aria-label", `${isPlaying ? "Pause" : "Play"} ${stemOf(recording)}`);
  if (document.activeElement !== slider || !slider.matches(":active")) slider.value = audio.currentTime;
  slider.setAttribute("aria-valuetext", clock(audio.currentTime));
  item.querySelector(".time").textContent = `${clock(audio.currentTime)} / ${clock(recording.seconds)}`;
}

const download = attempt(async (recording, part) => {
  const link = make("a", { href: await linkOf(recording, part, false), download: "" });
  link.click();
});

const remove = attempt(async (recording) => {
  if (!(await confirmed(`Delete “${stemOf(recording)}” for good? It cannot be brought back.`, "Delete"))) return;
  if (playedKey === keyOf(recording)) stopPlaying();
  await server.request("panel.deleteRecording", { recording: recording.name });
  await loadRecordings();
  ($("recording-list").querySelector("button") ?? $("take-refresh")).focus();
});

function stopPlaying() {
  playedKey = null;
  audio.pause();
  audio.removeAttribute("src");
}

function open(recording, kind) {
  const key = keyOf(recording);
  opened = opened?.key === key && opened.kind === kind ? null : { key, kind, from: 0, to: recording.seconds };
  showRecordings();
  const item = $("recording-list").querySelector(`[data-key="${CSS.escape(key)}"]`);
  (item.querySelector(".form input") ?? item.querySelector(`.${kind}-button`)).focus();
}

const rename = attempt(async (recording, name) => {
  const answer = await server.request("panel.renameRecording", { recording: recording.name, name });
  if (playedKey === keyOf(recording)) stopPlaying();
  opened = null;
  await loadRecordings();
  focusOn({ name: answer.recording }, ".rename-button");
});

const trim = attempt(async (recording, { from, to }) => {
  const answer = await server.request("panel.trimRecording", { recording: recording.name, from, to });
  opened = null;
  await loadRecordings();
  focusOn({ name: answer.recording }, ".play-button");
});

function focusOn(recording, selector) {
  $("recording-list").querySelector(`[data-key="${CSS.escape(keyOf(recording))}"] ${selector}`)?.focus();
}

function makeRename(recording) {
  const input = make("input", { type: "text", maxLength: 100, value: stemOf(recording), "aria-label": "Name", autocomplete: "off", spellcheck: false });
  const form = make("form", { className: "row form" }, make("span", { className: "field grow" }, input), make("button", { type: "submit", textContent: "Rename", className: "primary" }));
  form.onsubmit = (event) => {
    event.preventDefault();
    rename(recording, input.value.trim());
  };
  return form;
}

function makeTrim(recording) {
  const range = opened;
  const field = (label, name) => {
    const input = make("input", { type: "text", inputMode: "decimal", size: 8, className: "number", value: clock(range[name]), "aria-label": `${label} of the part` });
    const set = (time) => {
      range[name] = clamp(time, 0, recording.seconds);
      if (range.from > range.to) [range.from, range.to] = [range.to, range.from];
      showRecordings();
    };
    input.onchange = () => set(readClock(input.value) ?? range[name]);
    const here = make("button", { type: "button", textContent: "Here", "aria-label": `${label} where the recording is now`, disabled: playedKey !== keyOf(recording) });
    here.onclick = () => set(audio.currentTime);
    return make("span", { className: "row" }, make("label", { className: "field" }, label, input), here);
  };
  const form = make("form", { className: "row form" }, field("From", "from"), field("To", "to"),
    make("button", { type: "submit", textContent: "Save the part", className: "primary", title: "As a new recording; this one stays" }));
  form.onsubmit = (event) => {
    event.preventDefault();
    trim(recording, range);
  };
  return form;
}

function makeRecording(recording) {
  const key = keyOf(recording), name = stemOf(recording), isPlayed = key === playedKey;
  const button = (text, label, run, className = "") => make("button", { type: "button", textContent: text, "aria-label": `${label} ${name}`, onclick: run, className });
  const opens = (kind, text) => {
    const opener = button(text, text, () => open(recording, kind), `${kind}-button`);
    opener.setAttribute("aria-expanded", `${opened?.key === key && opened.kind === kind}`);
    return opener;
  };
  const item = make("li", { className: `recording${isPlayed ? " played" : ""}` });
  item.dataset.key = key;
  const kind = recording.name.folder === "takes" ? "take · " : "";
  item.append(
    button("▶", "Play", () => play(recording), "play-button"),
    make("div", { className: "recording-text" }, make("p", { className: "line", textContent: name, title: name }),
      make("p", { className: "dim line", textContent: `${kind}${clock(recording.seconds)} · ${dateText(recording.time)} · ${sizeText(recording.bytes)}` })),
    make("div", { className: "row" }, opens("trim", "Trim"), opens("rename", "Rename"), button("Download", "Download", () => download(recording, "audio")),
      ...(recording.hasMIDI ? [button("MIDI", "Download the MIDI file of", () => download(recording, "midi"))] : []),
      button("Delete", "Delete", () => remove(recording))));
  if (isPlayed) {
    const slider = make("input", { type: "range", min: 0, max: recording.seconds, step: 0.1, className: "seek", "aria-label": `Position in ${name}` });
    slider.addEventListener("input", () => { audio.currentTime = Number(slider.value); });
    item.append(make("div", { className: "player" }, slider, make("span", { className: "time number dim" })));
  }
  if (opened?.key === key) item.append(opened.kind === "trim" ? makeTrim(recording) : makeRename(recording));
  return item;
}

function showRecordings() {
  if (playedKey && !played()) stopPlaying();
  const focused = document.activeElement?.closest(".recording"), label = document.activeElement?.getAttribute("aria-label");
  const key = focused?.dataset.key;
  $("recording-list").replaceChildren(...recordings.map(makeRecording));
  $("recording-empty").hidden = recordings.length > 0;
  showPlayer();
  if (!key) return;
  const item = $("recording-list").querySelector(`[data-key="${CSS.escape(key)}"]`);
  [...(item?.querySelectorAll("button, input") ?? [])].find((control) => control.getAttribute("aria-label") === label)?.focus();
}
$("recording-list").addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || !opened) return;
  const { key, kind } = opened;
  opened = null;
  showRecordings();
  $("recording-list").querySelector(`[data-key="${CSS.escape(key)}"] .${kind}-button`)?.focus();
});

parts.push({
  view: "takes",
  follow: showRecording,
  disconnected() { $("record").disabled = true; },
  show: loadRecordings,
  takeSaved() { if (isShown("takes")) return loadRecordings(); },
});
