// The zones above the keys.

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
