// Loads the script after the first frame, which it would delay. A hidden page has no frames.

const loadPanel = () => {
  const script = document.createElement("script");
  script.src = "/panel.js";
  document.head.append(script);
};
if (document.hidden) loadPanel();
else requestAnimationFrame(() => setTimeout(loadPanel));
