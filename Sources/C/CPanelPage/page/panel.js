"use strict";
// The panel of a Portative server. It speaks the methods of the control socket over a WebSocket, and a few of its own.

const $ = (id) => document.getElementById(id);
const make = (tag, properties = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name in element && !name.includes("-")) element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
};
const noteNames = ["C", "C♯", "D", "E♭", "E", "F", "F♯", "G", "A♭", "A", "B♭", "B"];
const noteName = (key) => noteNames[key % 12] + (Math.floor(key / 12) - 1);
const isBlack = (key) => [1, 3, 6, 8, 10].includes(key % 12);
const clamp = (value, low, high) => Math.min(high, Math.max(low, value));
const isStill = matchMedia("(prefers-reduced-motion: reduce)");
const isDark = matchMedia("(prefers-color-scheme: dark)");

// ---- The connection

class Connection {
  constructor(role) {
    this.role = role;
    this.requests = new Map();
    this.number = 0;
  }

  // Opens a WebSocket and sends the secret. Resolves when the server has admitted the page.
  open(secret) {
    this.socket = new WebSocket(`ws://${location.host}/control`);
    return new Promise((resolve, reject) => {
      this.socket.onopen = () => {
        this.request("panel.open", { ...secret, version })
          .then(async (welcome) => {
            await this.request("hello", {
              protocol: { minimum: 2, maximum: 2 },
              features: ["files", "settings", "panic", "scenes", "take", "controls"],
              peer: { name: this.role, processID: 0 },
            });
            resolve(welcome);
          })
          .catch(reject);
      };
      this.socket.onmessage = (event) => this.receive(JSON.parse(event.data));
      this.socket.onclose = (event) => {
        const error = Object.assign(new Error(event.reason || "The connection has ended."), { code: event.code });
        reject(error);
        for (const request of this.requests.values()) request.reject(error);
        this.requests.clear();
        this.onclose?.(event);
      };
    });
  }

  receive(message) {
    if (message.method) return this.onnotification?.(message.method, message.params);
    const request = this.requests.get(message.id);
    if (!request) return;
    this.requests.delete(message.id);
    if (message.error) request.reject(Object.assign(new Error(message.error.message), { code: message.error.code }));
    else request.resolve(message.result);
  }

  request(method, params) {
    if (this.socket.readyState !== WebSocket.OPEN) return Promise.reject(new Error("The server is not connected."));
    const id = ++this.number;
    this.socket.send(JSON.stringify({ id, method, params }));
    return new Promise((resolve, reject) => this.requests.set(id, { resolve, reject }));
  }

  notify(method, params) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify({ method, params }));
  }

  // Requests a whole list, which may need several messages.
  async list(method, params = {}) {
    const items = [];
    for (;;) {
      const part = await this.request(method, { ...params, offset: items.length });
      items.push(...part.items);
      if (items.length >= part.total || part.items.length === 0) return { ...part, items };
    }
  }

  close() { this.socket?.close(); }
}

const version = document.querySelector("meta[name=panel-version]").content;
let server = new Connection("Panel");
let retryDelay = 500;
let isConnected = false;

const readSecret = () => {
  if (location.hash.length > 1) return { secret: location.hash.slice(1) };
  const password = sessionStorage.getItem("password");
  return password ? { password } : null;
};

const showConnection = (state, text) => {
  $("connection").className = `connection ${state}`;
  $("connection-text").textContent = text;
};

const showNotice = (text, action) => {
  $("notice").replaceChildren(make("span", { textContent: text }));
  if (action) $("notice").append(make("button", { type: "button", textContent: action.text, onclick: action.run }));
  $("notice").hidden = !text;
};

async function connect() {
  const secret = readSecret();
  if (!secret) return askForPassword();
  server = new Connection("Panel");
  server.onnotification = (method, params) => { if (method === "panel.status") showStatus(params); };
  server.onclose = (event) => disconnected(event);
  try {
    const welcome = await server.open(secret);
    isConnected = true;
    retryDelay = 500;
    if ($("login").open) $("login").close();
    document.title = welcome.node === "portative" ? "Portative" : `${welcome.node} – Portative`;
    showConnection("good", "connected");
    if (welcome.version !== version) {
      showNotice("The server has another version of this page.", { text: "Load it", run: () => location.reload() });
    } else showNotice("");
    await server.request("panel.watch", { isOn: true });
    await loadPorts();
    await Promise.all([loadScenes(), loadWiring()]);
    document.body.classList.remove("loading");
    refreshView();
  } catch (error) {
    if (isConnected) report(error);
  }
}

function disconnected(event) {
  const wasConnected = isConnected;
  isConnected = false;
  status = null;
  releaseAll();
  remoteKeys = new Set();
  drawSoon();
  if (event.code === 4401) {
    showConnection("bad", "not admitted");
    sessionStorage.removeItem("password");
    return askForPassword(`The server refused: ${event.reason}.`);
  }
  showConnection("bad", "not connected");
  const reason = event.code === 4429 ? `${event.reason}.` : wasConnected ? "The server has stopped, or cannot be reached." : "The server cannot be reached.";
  showNotice(`${reason} Trying again…`);
  setTimeout(connect, retryDelay);
  retryDelay = Math.min(retryDelay * 1.6, 5000);
}

function askForPassword(text) {
  if (text) $("login-text").textContent = `${text} Enter the password, or use the link that the command portative panel prints.`;
  showConnection("bad", "not admitted");
  if (!$("login").open) $("login").showModal();
}

