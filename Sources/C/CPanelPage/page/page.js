// Elements, numbers and pictures, and the parts of the page.

export const $ = (id) => document.getElementById(id);
export const make = (tag, properties = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name in element && !name.includes("-")) element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
};

const noteNames = ["C", "C♯", "D", "E♭", "E", "F", "F♯", "G", "A♭", "A", "B♭", "B"];
export const noteName = (key) => noteNames[key % 12] + (Math.floor(key / 12) - 1);
export const isBlack = (key) => [1, 3, 6, 8, 10].includes(key % 12);
export const clock = (seconds) => {
  const tenths = Math.round(seconds * 10);
  return `${Math.floor(tenths / 600)}:${((tenths % 600) / 10).toFixed(1).padStart(4, "0")}`;
};
export const readClock = (text) => {
  const match = /^\s*(?:(\d+):)?(\d+(?:\.\d*)?)\s*$/.exec(text);
  return match ? Number(match[1] ?? 0) * 60 + Number(match[2]) : null;
};
export const clamp = (value, low, high) => Math.min(high, Math.max(low, value));

export function saveFile(name, type, content) {
  const link = make("a", { href: URL.createObjectURL(new Blob([content], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

// Asks before something that cannot be undone.
export function confirmed(text, action) {
  $("confirm-text").textContent = text;
  $("confirm-yes").textContent = action;
  $("confirm").returnValue = "";
  $("confirm").showModal();
  return new Promise((resolve) => $("confirm").addEventListener("close", () => resolve($("confirm").returnValue === "yes"), { once: true }));
}

// Shows a text in a bar below the head, with a button that helps.
export function fillNotice(bar, text, action) {
  bar.replaceChildren(make("span", { textContent: text }));
  if (action) bar.append(make("button", { type: "button", textContent: action.text, onclick: action.run }));
  bar.hidden = !text;
}

// The work whose error is shown. The message disappears when the same work succeeds.
let failedWork = null;

export function showNotice(text, action) {
  failedWork = null;
  fillNotice($("notice"), text, action);
}

// A sentence, without the commands that a message names for a terminal.
function sentence(text) {
  const words = text.replace(/[:;,] (?:use|try|run|see) portative .*$/, "");
  return words.charAt(0).toUpperCase() + words.slice(1) + (/[.!?…]$/.test(words) ? "" : ".");
}

export function report(error) { showNotice(sentence(error.message), { text: "Close", run: () => showNotice("") }); }
export const attempt = (work) => async (...values) => {
  try {
    await work(...values);
    if (failedWork === work) showNotice("");
  } catch (error) {
    report(error);
    failedWork = work;
  }
};

// The parts of the page. The page calls these functions of each part that has them:
//
// - connected(): the server has admitted the page.
// - disconnected(): the connection has ended.
// - leave(): another port is about to be chosen.
// - chosen(): another port has been chosen.
// - follow(status): the server has reported its status.
// - presetsLoaded(): the presets of the port have been listed.
// - presetChanged(), sceneChanged(): the status has another preset of the port, or another scene.
// - viewChanged(): another view has been chosen.
// - zonesRead(): the zones of the port have been read.
// - takeSaved(): a take has been saved on the server.
// - show(): `view`, the part's view, has been chosen, or what it shows has changed.
// - update(): each second, while the page is visible and connected.
// - draw(): the size, the colors or the content of the pictures have changed.
// - animate(time): before a frame. Returns whether anything moves.
export const parts = [];
export const announce = (name, ...values) => Promise.all(parts.map((part) => part[name]?.(...values)));
export const isShown = (view) => document.body.dataset.view === view;

let isDrawing = false;
// Draws with the screen, while anything moves.
export function drawSoon() {
  if (isDrawing) return;
  isDrawing = true;
  requestAnimationFrame((time) => {
    isDrawing = false;
    const areMoving = parts.map((part) => part.animate?.(time));
    if (areMoving.includes(true) && !document.hidden) drawSoon();
  });
}

// Colors of the style.
export const isStill = matchMedia("(prefers-reduced-motion: reduce)");
export const isDark = matchMedia("(prefers-color-scheme: dark)");
export const palette = (index) => `oklch(${isDark.matches ? 0.78 : 0.58} 0.13 ${(230 + index * 137.5) % 360})`;
export const colors = {};
// The smallest type of the style, for pictures.
let pictureType = "";
export const pictureFont = (weight = 400) => `${weight} ${pictureType}`;
function readColors() {
  const style = getComputedStyle(document.documentElement);
  pictureType = `${parseFloat(style.fontSize) * 0.75}px system-ui, "DejaVu Sans", sans-serif`;
  for (const name of ["paper", "panel", "raised", "line", "edge", "title", "text", "dim", "accent", "alarm", "white-key", "black-key", "key-line", "key-text", "on-color"]) {
    colors[name] = style.getPropertyValue(`--${name}`).trim();
  }
}
readColors();
isDark.addEventListener("change", () => { readColors(); announce("draw"); });

// Clears a canvas, which becomes as sharp as the screen.
export function prepare(canvas) {
  const ratio = devicePixelRatio || 1, width = canvas.clientWidth, height = canvas.clientHeight;
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
  }
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return context;
}
