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
    // The server counts from the first note of the port.
    const first = take.tracks.find((track) => track.name === port.name)?.notes[0]?.begin;
    const part = { component: componentOf(port), from: selection.from - (first ?? 0) };
    // To the end, the sound fades out.
    if (selection.to < take.end) part.to = selection.to - (first ?? 0);
    const { file } = await server.request("panel.saveTake", part);
    text = `${port.name}: saved in ${file}`;
  } finally {
    $("take-message").textContent = text;
    $("take-audio").disabled = !take;
  }
});
