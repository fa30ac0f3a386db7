// The picture of the zones, whose ends can be dragged.

const bars = $("zone-bars");
const barHeight = () => clamp(84 / Math.max(1, zones.length), 4, 26);
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
  showZones();
  sendZones();
});
bars.addEventListener("pointercancel", () => { barDrag = null; takeZones(); drawZoneBars(); });
