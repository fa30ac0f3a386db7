// Notes and their samples, for a SoundFont whose samples are loaded on demand.
extension ExactState {
  /// Returns whether the samples of a note are in memory. If not, they are requested, and the note waits
  /// for them.
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

  /// Starts the waiting notes whose samples have been loaded.
  @_noLocks mutating func startWaitingNotes() {
    guard waiting.count > 0, let samples = tables.samples else { return }
    while let note = waiting.removeFirstReady(in: samples) {
      // The channel may have changed its preset since.
      if channels[Int(note.channel)].state.pointee.preset == note.preset {
        beginNote(note.channel, key: note.key, velocity: note.velocity, at: now)
      }
    }
  }

  /// Requests the samples of newly selected presets, before a note needs them.
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
