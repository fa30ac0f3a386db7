// Writes a Standard MIDI File.

function variable(number) {
  const bytes = [number & 127];
  for (let rest = number >> 7; rest > 0; rest >>= 7) bytes.unshift((rest & 127) | 128);
  return bytes;
}

// Writes a part of the take: the settings before it, and its notes, which end with it.
function writeMIDI(take, from, to) {
  const ticks = (seconds) => Math.round((seconds * 1e6 * take.division) / take.tempo);
  const [first, last] = [ticks(from), ticks(to)];
  const text = (word) => [...new TextEncoder().encode(word)];
  const long = (number) => [number >>> 24, (number >> 16) & 255, (number >> 8) & 255, number & 255];
  const chunk = (events) => {
    const body = [];
    let tick = 0;
    for (const event of events) { body.push(...variable(event.tick - tick), ...event.bytes); tick = event.tick; }
    body.push(0, 0xff, 0x2f, 0);
    return [...text("MTrk"), ...long(body.length), ...body];
  };
  const tracks = take.tracks.filter((track) => track.notes.length > 0).map((track) => {
    const name = text(track.name);
    const settings = new Map(), events = [], held = new Set();
    for (const { tick, bytes } of track.events) {
      const [status, number, value] = bytes, kind = status & 0xf0, slot = (status & 15) * 128 + number;
      const isOn = kind === 0x90 && value > 0, isOff = kind === 0x80 || (kind === 0x90 && value === 0);
      if (tick < first) {
        if (!isOn && !isOff && kind !== 0xa0) { const place = kind === 0xb0 ? `${status} ${number}` : `${status} ${kind === 0xf0 ? tick : ""}`; settings.delete(place); settings.set(place, { tick: 0, bytes }); }
      } else if (tick < last || isOff) {
        if (isOff && !held.delete(slot)) continue;
        if (isOn) held.add(slot);
        events.push({ tick: Math.min(tick, last) - first, bytes });
      }
    }
    for (const slot of held) events.push({ tick: last - first, bytes: [0x80 | (slot >> 7), slot & 127, 64] });
    return chunk([{ tick: 0, bytes: [0xff, 3, ...variable(name.length), ...name] }, ...settings.values(), ...events]);
  });
  const tempo = chunk([{ tick: 0, bytes: [0xff, 0x51, 3, take.tempo >> 16, (take.tempo >> 8) & 255, take.tempo & 255] }]);
  return new Uint8Array([...text("MThd"), 0, 0, 0, 6, 0, 1, 0, tracks.length + 1, take.division >> 8, take.division & 255, ...tempo, ...tracks.flat()]);
}