$("login-form").addEventListener("submit", (event) => {
  event.preventDefault();
  sessionStorage.setItem("password", $("password").value);
  $("password").value = "";
  if (location.hash) history.replaceState(null, "", location.pathname);
  connect();
});
$("login").addEventListener("cancel", (event) => event.preventDefault());
addEventListener("hashchange", () => location.reload());

function report(error) { showNotice(error.message, { text: "Close", run: () => showNotice("") }); }
const attempt = (work) => (...values) => Promise.resolve(work(...values)).catch(report);

// ---- Ports

let ports = [];
let port = null;
let status = null;
const componentOf = ({ type, subtype, manufacturer }) => ({ type, subtype, manufacturer });
const takesMIDI = (port) => port.type === "instrument" || port.type === "musicEffect";

async function loadPorts() {
  ports = (await server.list("report")).items.map((item) => item.port);
  const chosen = port?.name ?? localStorage.getItem("port");
  $("port").replaceChildren(...ports.map((port) => make("option", { value: port.name, textContent: port.name })));
  await choosePort(ports.find((port) => port.name === chosen) ?? ports.find(takesMIDI) ?? ports[0]);
}

async function choosePort(chosen) {
  if (!chosen) return;
  releaseAll();
  port = chosen;
  $("port").value = port.name;
  localStorage.setItem("port", port.name);
  const component = componentOf(port);
  await server.request("panel.play", takesMIDI(port) ? { component } : {});
  await server.request("describe", { component });
  await Promise.all([loadPresets(), loadZones()]);
  parameters = null;
  drawSoon();
  refreshView();
}

$("port").addEventListener("change", attempt(() => choosePort(ports.find((port) => port.name === $("port").value))));

// ---- Presets

let presets = [];
const favouriteKey = () => `favourites ${port.name}`;
const favourites = () => new Set(JSON.parse(localStorage.getItem(favouriteKey()) ?? "[]"));

async function loadPresets() {
  const items = (await server.list("presets")).items;
  presets = items.map((preset, index) => ({
    index, name: preset.name, bank: preset.values["preset.bank"], program: preset.values["preset.program"],
  }));
  const banks = [...new Set(presets.map((preset) => preset.bank))].filter((bank) => bank !== undefined).sort((a, b) => a - b);
  $("preset-bank").replaceChildren(
    make("option", { value: "", textContent: "All banks" }), make("option", { value: "favourites", textContent: "Favourites" }),
    ...banks.map((bank) => make("option", { value: `${bank}`, textContent: bank === 128 ? "Drums" : `Bank ${bank}` })));
  showPresets();
}

function showPresets() {
  const words = $("preset-search").value.toLowerCase().split(/\s+/).filter(Boolean);
  const bank = $("preset-bank").value;
  const stars = favourites();
  const id = (preset) => (preset.bank === undefined ? `${preset.index + 1}` : `${preset.bank}:${preset.program}`);
  const shown = presets.filter((preset) => {
    if (bank === "favourites" ? !stars.has(preset.name) : bank !== "" && `${preset.bank}` !== bank) return false;
    return words.every((word) => preset.name.toLowerCase().includes(word) || id(preset) === word);
  });
  $("preset-list").replaceChildren(...shown.map((preset) => {
    const star = make("button", {
      type: "button", className: "star", textContent: stars.has(preset.name) ? "★" : "☆",
      "aria-label": `Favourite: ${preset.name}`, "aria-pressed": `${stars.has(preset.name)}`,
    });
    star.onclick = () => {
      const stars = favourites();
      if (!stars.delete(preset.name)) stars.add(preset.name);
      localStorage.setItem(favouriteKey(), JSON.stringify([...stars]));
      star.textContent = stars.has(preset.name) ? "★" : "☆";
      star.setAttribute("aria-pressed", `${stars.has(preset.name)}`);
    };
    const choose = make("button", { type: "button", className: "choose" },
      make("span", { className: "id", textContent: id(preset) }), make("span", { textContent: preset.name }));
    choose.dataset.name = preset.name;
    choose.onclick = attempt(() => server.request("usePreset", { index: preset.index }));
    return make("li", {}, choose, star);
  }));
  $("preset-empty").hidden = shown.length > 0;
  $("preset-empty").textContent = presets.length === 0 ? "This port has no presets." : bank === "favourites" ? "No favourites yet: choose the star beside a preset." : "No preset has these words.";
  markPreset();
}

function markPreset() {
  const name = status?.ports.find((item) => item.name === port?.name)?.preset;
  for (const button of $("preset-list").querySelectorAll(".choose")) {
    const isCurrent = button.dataset.name === name;
    if (isCurrent) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
  }
}

$("preset-search").addEventListener("input", showPresets);
$("preset-bank").addEventListener("change", showPresets);

// ---- Scenes

let setListCount = 0;

async function loadScenes() {
  const list = await server.list("scenes");
  setListCount = list.setListCount;
  $("scenes-card").hidden = list.items.length === 0;
  $("scene-list").replaceChildren(...list.items.map((name, index) => {
    const button = make("button", { type: "button", className: "choose" },
      make("span", { className: "id", textContent: index < setListCount ? `${index + 1}` : "" }), make("span", { textContent: name }));
    button.dataset.name = name;
    button.onclick = attempt(() => server.request("chooseScene", { name }).then(loadZones));
    return make("li", {}, button);
  }));
  showScene();
}

function showScene() {
  const scene = status?.scene;
  $("scene").hidden = !scene;
  if (!scene) return;
  $("scene-name").textContent = scene.name ?? "none chosen";
  $("scene-place").textContent = scene.place ? `${scene.place}/${scene.count}` : "";
  const buttons = [...$("scene-list").querySelectorAll(".choose")];
  // A scene may be in the set list several times.
  for (const [index, button] of buttons.entries()) {
    if (scene.place ? index + 1 === scene.place : button.dataset.name === scene.name) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
  }
}

