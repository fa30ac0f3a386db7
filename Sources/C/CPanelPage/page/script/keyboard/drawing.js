// Pictures are drawn with the screen, while anything moves.

let isDrawing = false;
function drawSoon() {
  if (isDrawing) return;
  isDrawing = true;
  requestAnimationFrame((time) => {
    isDrawing = false;
    const isMoving = drawKeys(time);
    const isFalling = meters.draw(time);
    if ((isMoving || isFalling) && !document.hidden) drawSoon();
  });
}
