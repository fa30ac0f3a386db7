import CFluidSynth
package import RenderCore

/// The state of the sixteen channels, shared between the render thread and all other threads; see ``SharedState``.
package struct ChannelSnapshot: BitwiseCopyable {
  private let state: SharedState

  /// Realtime: no.
  package init(_ engine: Engine, in memory: RenderMemory) {
    state = SharedState(entries: 16, bytes: MemoryLayout<SavedChannel>.size, in: memory)
    publish(.max, of: engine)
  }

  /// Publishes the state of channels, given one bit per channel, as the engine's synth holds it. Render thread.
  @_noLocks package func publish(_ channels: UInt16, of engine: Engine) {
    for channel in 0..<16 where channels >> UInt16(channel) & 1 == 1 {
      var saved = SavedChannel(
        reading: engine.synth, channel: Int32(channel), engine.dataEntry(of: UInt8(channel)),
        without: engine.offsets, engine.module)
      state.publish(&saved, at: channel)
    }
  }

  /// Applies the pending state, if there is one. Render thread, before a cycle.
  @_noLocks package func applyPending(to engine: Engine) {
    guard let change = state.pendingChange() else { return }
    engine.beginUpdate()
    apply(to: engine)
    engine.endUpdate()
    publish(engine.readChangedChannels(), of: engine)
    state.acknowledge(change)
  }

  @_noLocks private func apply(to engine: Engine) {
    let synth = engine.synth
    var regroups = false
    for channel in 0..<16 {
      let group = pending(channel).group
      if !(group == ChannelGroup(of: synth, channel: Int32(channel))) { regroups = true }
    }
    if regroups {
      // A disabled channel ignores messages, so all channels are enabled first.
      fluid_synth_reset_basic_channel(synth, -1)
      fluid_synth_set_basic_channel(synth, 0, 0, 16)
    }
    var settings = ModuleSettings()
    settings.restore(pending(0).common)
    for channel in 0..<16 {
      let saved = pending(channel)
      settings.restore(saved.part, isRhythm: saved.isRhythm, at: UInt8(channel))
    }
    engine.restore(settings)
    for channel in 0..<16 {
      let saved = pending(channel)
      saved.apply(to: synth, channel: Int32(channel), engine.dataEntry(of: UInt8(channel)))
      engine.setDataEntry(
        DataEntry(bendRange: saved.bendRange, parameters: saved.parameters),
        of: UInt8(channel))
      engine.restore(saved.selection, of: UInt8(channel))
      requestPresets(saved, engine)
    }
    if !regroups { return }
    fluid_synth_reset_basic_channel(synth, -1)
    for channel in 0..<Int32(16) {
      let group = pending(Int(channel)).group
      guard group.basic == channel else { continue }
      fluid_synth_set_basic_channel(synth, channel, group.mode, group.count)
    }
  }

  @_noLocks private func requestPresets(_ saved: SavedChannel, _ engine: Engine) {
    let legato = saved.controllers[Int(Controller.legato)]
    engine.requestPresets(
      for: ChannelMessage(.controlChange, channel: 0, Controller.legato, legato))
    if saved.group.isMono {
      engine.requestPresets(for: ChannelMessage(.controlChange, channel: 0, 126, 1))
    }
  }

  @_noLocks private func pending(_ channel: Int) -> SavedChannel {
    var saved = SavedChannel()
    state.readPending(channel, to: &saved)
    return saved
  }

  /// The pending state of the channels if there is one, else the published state. Threads: any.
  package var channels: [SavedChannel] {
    (0..<16).map {
      var saved = SavedChannel()
      state.read($0, to: &saved)
      return saved
    }
  }

  /// Sets the pending state of the channels. Threads: one at a time.
  package func setPending(_ channels: [SavedChannel]) { state.setPending(channels) }
}