const stepScene = attempt((step) => server.request("chooseScene", { step }).then(loadZones));
$("scene-previous").onclick = () => stepScene(-1);
$("scene-next").onclick = () => stepScene(1);

const panic = attempt(async () => {
  releaseAll();
  await server.request("panic", {});
});
$("panic").onclick = panic;

// ---- Status

function showStatus(next) {
  const previous = status;
  status = next;
  for (const line of next.log) addLogLine(line);
  const own = next.ports.find((item) => item.name === port?.name);
  remoteKeys = new Set(own?.keys ?? []);
  if (own?.preset !== previous?.ports.find((item) => item.name === port?.name)?.preset) markPreset();
  if (next.scene?.name !== previous?.scene?.name || next.scene?.place !== previous?.scene?.place) {
    showScene();
    if (isConnected && previous && port) loadZones().catch(() => {});
  }
  if (isConnected && previous && next.revision !== previous.revision) {
    loadPorts().catch(report);
  }
  meters.follow(next);
  drawSoon();
}

function addLogLine(line) {
  const isAtEnd = $("log").scrollTop + $("log").clientHeight >= $("log").scrollHeight - 4;
  const kind = line.startsWith("portative:") ? "error" : line.startsWith("warning:") ? "warning" : "";
  $("log").append(make("div", { className: kind, textContent: line }));
  while ($("log").children.length > 200) $("log").firstChild.remove();
  if (isAtEnd) $("log").scrollTop = $("log").scrollHeight;
}

// ---- The keyboard

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

function setLowest(key) {
  lowest = clamp(key, 0, 96);
  localStorage.setItem("lowest", `${lowest}`);
  $("octave").textContent = noteName(lowest);
  layoutKeys();
  drawSoon();
}
$("octave-down").onclick = () => setLowest(lowest - 12);
$("octave-up").onclick = () => setLowest(lowest + 12);

// Rectangles of the keys in CSS pixels, white ones first.
let layout = { keys: [], width: 0, height: 0, top: 0 };

function layoutKeys() {
  const width = keysCanvas.clientWidth, height = keysCanvas.clientHeight;
  const whiteCount = clamp(Math.floor(width / 26), 8, 52);
  // Within the range of a piano as far as possible.
  const whites = Array.from({ length: 128 }, (_, key) => key).filter((key) => !isBlack(key));
  const last = whites.indexOf(whiteCount > 51 ? 127 : Math.max(108, Math.min(127, lowest + 12)));
  const first = whiteCount > 51 ? 21 : whites[Math.max(0, Math.min(whites.indexOf(lowest), last - whiteCount + 1))];
  const keys = [];
  const whiteWidth = width / whiteCount;
  const top = Math.round(document.body.dataset.view === "play" ? Math.min(height * 0.5, zones.length * 15 + height * 0.24) : Math.min(height * 0.4, zones.length * 9));
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

const keyCodes = ["KeyA", "KeyW", "KeyS", "KeyE", "KeyD", "KeyF", "KeyT", "KeyG", "KeyY", "KeyH", "KeyU", "KeyJ", "KeyK", "KeyO", "KeyL", "KeyP"];
const isTyping = (target) => target.closest("input, select, textarea, dialog") !== null;

addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !event.repeat && !isTyping(event.target)) panic();
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

// ---- Drawing

const palette = (index) => `oklch(${isDark.matches ? 0.78 : 0.58} 0.13 ${(230 + index * 137.5) % 360})`;
let colors = {};
function readColors() {
  const style = getComputedStyle(document.documentElement);
  for (const name of ["paper", "panel", "raised", "line", "edge", "title", "text", "dim", "accent", "peak", "alarm", "warn", "good", "white-key", "black-key", "key-line"]) {
    colors[name] = style.getPropertyValue(`--${name}`).trim();
  }
}
isDark.addEventListener("change", () => { readColors(); drawSoon(); drawZoneBars(); drawTake(); });

function prepare(canvas) {
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

let isDrawing = false;
function drawSoon() {
  if (isDrawing) return;
  isDrawing = true;
  requestAnimationFrame((time) => {
    isDrawing = false;
    const isMoving = drawKeys(time);
    const isFalling = meters.draw(time);
    if ((isMoving || isFalling) && !document.hidden) drawSoon();
  });
}

const trailSeconds = 2.2;

function drawKeys(time) {
  if (keysCanvas.clientWidth !== layout.width || keysCanvas.clientHeight !== layout.height) layoutKeys();
  const context = prepare(keysCanvas);
  const sounding = new Set([...remoteKeys, ...held.values()]);
  const { keys, width, height, top } = layout;
  context.fillStyle = colors.panel;
  context.fillRect(0, 0, width, top);
  const zoneHeight = zones.length > 0 ? Math.min(15, Math.max(3, top / zones.length - (view === "play" ? 4 : 0))) : 0;
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
      context.fillStyle = isOn ? "oklch(0.15 0.01 270)" : key.isBlack ? colors["key-line"] : "oklch(0.62 0.01 270)";
      context.font = "10px system-ui, sans-serif";
      context.textAlign = "center";
      context.fillText(key.letter, key.x + key.width / 2, key.y + key.height - (key.isBlack ? 8 : 22));
    }
    if (!key.isBlack) {
      context.strokeStyle = colors["key-line"];
      context.lineWidth = 1;
      context.stroke();
      if (key.key % 12 === 0) {
        context.fillStyle = isOn ? "oklch(0.15 0.01 270)" : "oklch(0.45 0.01 270)";
        context.font = "11px system-ui, sans-serif";
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
    if (height < 11) return;
    context.fillStyle = isDark.matches ? "oklch(0.15 0.02 270)" : "oklch(0.99 0 0)";
    context.font = `600 ${Math.min(11, height - 4)}px system-ui, sans-serif`;
    context.textAlign = "left";
    context.save();
    context.beginPath();
    context.rect(begin, index * height, end - begin, height);
    context.clip();
    context.fillText(zone.label, begin + 6, index * height + height - 5);
    context.restore();
  });
}

