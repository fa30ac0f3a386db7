// The list of the zones.

function showZones() {
  $("zones-card").hidden = !takesMIDI(port);
  $("zone-list").replaceChildren(...(zoneSettings ?? []).map(makeZone));
  $("zone-empty").hidden = zoneSettings?.length > 0;
  $("zone-empty").textContent = zoneSettings ? "No zone: no key is played." : "No zones: the port's sound has the whole keyboard.";
  drawZoneBars();
}

$("zone-add").onclick = () => {
  zoneSettings = zoneSettings ? [...zoneSettings, { keys: [60, 127] }] : [{ keys: [0, 59] }, { keys: [60, 127] }];
  sendZones();
  showZones();
};
$("zone-clear").onclick = attempt(async () => {
  await server.request("setZones", { component: componentOf(port) });
  await loadZones();
});
isDark.addEventListener("change", () => { if (view === "edit" && port) showZones(); });
