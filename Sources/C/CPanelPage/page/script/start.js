// Begins when all else is defined.

new ResizeObserver(() => { drawSoon(); drawZoneBars(); drawTake(); }).observe(document.body);
readColors();
setLowest(lowest);
chooseView(views.includes(localStorage.getItem("view")) ? localStorage.getItem("view") : "play");
connect();
