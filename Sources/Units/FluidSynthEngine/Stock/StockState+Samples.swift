import CFluidSynth
import RenderCore

// Notes and their samples; see `ExactState+Samples.swift`.
extension StockState {
  var needsSupply: Bool {
    @_noLocks get {
      if let samples = tables.samples, samples.hasPendingRequests { return true }
      return presetRequests.pointee.isPending
    }
  }

  /// Returns whether a message can be sent now. A note whose samples are not in memory waits for them.
  @_noLocks mutating func findSamples(_ message: ChannelMessage) -> Bool {
    guard let samples = tables.samples else { return true }
    if message.endsNote { waiting.release(message.channel, key: message.data1) }
    if message.kind == .controlChange, message.data1 >= 120 {
      waiting.release(message.channel, key: nil)
    }
    guard message.startsNote else { return true }
    let preset = PresetNumber(playedBy: synth, channel: Int32(message.channel))
    if samples.hasSamples(of: preset, key: message.data1, velocity: message.data2) { return true }
    samples.request(preset, near: message.data1)
    statistics.unloadedNotes += 1
    waiting.add(
      WaitingNotes.Note(
        channel: message.channel, key: message.data1, velocity: message.data2, preset: preset))
    return false
  }

  /// Starts the waiting notes whose samples have been loaded.
  @_noLocks mutating func startWaitingNotes() {
    guard waiting.count > 0, let samples = tables.samples else { return }
    while let note = waiting.removeFirstReady(in: samples) {
      // The channel may have changed its preset since.
      let channel = Int32(note.channel)
      if PresetNumber(playedBy: synth, channel: channel) == note.preset {
        fluid_synth_noteon(synth, channel, Int32(note.key), Int32(note.velocity))
      }
    }
  }

  /// Requests the samples of newly selected presets, before a note needs them.
  @_noLocks mutating func requestSamples() {
    guard let samples = tables.samples else { return }
    for channel in 0..<16 {
      let preset = PresetNumber(playedBy: synth, channel: Int32(channel))
      if requested[channel] == preset { continue }
      requested[channel] = preset
      samples.request(preset, near: 60)
    }
  }
}