// ---- Levels

const meters = {
  rows: new Map(),
  last: 0,

  follow(status) {
    const names = status.ports.map((port) => port.name);
    if (names.join("\n") !== [...this.rows.keys()].join("\n")) this.build(names);
    let voices = 0, most = 0;
    for (const item of status.ports) {
      const row = this.rows.get(item.name);
      voices += item.voices ?? 0;
      most += item.mostVoices ?? 0;
      row.isPlayed = Boolean(item.peaks);
      for (const side of [0, 1]) {
        const level = item.peaks?.[side] ?? 0;
        row.target[side] = level;
        row.level[side] = Math.max(row.level[side], level);
        if (level >= row.hold[side]) { row.hold[side] = level; row.holdTime[side] = performance.now(); }
        if (level > 1) row.isClipped = true;
      }
      const peak = Math.max(...row.hold);
      row.value.textContent = item.peaks ? (peak > 0 ? `${(20 * Math.log10(peak)).toFixed(1)} dB` : "−∞ dB").replace("-", "−") : item.host ? "by host" : "idle";
      row.clip.classList.toggle("on", row.isClipped);
      row.clip.textContent = row.isClipped ? "CLIP" : "clip";
    }
    $("sound-device").textContent = status.sound ?? "closed: it opens when a keyboard or a page plays a port";
    $("sound-xruns").textContent = `${status.xruns}`;
    $("sound-voices").textContent = voices > 0 ? `${voices} now, ${most} at most` : `${most} at most`;
  },

  build(names) {
    this.rows.clear();
    $("meters").replaceChildren(...names.map((name) => {
      const row = {
        level: [0, 0], target: [0, 0], hold: [0, 0], holdTime: [0, 0], isClipped: false, isPlayed: false,
        canvas: make("canvas", { role: "img", "aria-label": `Level of ${name}` }), value: make("span", { className: "number" }), clip: make("span", { className: "clip" }),
      };
      this.rows.set(name, row);
      return make("div", { className: "meter" }, make("span", { textContent: name }), row.canvas, row.value, row.clip);
    }));
  },

  // Returns whether anything still moves.
  draw(time) {
    const seconds = clamp((time - this.last) / 1000, 0, 0.1);
    this.last = time;
    let isMoving = false;
    const place = (level) => clamp(1 + (20 * Math.log10(Math.max(level, 1e-5))) / 60, 0, 1);
    for (const row of this.rows.values()) {
      for (const side of [0, 1]) {
        // Falls by 24 dB per second; peaks stay for 1.5 s.
        row.level[side] = Math.max(row.target[side], row.level[side] * 10 ** ((-24 * seconds) / 20));
        if (row.level[side] < 1e-4) row.level[side] = 0;
        if (time - row.holdTime[side] > 1500) row.hold[side] = Math.max(row.level[side], row.hold[side] * 10 ** ((-24 * seconds) / 20));
        if (row.hold[side] < 1e-4) row.hold[side] = 0;
        if (row.level[side] > 0 || row.hold[side] > 0) isMoving = true;
      }
      if (row.canvas.clientWidth === 0) continue;
      const context = prepare(row.canvas), width = row.canvas.clientWidth;
      for (const side of [0, 1]) {
        const y = side * 12;
        context.fillStyle = colors.raised;
        context.fillRect(0, y, width, 9);
        context.fillStyle = row.isClipped ? colors.alarm : colors.accent;
        context.fillRect(0, y, width * place(row.level[side]), 9);
        if (row.hold[side] > 0) {
          context.fillStyle = row.hold[side] > 1 ? colors.alarm : colors.title;
          context.fillRect(clamp(width * place(row.hold[side]) - 2, 0, width - 2), y, 2, 9);
        }
      }
      context.fillStyle = colors.line;
      for (const decibels of [-48, -36, -24, -12]) context.fillRect(Math.round(width * (1 + decibels / 60)), 0, 1, 21);
    }
    return isMoving;
  },
};
$("clear-clips").onclick = () => {
  for (const row of meters.rows.values()) { row.isClipped = false; row.clip.classList.remove("on"); row.clip.textContent = "clip"; row.hold = [0, 0]; }
  drawSoon();
};

// ---- Views

let view = "play";
const views = ["play", "edit", "monitor", "takes"];

function chooseView(name) {
  view = name;
  document.body.dataset.view = name;
  layout.width = 0;
  localStorage.setItem("view", name);
  for (const other of views) {
    const tab = $(`tab-${other}`);
    tab.setAttribute("aria-selected", `${other === name}`);
    tab.tabIndex = other === name ? 0 : -1;
    $(`view-${other}`).hidden = other !== name;
  }
  refreshView();
  drawSoon();
}
for (const name of views) $(`tab-${name}`).onclick = () => chooseView(name);
document.querySelector(".tabs").addEventListener("keydown", (event) => {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  chooseView(views[(views.indexOf(view) + step + views.length) % views.length]);
  $(`tab-${view}`).focus();
});

