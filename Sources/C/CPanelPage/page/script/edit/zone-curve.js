// The picture of a zone's velocities: those that sound, above those that are played.

function drawCurve(canvas, zone) {
  if (canvas.clientWidth === 0) return;
  const context = prepare(canvas), width = canvas.clientWidth, height = canvas.clientHeight;
  const x = (velocity) => (velocity / 127) * (width - 4) + 2, y = (velocity) => height - 2 - (velocity / 127) * (height - 4);
  const [low, high] = zone.velocities ?? [1, 127];
  context.fillStyle = colors.raised;
  context.fillRect(x(low), 0, x(high) - x(low), height);
  context.strokeStyle = colors.line;
  context.lineWidth = 1;
  context.beginPath();
  context.moveTo(x(0), y(0));
  context.lineTo(x(127), y(127));
  context.stroke();
  context.strokeStyle = colors.accent;
  context.lineWidth = 2;
  context.beginPath();
  for (let velocity = low; velocity <= high; velocity += 1) context.lineTo(x(velocity), y(curveValue(zone.velocity, velocity)));
  context.stroke();
}
