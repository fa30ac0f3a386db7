import RenderCore

extension ZoneRouter {
  /// Routes a pedal or another switch to the zones of now, and to the sounds that have it on.
  mutating func press(
    _ message: ChannelMessage, _ player: ZonePlayer, _ output: inout [Routed]
  ) {
    var done = SoundSet()
    var on: [ZonePedal] = []
    func press(_ pedal: ZonePedal) {
      guard done.insert(pedal.sound) else { return }
      let value = pedal.isInverted ? 127 - message.data2 : message.data2
      if value >= 64 { on.append(pedal) }
      let message = ChannelMessage(
        .controlChange, channel: message.channel, message.data1, value)
      output.append(Routed(sound: pedal.sound, source: player.source, message: message))
    }
    for index in indices(of: player)
    where zones[index].isPlayed(by: message) && zones[index].controllers.passes(message) {
      let isInverted = zones[index].invertsPedal && message.data1 == 64
      press(ZonePedal(sound: zones[index].sound, isInverted: isInverted))
    }
    // Only off: a sound that no zone plays any more must not be held by the next step on the pedal.
    let before = player.pedals(of: message)
    for pedal in before where (message.data2 >= 64) == pedal.isInverted { press(pedal) }
    for pedal in before where !done.contains(pedal.sound) { on.append(pedal) }
    player.setPedals(on, of: message)
  }

  /// Routes a message that is neither of a key nor of a switch.
  mutating func pass(
    _ message: ChannelMessage, _ player: ZonePlayer, _ output: inout [Routed]
  ) {
    var done = SoundSet()
    for index in indices(of: player)
    where zones[index].isPlayed(by: message) && zones[index].controllers.passes(message)
      && done.insert(zones[index].sound)
    {
      output.append(Routed(sound: zones[index].sound, source: player.source, message: message))
    }
    guard message.kind == .controlChange, message.data1 >= 120 else { return }
    // What ends notes or resets pedals goes to all that the source holds, too.
    var held: [UInt8] = []
    player.addSounds(heldOn: message.channel, to: &held)
    for sound in held.sorted() where done.insert(sound) {
      output.append(Routed(sound: sound, source: player.source, message: message))
    }
    forget(message, player)
  }

  /// Forgets what a message has ended: 121 resets pedals, the others end notes.
  private mutating func forget(_ message: ChannelMessage, _ player: ZonePlayer) {
    if message.data1 == 121 { return player.forgetPedals(on: message.channel) }
    if message.data1 == 122 { return }
    for note in player.takeNotes(on: message.channel) where note.isMono {
      lines[note.line]?.removeAll { $0.isOf(note, player.source) }
    }
  }
}
