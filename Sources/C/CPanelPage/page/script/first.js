// Loads the script after the first frame, which it would delay. A hidden page has no frames.

// The content security policy admits no other policy, so no text can become a script.
const scripts = self.trustedTypes?.createPolicy("panel", { createScriptURL: () => "/panel.js" });
const loadPanel = () => {
  const script = document.createElement("script");
  script.src = scripts?.createScriptURL("") ?? "/panel.js";
  document.head.append(script);
};
if (document.hidden) loadPanel();
else requestAnimationFrame(() => setTimeout(loadPanel));