function refreshView() {
  if (!isConnected || !port) return;
  attempt(async () => {
    if (view === "edit") await Promise.all([loadParameters(), showZones()]);
    if (view === "monitor") await loadReport();
    if (view === "takes") await loadTake();
  })();
}

// What the status does not have is requested while it is shown.
setInterval(() => {
  if (!isConnected || document.hidden) return;
  if (view === "monitor") loadReport().catch(() => {});
  if (view === "edit" && parameters) updateValues().catch(() => {});
}, 1000);

// ---- Edit: parameters

let parameters = null;
let dragged = null;
const units = { decibels: "dB", milliseconds: "ms", seconds: "s", beats: "beats", hertz: "Hz", percent: "%", cents: "ct", semitones: "st" };

async function loadParameters() {
  if (parameters) return updateValues();
  const list = await server.list("parameters");
  const groups = new Map((list.groups ?? []).map((group) => [group.identifier, { name: group.name, rows: [] }]));
  parameters = list.items.map((parameter) => ({ ...parameter }));
  for (const parameter of parameters) {
    const group = parameter.identifier.includes(".") ? parameter.identifier.split(".")[0] : "";
    if (!groups.has(group)) groups.set(group, { name: group || "General", rows: [] });
    groups.get(group).rows.push(makeParameter(parameter));
  }
  $("parameters").replaceChildren(...[...groups.values()].filter((group) => group.rows.length > 0).map((group) =>
    make("section", { className: "card" }, make("h2", { textContent: group.name }), ...group.rows)));
  await updateValues();
  await loadControls();
}

const toPosition = (parameter, value) => {
  const { minimum, maximum } = parameter;
  if (parameter.scale === "logarithmic") return Math.log(value / minimum) / Math.log(maximum / minimum);
  return (value - minimum) / (maximum - minimum || 1);
};
const toValue = (parameter, position) => {
  const { minimum, maximum } = parameter;
  if (parameter.scale === "logarithmic") return minimum * (maximum / minimum) ** position;
  return minimum + (maximum - minimum) * position;
};
const isWhole = (parameter) => parameter.unit === "index" || parameter.unit === "toggle" || parameter.valueNames.length > 0;

function valueText(parameter, value) {
  const name = parameter.valueNames[value - parameter.minimum];
  if (isWhole(parameter) && name) return name;
  const size = parameter.maximum - parameter.minimum;
  const digits = isWhole(parameter) ? 0 : size > 500 ? 0 : size > 20 ? 1 : 2;
  const unit = units[parameter.unit];
  return value.toFixed(digits).replace("-", "−") + (unit ? ` ${unit}` : "");
}

function makeParameter(parameter) {
  const id = `p-${parameter.identifier}`;
  const send = (value) => {
    parameter.value = value;
    parameter.show();
    // At most one request waits, with the latest value.
    parameter.next = value;
    if (parameter.isSending) return;
    parameter.isSending = true;
    attempt(async () => {
      try {
        while (parameter.next !== undefined) {
          const value = parameter.next;
          parameter.next = undefined;
          await server.request("setParameters", { values: { [parameter.identifier]: value } });
        }
      } finally {
        parameter.isSending = false;
      }
    })();
  };
  const value = make("output", { className: "value number" });
  const control = make("div", { className: "control" });
  let input;
  if (parameter.unit === "toggle") {
    input = make("input", { type: "checkbox", id, onchange: () => send(input.checked ? 1 : 0) });
    parameter.show = () => { input.checked = parameter.value >= 0.5; value.textContent = parameter.value >= 0.5 ? "on" : "off"; };
  } else if (parameter.valueNames.length > 0) {
    input = make("select", { id, onchange: () => send(Number(input.value)) },
      ...parameter.valueNames.map((name, index) => make("option", { value: `${parameter.minimum + index}`, textContent: name })));
    parameter.show = () => { input.value = `${parameter.value}`; value.textContent = ""; };
  } else {
    const steps = isWhole(parameter) ? parameter.maximum - parameter.minimum : 1000;
    input = make("input", { type: "range", id, min: 0, max: steps, step: 1 });
    input.oninput = () => {
      dragged = parameter;
      const chosen = toValue(parameter, input.value / (steps || 1));
      send(isWhole(parameter) ? Math.round(chosen) : chosen);
    };
    input.onchange = () => { dragged = null; };
    input.ondblclick = () => send(parameter.defaultValue);
    parameter.show = () => {
      if (dragged !== parameter) input.value = Math.round(toPosition(parameter, parameter.value) * steps);
      value.textContent = valueText(parameter, parameter.value);
      input.setAttribute("aria-valuetext", value.textContent);
    };
  }
  input.title = `${parameter.identifier}; default ${valueText(parameter, parameter.defaultValue)}`;
  parameter.learn = make("button", { type: "button", className: "learn", textContent: "Learn", "aria-label": `Learn a control for ${parameter.name}` });
  parameter.learn.onclick = () => (parameter.learning ? parameter.learning.close() : attempt(learn)(parameter));
  const reset = make("button", { type: "button", textContent: "Reset", "aria-label": `Reset ${parameter.name}`, onclick: () => send(parameter.defaultValue) });
  control.append(input, reset, parameter.learn);
  parameter.assigned = make("div", { className: "assigned", hidden: true });
  return make("div", { className: "parameter" }, make("label", { className: "name", htmlFor: id, textContent: parameter.name }), value, control, parameter.assigned);
}

