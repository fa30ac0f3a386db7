// Saves the selected part with the sound that was heard. The server renders it, and chooses the folder.

$("take-audio").onclick = attempt(async () => {
  const earlier = take;
  $("take-audio").disabled = true;
  $("take-message").textContent = "Rendering…";
  let text = "";
  try {
    await loadTake();
    if (!take || !beginsAs(earlier, take)) throw new Error("The server has forgotten the beginning of what was played: select again.");
    $("take-audio").disabled = true;
    // The server counts from the first note of the port, whose zones have tracks of their own.
    const first = Math.min(...take.tracks.filter((track) => track.port === port.name && track.notes.length > 0).map((track) => track.notes[0].begin));
    const begin = Number.isFinite(first) ? first : 0;
    const part = { component: componentOf(port), from: selection.from - begin };
    // To the end, the sound fades out.
    if (selection.to < take.end) part.to = selection.to - begin;
    const { file } = await server.request("panel.saveTake", part);
    text = `${port.name}: saved in ${file}`;
  } finally {
    $("take-message").textContent = text;
    $("take-audio").disabled = !take;
  }
});
