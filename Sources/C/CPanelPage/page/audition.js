// The SoundFont of a port, and the sound of presets before they are chosen: a phrase in the browser, while the port plays on.

import { $, attempt, make, parts, report } from "./page.js";
import { isConnected, port, server, componentOf } from "./server.js";
import { loadPresets, presets } from "./play.js";

// A phrase that is played in the browser. It ends by itself, and with the next one.

const audio = new Audio();
let wanted = 0;
let address = null;

export function endAudition() {
  wanted += 1;
  audio.pause();
  for (const row of $("preset-list").querySelectorAll(".heard")) row.classList.remove("heard");
}

async function audition(button) {
  endAudition();
  const own = wanted;
  button.classList.add("heard");
  try {
    const { path } = await server.request("panel.audition", { component: componentOf(port), index: Number(button.dataset.index) });
    const content = await (await fetch(path)).blob();
    if (own !== wanted) return;
    if (address) URL.revokeObjectURL(address);
    address = URL.createObjectURL(content);
    audio.src = address;
    await audio.play();
  } catch (error) {
    // A play that was interrupted by the next one, or that the browser does not allow before the first click.
    if (own !== wanted || error.name === "AbortError" || error.name === "NotAllowedError") return;
    endAudition();
    report(error);
  }
}
audio.onended = endAudition;

// A long press, or Shift and Enter; and while Listen is pressed, what the mouse or the focus is on.

const list = $("preset-list");
const pressTime = 450, restTime = 250;
let timer, pressed = null, hasSounded = false;
const isListening = () => $("listen").getAttribute("aria-pressed") === "true";
const presetButton = (event) => event.target.closest(".choose");

function hearAfter(button, time) {
  clearTimeout(timer);
  timer = setTimeout(() => {
    hasSounded = true;
    audition(button);
  }, time);
}

list.addEventListener("pointerdown", (event) => {
  const button = presetButton(event);
  hasSounded = false;
  if (!button || event.button !== 0) return;
  pressed = { button, x: event.clientX, y: event.clientY };
  hearAfter(button, pressTime);
});
list.addEventListener("pointermove", (event) => {
  if (pressed && Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) > 10) endPress();
});
function endPress() {
  pressed = null;
  clearTimeout(timer);
}
for (const name of ["pointerup", "pointercancel", "scroll"]) list.addEventListener(name, endPress);
// The long press of a touch screen opens no menu, and chooses nothing.
list.addEventListener("contextmenu", (event) => { if (presetButton(event) && pressed) event.preventDefault(); });
list.addEventListener("click", (event) => {
  if (!hasSounded || !presetButton(event)) return;
  hasSounded = false;
  event.preventDefault();
  event.stopPropagation();
}, true);
list.addEventListener("pointerover", (event) => {
  const button = presetButton(event);
  if (button && isListening() && !pressed && event.pointerType === "mouse" && !button.classList.contains("heard")) hearAfter(button, restTime);
});
list.addEventListener("pointerleave", () => {
  endPress();
  if (isListening()) endAudition();
});
list.addEventListener("focusin", (event) => {
  const button = presetButton(event);
  if (button && isListening() && button.matches(":focus-visible")) hearAfter(button, restTime);
});
list.addEventListener("keydown", (event) => {
  const button = presetButton(event);
  if (!button || event.key !== "Enter" || !event.shiftKey) return;
  event.preventDefault();
  audition(button);
});
addEventListener("keydown", (event) => { if (event.key === "Escape") endAudition(); });
addEventListener("blur", endAudition);
document.addEventListener("visibilitychange", endAudition);
$("listen").onclick = () => {
  $("listen").setAttribute("aria-pressed", `${!isListening()}`);
  endPress();
  endAudition();
};

// The SoundFont, if the port has one that can be replaced.

const select = $("soundfont");
let current = null;
const stemOf = (path) => path.split("/").at(-1).replace(/\.sf[23]$/i, "");

// The path of the SoundFont that the port plays; null if it plays none.
export const soundFont = () => current;

async function loadSoundFont() {
  const shown = port;
  const [{ files }, { soundFonts }] = await Promise.all([server.request("files", {}), server.request("panel.soundFonts", {})]);
  if (shown !== port) return;
  current = files.find((file) => file.identifier === "soundfont")?.file.path ?? null;
  const paths = current && !soundFonts.includes(current) ? [current, ...soundFonts] : soundFonts;
  select.replaceChildren(...paths.map((path) => make("option", { value: path, textContent: stemOf(path), title: path })), make("option", { value: "", textContent: "Another file…" }));
  select.value = current;
  select.title = current ?? "";
  $("soundfont-field").hidden = current === null;
}

const chooseSoundFont = attempt(async (path) => {
  select.disabled = true;
  endAudition();
  try {
    await server.request("setFile", { identifier: "soundfont", file: { path } });
    await loadPresets();
  } finally {
    select.disabled = false;
    await loadSoundFont();
  }
});
select.addEventListener("change", () => {
  if (select.value) return chooseSoundFont(select.value);
  select.value = current;
  $("soundfont-path").value = current ?? "";
  $("soundfont-dialog").returnValue = "";
  $("soundfont-dialog").showModal();
  $("soundfont-path").select();
});
$("soundfont-dialog").addEventListener("close", () => {
  const path = $("soundfont-path").value.trim();
  if ($("soundfont-dialog").returnValue === "yes" && path && path !== current) chooseSoundFont(path);
});

parts.push({
  chosen() {
    endAudition();
    return loadSoundFont().catch(() => { $("soundfont-field").hidden = true; });
  },
  presetsLoaded() { $("listen").hidden = presets.length === 0; },
  viewChanged: endAudition,
  disconnected: endAudition,
  show() { if (isConnected && current !== null) return loadSoundFont(); },
});
