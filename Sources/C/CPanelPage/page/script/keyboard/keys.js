// The picture of the keyboard.

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
