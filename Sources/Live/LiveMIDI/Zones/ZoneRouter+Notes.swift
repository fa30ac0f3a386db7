import RenderCore

extension ZoneRouter {
  /// Routes a note-on.
  mutating func start(
    _ message: ChannelMessage, _ player: ZonePlayer, _ output: inout [Routed]
  ) {
    let before = player.takeNotes(of: message)
    var now: [ZoneNote] = []
    var velocities: [UInt8] = []
    for index in indices(of: player)
    where zones[index].isPlayed(by: message)
      && zones[index].contains(key: message.data1, velocity: message.data2)
    {
      let number = Int(message.data1) + zones[index].transposition
      guard 0...127 ~= number else { continue }
      let note = ZoneNote(
        sound: zones[index].sound, channel: message.channel, key: UInt8(number),
        isMono: zones[index].isMono)
      if zones[index].isLegato, player.legatoLines.insert(note.line).inserted {
        let legato = ChannelMessage(.controlChange, channel: message.channel, 68, 127)
        output.append(Routed(sound: note.sound, source: player.source, message: legato))
      }
      if !now.contains(note) {
        now.append(note)
        velocities.append(zones[index].velocityCurve[message.data2])
      }
    }
    // The key is struck again without a note-off.
    for note in before where !now.contains(note) {
      release(note, player, velocity: 64, &output)
    }
    for (note, velocity) in zip(now, velocities) {
      strike(HeldNote(note: note, source: player.source, velocity: velocity), &output)
    }
    if !now.isEmpty { player.setNotes(now, of: message) }
  }

  private mutating func strike(_ held: HeldNote, _ output: inout [Routed]) {
    if held.note.isMono {
      let line = held.note.line
      lines[line]?.removeAll { $0.isOf(held.note, held.source) }
      if let last = lines[line]?.last { output.append(Self.off(last.note, last.source, 64)) }
      lines[line, default: []].append(held)
    }
    output.append(Self.on(held))
  }

  /// Ends a note of a key that has been released, unless another key holds it.
  mutating func release(
    _ note: ZoneNote, _ player: ZonePlayer, velocity: UInt8, _ output: inout [Routed]
  ) {
    if player.plays(note) { return }
    guard note.isMono, var line = lines[note.line],
      let index = line.firstIndex(where: { $0.isOf(note, player.source) })
    else { return output.append(Self.off(note, player.source, velocity)) }
    let wasLast = index == line.count - 1
    line.remove(at: index)
    lines[note.line] = line.isEmpty ? nil : line
    if !wasLast { return }
    output.append(Self.off(note, player.source, velocity))
    if let next = line.last { output.append(Self.on(next)) }
  }

  private static func on(_ held: HeldNote) -> Routed {
    let note = held.note
    let message = ChannelMessage(.noteOn, channel: note.channel, note.key, held.velocity)
    return Routed(sound: note.sound, source: held.source, message: message)
  }

  private static func off(
    _ note: ZoneNote, _ source: LiveInput.Source, _ velocity: UInt8
  ) -> Routed {
    let message = ChannelMessage(.noteOff, channel: note.channel, note.key, velocity)
    return Routed(sound: note.sound, source: source, message: message)
  }
}