async function updateValues() {
  const own = status?.ports.find((item) => item.name === port.name);
  // While nothing plays the port, each description has a unit of its own, with the settings of then.
  if (!own?.peaks && !own?.host) await server.request("describe", { component: componentOf(port) });
  const { values } = await server.request("values", {});
  parameters?.forEach((parameter, index) => {
    if (parameter === dragged || parameter.isSending || values[index] === undefined || parameter.value === values[index]) return;
    parameter.value = values[index];
    parameter.show();
  });
}

// ---- Edit: controls

const controlText = (control) => {
  const names = { controller: "controller", fineController: "fine controller", pitchBend: "pitch bend", pressure: "pressure", note: "note", program: "program" };
  const number = control.number === undefined ? "" : control.message === "note" ? ` ${noteName(control.number)}` : ` ${control.number}`;
  return `${names[control.message] ?? control.message}${number}${control.channel ? `, channel ${control.channel}` : ""}${control.keyboard ? ` of ${control.keyboard}` : ""}`;
};

async function loadControls() {
  const controls = (await server.list("controls")).items;
  for (const parameter of parameters ?? []) {
    const own = controls.filter((control) => control.effect === "parameter" && control.parameter === parameter.identifier && (!control.port || control.port === port.name));
    parameter.assigned.hidden = own.length === 0;
    const chips = own.map((control) => make("span", { className: "chip", title: control.problem ?? "" }, `${controlText(control)}${control.problem ? " (no effect)" : ""}`));
    if (own.some((control) => control.origin === "learned")) {
      const clear = make("button", { type: "button", textContent: "×", "aria-label": `Forget the controls of ${parameter.name}` });
      clear.onclick = attempt(async () => {
        await server.request("clearControls", { scope: "parameter", port: port.name, parameter: parameter.identifier });
        await loadControls();
      });
      chips.at(-1).append(clear);
    }
    parameter.assigned.replaceChildren(...chips);
  }
}

// Waits on a connection of its own, because a connection answers in order.
async function learn(parameter) {
  const connection = new Connection("Panel (learning)");
  parameter.learning = connection;
  parameter.learn.textContent = "Move it…";
  parameter.learn.setAttribute("aria-pressed", "true");
  let isCancelled = false;
  connection.onclose = () => { isCancelled = true; };
  try {
    await connection.open(readSecret());
    const wish = { component: componentOf(port), parameter: parameter.identifier, isNote: false, seconds: 60 };
    const ask = (tries) => connection.request("learnControl", wish).catch(async (error) => {
      // The server notices with a delay that a page has given up.
      if (error.code !== "notLearned" || tries === 0 || isCancelled) throw error;
      await new Promise((resolve) => setTimeout(resolve, 150));
      return ask(tries - 1);
    });
    const answer = await ask(10);
    $("edit-message").textContent = answer.control ? `${parameter.name}: ${controlText(answer.control)}` : "No control was moved within 60 s.";
    if (answer.warning) report(new Error(answer.warning));
  } catch (error) {
    if (!isCancelled) throw error;
  } finally {
    parameter.learning = null;
    parameter.learn.textContent = "Learn";
    parameter.learn.removeAttribute("aria-pressed");
    connection.onclose = null;
    connection.close();
    await loadControls().catch(() => {});
  }
}

$("save-form").addEventListener("submit", (event) => {
  event.preventDefault();
  attempt(async () => {
    const name = $("save-name").value.trim();
    const answer = await server.request("saveScene", { name, replaces: $("save-replaces").checked });
    $("edit-message").textContent = `“${name}” is saved in ${answer.file}`;
    $("save-name").value = "";
    await loadScenes();
  })();
});

// ---- Edit: zones

let zoneSettings = null; // As in the configuration; null without zones.

