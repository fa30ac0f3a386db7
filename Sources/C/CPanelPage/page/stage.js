// The stage view: the scene and the next one in the largest type, or without scenes the presets.

import { $, isShown, make, parts } from "./page.js";
import { panic } from "./keyboard.js";
import { currentPreset, neighbour, scenes, stepPreset, stepScene } from "./play.js";
import { port, status } from "./server.js";

const hasScenes = () => scenes.length > 0;
const step = (by) => (hasScenes() ? stepScene(by) : stepPreset(by));

function showStage() {
  if (!isShown("stage")) return;
  const scene = status?.scene;
  let name, next, place, words = "";
  if (hasScenes()) {
    name = scene?.name ?? "No scene";
    next = scene?.next;
    place = scene?.place ? `${scene.place} of ${scene.count}` : "";
    words = scene?.text ?? "";
  } else {
    name = currentPreset()?.name ?? port?.name ?? "";
    next = neighbour(1)?.name;
    place = "";
  }
  $("stage-place").textContent = place;
  $("stage-name").classList.toggle("unset", hasScenes() && !scene?.name);
  $("stage-name").replaceChildren(make("span", { textContent: name }));
  $("stage-words").textContent = words;
  $("stage-words").hidden = words === "";
  const isEnd = hasScenes() && Boolean(scene?.name) && !next;
  $("stage-following").replaceChildren(make("span", { textContent: next ? `Next: ${next}` : isEnd ? "The last scene" : "" }));
  $("stage-previous").disabled = hasScenes() ? $("scene-previous").disabled : !next;
  $("stage-next").disabled = hasScenes() ? $("scene-next").disabled : !next;
  fit($("stage-name"), 400);
  fit($("stage-following"), 200);
}

// Gives a text the largest size with which it fits into its box.
function fit(box, largest) {
  const text = box.firstChild;
  let low = 12, high = largest;
  while (high - low > 1) {
    const size = (low + high) / 2;
    text.style.fontSize = `${size}px`;
    if (text.offsetHeight <= box.clientHeight && text.scrollWidth <= box.clientWidth) low = size;
    else high = size;
  }
  text.style.fontSize = `${low}px`;
}

// Keeps the screen on. Browsers end that while the page is hidden, and offer it to pages of the loopback interface or with TLS only.
let lock = null;
async function keepAwake() {
  const isWanted = isShown("stage") && !document.hidden;
  try {
    if (isWanted && !lock) {
      lock = "wanted";
      lock = await navigator.wakeLock?.request("screen") ?? null;
      lock?.addEventListener("release", () => { lock = null; });
      if (!isShown("stage")) await lock?.release();
    } else if (!isWanted && lock?.release) await lock.release();
  } catch {
    // Such as with an empty battery.
    lock = null;
  }
}
document.addEventListener("visibilitychange", keepAwake);

$("stage-previous").onclick = () => step(-1);
$("stage-next").onclick = () => step(1);
$("stage-panic").onclick = panic;
// Pedals that turn pages send these keys.
addEventListener("keydown", (event) => {
  const by = { ArrowRight: 1, ArrowDown: 1, PageDown: 1, ArrowLeft: -1, ArrowUp: -1, PageUp: -1 }[event.key];
  if (!by || !isShown("stage") || event.repeat || event.ctrlKey || event.altKey || event.metaKey || event.target.closest("dialog")) return;
  event.preventDefault();
  step(by);
});

parts.push({
  view: "stage",
  show: showStage,
  connected: showStage,
  chosen: showStage,
  presetChanged: showStage,
  sceneChanged: showStage,
  viewChanged() {
    keepAwake();
    showStage();
  },
  draw: showStage,
});
