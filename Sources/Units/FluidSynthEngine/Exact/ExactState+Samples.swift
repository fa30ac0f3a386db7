// Notes and the samples they need, where those are loaded as they are needed.
extension ExactState {
  /// Whether a note finds its samples in memory. If not it waits for them, and they are asked for.
  @_noLocks mutating func findSamples(_ channel: UInt8, key: UInt8, velocity: UInt8) -> Bool {
    guard let samples = tables.samples else { return true }
    let preset = channels[Int(channel)].state.pointee.preset
    if samples.hasSamples(of: preset, key: key, velocity: velocity) { return true }
    samples.request(preset, near: key)
    statistics.unloadedNotes += 1
    waiting.add(
      WaitingNotes.Note(channel: channel, key: key, velocity: velocity, preset: preset))
    return false
  }

  /// Begins the notes whose samples have come.
  @_noLocks mutating func startWaitingNotes() {
    guard waiting.count > 0, let samples = tables.samples else { return }
    while let note = waiting.takeNext(in: samples) {
      // The channel may play something else by now.
      if channels[Int(note.channel)].state.pointee.preset == note.preset {
        beginNote(note.channel, key: note.key, velocity: note.velocity, at: now)
      }
    }
  }

  /// Asks for the samples of presets that channels have been given, before a note needs them.
  @_noLocks mutating func requestSamples() {
    guard let samples = tables.samples else { return }
    for channel in 0..<16 {
      let preset = channels[channel].state.pointee.preset
      if channels[channel].requested == preset { continue }
      channels[channel].requested = preset
      samples.request(preset, near: 60)
    }
  }
}
