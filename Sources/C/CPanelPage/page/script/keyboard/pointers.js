// Mouse and fingers on the keys.

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
