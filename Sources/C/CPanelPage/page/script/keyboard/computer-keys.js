// The keys of the computer as keys of a piano.

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
