// What the server reports many times per second.

function showStatus(next) {
  const previous = status;
  status = next;
  for (const line of next.log) addLogLine(line);
  const own = next.ports.find((item) => item.name === port?.name);
  remoteKeys = new Set(own?.keys ?? []);
  if (own?.preset !== previous?.ports.find((item) => item.name === port?.name)?.preset) markPreset();
  // The count also tells whether there are scenes before one is chosen.
  if (["name", "place", "count"].some((key) => next.scene?.[key] !== previous?.scene?.[key])) {
    showScene();
    if (isConnected && previous && port) loadZones().catch(() => {});
  }
  if (isConnected && previous && next.revision !== previous.revision) {
    loadPorts().catch(report);
  }
  meters.follow(next);
  drawSoon();
}
