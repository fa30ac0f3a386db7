// Reads a Standard MIDI File with one tempo, as the server writes it.

function readMIDI(bytes) {
  const data = new DataView(bytes.buffer);
  const result = { division: data.getUint16(12), tempo: 500000, tracks: [], end: 0 };
  let place = 8 + data.getUint32(4);
  while (place + 8 <= bytes.length) {
    const end = place + 8 + data.getUint32(place + 4);
    let at = place + 8, tick = 0, running = 0;
    const number = () => { let value = 0, byte; do { byte = bytes[at++]; value = value * 128 + (byte & 127); } while (byte & 128); return value; };
    const track = { name: "", events: [], notes: [] };
    while (at < end) {
      tick += number();
      if (bytes[at] & 128) running = bytes[at++];
      if (running === 0xff) {
        const type = bytes[at++], size = number(), content = bytes.subarray(at, at + size);
        at += size;
        if (type === 3) track.name = new TextDecoder().decode(content);
        if (type === 0x51) result.tempo = content[0] * 65536 + content[1] * 256 + content[2];
      } else if (running === 0xf0 || running === 0xf7) {
        const size = number();
        track.events.push({ tick, bytes: [running, ...variable(size), ...bytes.subarray(at, at + size)] });
        at += size;
      } else {
        const size = (running & 0xe0) === 0xc0 ? 1 : 2;
        track.events.push({ tick, bytes: [running, ...bytes.subarray(at, at + size)] });
        at += size;
      }
    }
    result.tracks.push(track);
    place = end;
  }
  const seconds = (tick) => (tick * result.tempo) / 1e6 / result.division;
  for (const track of result.tracks) {
    const open = new Map();
    for (const { tick, bytes: [status, key, velocity] } of track.events) {
      const slot = (status & 15) * 128 + key, kind = status & 0xf0;
      if (kind !== 0x90 && kind !== 0x80) continue;
      if (open.has(slot)) { open.get(slot).end = seconds(tick); open.delete(slot); }
      if (kind === 0x90 && velocity > 0) { const note = { key, velocity, begin: seconds(tick), end: seconds(tick) }; track.notes.push(note); open.set(slot, note); }
    }
    for (const event of track.events) result.end = Math.max(result.end, seconds(event.tick));
    for (const note of open.values()) note.end = result.end;
  }
  return result;
}
