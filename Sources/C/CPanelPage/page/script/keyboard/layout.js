// Where the keys are.

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
