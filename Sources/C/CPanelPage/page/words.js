// The words of a song: the line that is sung, the next one, and the markers, which are places to jump to.

import { $, make } from "./page.js";
import { server } from "./server.js";
import { jumpTo } from "./song.js";

let lines = []; // { time, words: [{ time, text }] }
let shownLine = null;
let asked = 0;

export async function loadWords(song) {
  asked += 1;
  const own = asked;
  const items = song.wordCount > 0 ? (await server.list("songWords")).items : [];
  if (own !== asked) return;
  lines = [];
  for (const { kind, position, text, lineBreak } of items) {
    if (kind !== "lyric") continue;
    if (lineBreak || lines.length === 0) lines.push({ time: position, words: [] });
    lines.at(-1).words.push({ time: position, text });
  }
  const markers = items.filter((word) => word.kind === "marker");
  $("song-markers").replaceChildren(...markers.map(({ text, position }) => make("li", {}, make("button", { type: "button", textContent: text, onclick: () => jumpTo(position) }))));
  $("song-markers").hidden = markers.length === 0;
  $("song-words").hidden = lines.length === 0;
  shownLine = null;
}

const textOf = (line) => line?.words.map((word) => word.text).join("") ?? "";

export function showWords(now) {
  if (lines.length === 0) return;
  // Before the first line, it is the next one.
  const index = lines.findLastIndex((line) => line.time <= now);
  if (index !== shownLine) {
    shownLine = index;
    $("song-line").replaceChildren(...(lines[index]?.words ?? []).map((word) => make("span", { textContent: word.text })));
    $("song-next-line").textContent = textOf(lines[index + 1]);
  }
  (lines[index]?.words ?? []).forEach((word, place) => $("song-line").children[place].classList.toggle("sung", word.time <= now));
}
