// Begins when all else is defined.

new ResizeObserver(() => { drawSoon(); drawZoneBars(); drawTake(); }).observe(document.body);
readColors();
setLowest(lowest);
chooseView(views.includes(localStorage.getItem("view")) ? localStorage.getItem("view") : "play");
// The first frame is not delayed by the connection. A hidden page has no frames.
if (document.hidden) connect();
else requestAnimationFrame(() => setTimeout(connect));