const parseKeys = (keys) => {
  const number = (text) => {
    const match = /^([A-Ga-g])([#♯b♭]?)(-?\d+)$/.exec(text.trim());
    if (!match) return Number(text);
    const offset = { c: 0, d: 2, e: 4, f: 5, g: 7, a: 9, b: 11 }[match[1].toLowerCase()];
    return (Number(match[3]) + 1) * 12 + offset + ("#♯".includes(match[2]) && match[2] ? 1 : match[2] ? -1 : 0);
  };
  if (keys === undefined || keys === null) return [0, 127];
  if (Array.isArray(keys)) return [keys[0], keys[1]];
  const parts = `${keys}`.split("..");
  if (parts.length === 1) return [number(parts[0]), number(parts[0])];
  return [parts[0] ? number(parts[0]) : 0, parts[1] ? number(parts[1]) : 127];
};
const presetText = (preset) => {
  if (preset === undefined) return "the port's preset";
  if (typeof preset === "string") return preset;
  return presets.find((other) => other.bank === preset.bank && other.program === preset.program)?.name ?? `${preset.bank}:${preset.program}`;
};

async function loadZones() {
  if (!port) return;
  const answer = await server.request("zones", { component: componentOf(port) });
  zoneSettings = answer.zones ? JSON.parse(answer.zones) : null;
  takeZones();
  if (view === "edit") showZones();
}

function takeZones() {
  zones = (zoneSettings ?? []).map((zone) => {
    const [low, high] = parseKeys(zone.keys);
    return { low, high, label: presetText(zone.preset) };
  });
  layoutKeys();
  drawSoon();
}

const sendZones = attempt(async () => {
  takeZones();
  drawZoneBars();
  await server.request("setZones", { component: componentOf(port), zones: JSON.stringify(zoneSettings) });
});

function showZones() {
  $("zones-card").hidden = !takesMIDI(port);
  const keyChoice = (label, value, change) => make("select", { "aria-label": label, onchange: (event) => change(Number(event.target.value)) },
    ...Array.from({ length: 128 }, (_, key) => make("option", { value: `${key}`, textContent: noteName(key), selected: key === value })));
  const rows = (zoneSettings ?? []).map((zone, index) => {
    const [low, high] = parseKeys(zone.keys);
    const set = (change) => { change(); sendZones(); showZones(); };
    const names = new Set(presets.map((preset) => preset.name));
    const current = typeof zone.preset === "string" ? zone.preset : presets.find((preset) => zone.preset && preset.bank === zone.preset.bank && preset.program === zone.preset.program)?.name ?? "";
    const sound = make("select", { "aria-label": `Sound of zone ${index + 1}`, onchange: (event) => set(() => {
      const preset = presets.find((preset) => preset.name === event.target.value);
      if (!preset) delete zone.preset;
      else zone.preset = preset.bank === undefined ? preset.name : { bank: preset.bank, program: preset.program };
    }) }, make("option", { value: "", textContent: "the port's preset" }),
    ...(current && !names.has(current) ? [make("option", { value: current, textContent: current, selected: true })] : []),
    ...presets.map((preset) => make("option", { value: preset.name, textContent: preset.name, selected: preset.name === current })));
    const number = (label, value, low, high, change) => make("input", { type: "number", "aria-label": `${label} of zone ${index + 1}`, min: low, max: high, value, onchange: (event) => set(() => change(clamp(Number(event.target.value) || 0, low, high))) });
    return make("tr", {}, make("td", {}, sound),
      make("td", {}, keyChoice(`Lowest key of zone ${index + 1}`, low, (key) => set(() => { zone.keys = [key, Math.max(key, high)]; }))),
      make("td", {}, keyChoice(`Highest key of zone ${index + 1}`, high, (key) => set(() => { zone.keys = [Math.min(key, low), key]; }))),
      make("td", {}, number("Transposition", zone.transpose ?? 0, -48, 48, (value) => { zone.transpose = value; })),
      make("td", {}, number("Level", zone.level ?? 0, -60, 12, (value) => { zone.level = value; })),
      make("td", {}, make("button", { type: "button", textContent: "Remove", "aria-label": `Remove zone ${index + 1}`, onclick: () => set(() => zoneSettings.splice(index, 1)) })));
  });
  if (rows.length === 0) rows.push(make("tr", {}, make("td", { colSpan: 6, className: "dim", textContent: zoneSettings ? "No zone: no key is played." : "No zones: the port's sound has the whole keyboard." })));
  $("zone-table").tBodies[0].replaceChildren(...rows);
  drawZoneBars();
}

$("zone-add").onclick = () => {
  zoneSettings = zoneSettings ? [...zoneSettings, { keys: [60, 127] }] : [{ keys: [0, 59] }, { keys: [60, 127] }];
  sendZones();
  showZones();
};
$("zone-clear").onclick = attempt(async () => {
  await server.request("setZones", { component: componentOf(port) });
  await loadZones();
});

const bars = $("zone-bars");
const barHeight = () => clamp(Math.floor(84 / Math.max(1, zones.length)), 8, 26);
const barX = (key) => (key / 128) * bars.clientWidth;

function drawZoneBars() {
  if (bars.clientWidth === 0) return;
  const context = prepare(bars);
  for (let key = 0; key < 128; key += 1) {
    context.fillStyle = isBlack(key) ? colors["black-key"] : colors["white-key"];
    context.fillRect(barX(key), 92, bars.clientWidth / 128 - 0.5, 18);
  }
  const height = barHeight();
  zones.forEach((zone, index) => {
    context.fillStyle = palette(index);
    context.fillRect(barX(zone.low), index * height, Math.max(3, barX(zone.high + 1) - barX(zone.low)), height - 3);
    if (height < 14) return;
    context.fillStyle = isDark.matches ? "oklch(0.15 0.02 270)" : "oklch(0.99 0 0)";
    context.font = "600 11px system-ui, sans-serif";
    context.save();
    context.beginPath();
    context.rect(barX(zone.low), index * height, barX(zone.high + 1) - barX(zone.low), height);
    context.clip();
    context.fillText(`${zone.label}  ${noteName(zone.low)}–${noteName(zone.high)}`, barX(zone.low) + 8, index * height + height / 2 + 3);
    context.restore();
  });
}

let barDrag = null;
const barHit = (event) => {
  const box = bars.getBoundingClientRect(), x = event.clientX - box.left, y = event.clientY - box.top;
  const index = Math.floor(y / barHeight()), zone = zones[index];
  if (!zone) return null;
  if (Math.abs(x - barX(zone.low)) < 10) return { index, end: "low" };
  if (Math.abs(x - barX(zone.high + 1)) < 10) return { index, end: "high" };
  return null;
};
bars.addEventListener("pointerdown", (event) => {
  barDrag = barHit(event);
  if (barDrag) bars.setPointerCapture(event.pointerId);
});
bars.addEventListener("pointermove", (event) => {
  bars.style.cursor = barDrag || barHit(event) ? "ew-resize" : "default";
  if (!barDrag) return;
  const key = clamp(Math.floor(((event.clientX - bars.getBoundingClientRect().left) / bars.clientWidth) * 128), 0, 127);
  const zone = zones[barDrag.index];
  if (barDrag.end === "low") zone.low = Math.min(key, zone.high);
  else zone.high = Math.max(key, zone.low);
  drawZoneBars();
  drawSoon();
});
bars.addEventListener("pointerup", () => {
  if (!barDrag) return;
  const zone = zones[barDrag.index];
  zoneSettings[barDrag.index].keys = [zone.low, zone.high];
  barDrag = null;
  sendZones();
  showZones();
});
bars.addEventListener("pointercancel", () => { barDrag = null; takeZones(); drawZoneBars(); });

// ---- Monitor

async function loadReport() {
  const report = await server.list("report");
  $("port-table").tBodies[0].replaceChildren(...report.items.map((item) => {
    const song = item.song, rendering = item.rendering;
    const transport = song ? `${song.isPlaying ? "playing" : "stopped"}${song.isRecording ? ", recording" : ""}, beat ${song.beat.toFixed(1)}, ${song.tempo.toFixed(1)} bpm, ${song.meter}` : "–";
    const cell = (text, className = "") => make("td", { textContent: text, className });
    return make("tr", {}, make("th", { scope: "row", textContent: item.port.name }),
      cell(item.host ? `${item.host.name}${item.hostCount > 1 ? ` and ${item.hostCount - 1} more` : ""}` : "–"), cell(transport), cell(item.players.join(", ") || "–"),
      cell(rendering ? `${(rendering.load * 100).toFixed(1)} %` : "–", "number"), cell(rendering ? `${rendering.belatedEvents}` : "–", "number"),
      cell(rendering ? rendering.unit.map((figure) => `${figure.name} ${figure.value}`).join(", ") : ""));
  }));
}

$("restart-sound").onclick = attempt(() => server.request("panel.restartSound", {}));

$("doctor-check").onclick = attempt(async () => {
  $("doctor-check").disabled = true;
  try {
    const { findings } = await server.request("panel.doctor", {});
    $("doctor-list").replaceChildren(...findings.map((finding) => make("li", {},
      make("span", { className: finding.verdict, textContent: finding.verdict }), make("span", { textContent: `${finding.subject}: ${finding.message}` }),
      ...(finding.remedy ? [make("span", { className: "remedy", textContent: finding.remedy })] : []))));
  } finally {
    $("doctor-check").disabled = false;
  }
});

async function loadWiring() {
  const { wiring } = await server.request("panel.wiring", {});
  $("wiring-card").hidden = !wiring;
  if (!wiring) return;
  const targets = ports.filter(takesMIDI);
  const set = attempt(async (keyboard, port, isOn) => {
    try {
      await server.request("panel.wire", { keyboard: keyboard.address, port: port.name, isConnected: isOn });
    } finally {
      await loadWiring();
    }
  });
  const head = make("tr", {}, make("th", { scope: "col", textContent: "Keyboard" }), ...targets.map((port) => {
    const cell = make("th", { scope: "col", textContent: port.name });
    cell.ondragover = (event) => { event.preventDefault(); cell.classList.add("drop"); };
    cell.ondragleave = () => cell.classList.remove("drop");
    cell.ondrop = (event) => {
      event.preventDefault();
      const keyboard = wiring.keyboards.find((keyboard) => keyboard.address === event.dataTransfer.getData("text/plain"));
      if (keyboard) set(keyboard, port, true);
    };
    return cell;
  }));
  const rows = wiring.keyboards.map((keyboard) => make("tr", {},
    make("th", { scope: "row", textContent: keyboard.name, className: "wiring-keyboard", draggable: true, ondragstart: (event) => event.dataTransfer.setData("text/plain", keyboard.address) }),
    ...targets.map((port) => make("td", {}, make("input", { type: "checkbox", "aria-label": `${keyboard.name} plays ${port.name}`, checked: keyboard.plays.includes(port.name), onchange: (event) => set(keyboard, port, event.target.checked) })))));
  if (rows.length === 0) rows.push(make("tr", {}, make("td", { className: "dim", colSpan: targets.length + 1, textContent: "There is no keyboard: plug one in and switch it on." })));
  $("wiring-table").replaceChildren(make("thead", {}, head), make("tbody", {}, ...rows));
}

// ---- Takes

let take = null; // { rate, division, tempo, tracks: [{ name, events: [{ tick, bytes }], notes: [{ key, begin, end }] }], end }
let selection = { from: 0, to: 0 };
const takeCanvas = $("take-roll");
const clock = (seconds) => `${Math.floor(seconds / 60)}:${(seconds % 60).toFixed(1).padStart(4, "0")}`;
const readClock = (text) => {
  const match = /^\s*(?:(\d+):)?(\d+(?:\.\d*)?)\s*$/.exec(text);
  return match ? Number(match[1] ?? 0) * 60 + Number(match[2]) : null;
};

async function loadTake() {
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
    selection = { from: 0, to: take.end };
    const notes = take.tracks.reduce((sum, track) => sum + track.notes.length, 0);
    $("take-summary").textContent = `${notes} ${notes === 1 ? "note" : "notes"} in ${clock(take.end)}, of the last ${Math.round(limit / 60)} minutes${answer.take.hasLosses ? "; some events are missing" : ""}.`;
  }
  for (const id of ["take-from", "take-to", "take-all", "take-save"]) $(id).disabled = !take;
  showSelection();
}

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
$("take-save").onclick = () => {
  const link = make("a", { href: URL.createObjectURL(new Blob([writeMIDI(take, selection.from, selection.to)], { type: "audio/midi" })), download: "take.mid" });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
};

// ---- Start

new ResizeObserver(() => { drawSoon(); drawZoneBars(); drawTake(); }).observe(document.body);
readColors();
setLowest(lowest);
chooseView(views.includes(localStorage.getItem("view")) ? localStorage.getItem("view") : "play");
connect();
