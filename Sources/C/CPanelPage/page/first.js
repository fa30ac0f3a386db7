// Loads the modules after the first frame, which they would delay. A hidden page has no frames.
const load = () => import("/panel.js");
if (document.hidden) load();
else requestAnimationFrame(() => setTimeout(load));
