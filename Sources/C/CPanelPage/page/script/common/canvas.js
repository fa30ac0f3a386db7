// What all pictures share: colors of the style, and canvases as sharp as the screen.

const isStill = matchMedia("(prefers-reduced-motion: reduce)");
const isDark = matchMedia("(prefers-color-scheme: dark)");

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
