// What was just played, and the part of it that is selected.

let take = null; // { rate, division, tempo, tracks: [{ name, port, events: [{ tick, bytes }], notes: [{ key, begin, end }] }], end }
let selection = { from: 0, to: 0 };
const takeCanvas = $("take-roll");
const clock = (seconds) => `${Math.floor(seconds / 60)}:${(seconds % 60).toFixed(1).padStart(4, "0")}`;
const readClock = (text) => {
  const match = /^\s*(?:(\d+):)?(\d+(?:\.\d*)?)\s*$/.exec(text);
  return match ? Number(match[1] ?? 0) * 60 + Number(match[2]) : null;
};

// The selection remains if the take begins as before.
async function loadTake() {
  const earlier = take;
  const parts = [];
  let length = 0, answer;
  do {
    answer = await server.request("take", { keepsSilence: false, offset: length });
    const part = Uint8Array.from(atob(answer.data), (character) => character.charCodeAt(0));
    parts.push(part);
    length += part.length;
    if (part.length === 0) break;
  } while (length < answer.total);
  const limit = answer.take.limit;
  if (length === 0) {
    take = null;
    $("take-summary").textContent = limit > 0 ? `Nothing has been played yet. The server keeps the last ${Math.round(limit / 60)} minutes.` : "Nothing is recorded: the server has no sound device, or its configuration keeps no takes.";
  } else {
    const bytes = new Uint8Array(length);
    let offset = 0;
    for (const part of parts) { bytes.set(part, offset); offset += part.length; }
    take = readMIDI(bytes);
    // The first track has the tempo only.
    take.tracks.forEach((track, index) => { track.port = answer.take.ports[index - 1]?.name; });
    if (earlier && beginsAs(earlier, take)) {
      if (selection.to === earlier.end) selection.to = take.end;
    } else selection = { from: 0, to: take.end };
    const notes = take.tracks.reduce((sum, track) => sum + track.notes.length, 0);
    $("take-summary").textContent = `${notes} ${notes === 1 ? "note" : "notes"} in ${clock(take.end)}, of the last ${Math.round(limit / 60)} minutes${answer.take.hasLosses ? "; some events are missing" : ""}.`;
  }
  for (const id of ["take-from", "take-to", "take-all", "take-save", "take-audio"]) $(id).disabled = !take;
  showSelection();
}

// Whether the server has forgotten nothing of an earlier take, whose times are the same then.
function beginsAs(earlier, later) {
  return earlier.tracks.every((track) => {
    const same = later.tracks.find((other) => other.name === track.name);
    return track.notes.slice(0, 8).every((note, index) => {
      const other = same?.notes[index];
      return other && other.begin === note.begin && other.key === note.key && other.velocity === note.velocity;
    });
  });
}

function showSelection() {
  $("take-from").value = clock(selection.from);
  $("take-to").value = clock(selection.to);
  drawTake();
}
