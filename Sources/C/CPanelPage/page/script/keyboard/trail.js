// Notes that move upwards from their keys.

const trailSeconds = 2.2;

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
