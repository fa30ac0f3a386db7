// Hosts, transport and load of the ports.

async function loadReport() {
  const report = await server.list("report");
  $("port-table").tBodies[0].replaceChildren(...report.items.map((item) => {
    const song = item.song, rendering = item.rendering;
    const transport = song ? `${song.isPlaying ? "playing" : "stopped"}${song.isRecording ? ", recording" : ""}, beat ${song.beat.toFixed(1)}, ${song.tempo.toFixed(1)} bpm, ${song.meter}` : "–";
    // With several hosts, whose round trip it is.
    const roundTrips = (item.roundTrips ?? []).map((one, _, all) =>
      `${all.length > 1 ? `${one.host.name} (${one.host.processID}): ` : ""}${Math.round(one.median)} µs, longest ${Math.round(one.longest)} µs`);
    const cell = (text, className = "") => make("td", { textContent: text, className });
    return make("tr", {}, make("th", { scope: "row", textContent: item.port.name }),
      cell(item.host ? `${item.host.name}${item.hostCount > 1 ? ` and ${item.hostCount - 1} more` : ""}` : "–"), cell(transport), cell(item.players.join(", ") || "–"),
      cell(rendering ? `${(rendering.load * 100).toFixed(1)} %` : "–", "number"), cell(roundTrips.join("; ") || "–", "number"), cell(`${rendering?.lateCycles ?? "–"}`, "number"), cell(`${rendering?.lateEvents ?? "–"}`, "number"),
      cell(rendering ? rendering.unit.map((figure) => `${figure.name} ${figure.value}`).join(", ") : ""));
  }));
}
