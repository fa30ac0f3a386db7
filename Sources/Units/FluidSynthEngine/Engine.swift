import CFluidSynth
package import RenderCore

/// The exact or the stock engine, as the render thread of a unit uses it. Valid for the lifetime of its instrument. Its
/// callers mark what they render with `rendering_begin` and `rendering_end`.
///
/// Realtime: yes.
package struct Engine: BitwiseCopyable {
  private enum State {
    case exact(UnsafeMutablePointer<ExactState>)
    case stock(UnsafeMutablePointer<StockState>)
  }

  private let state: State
  /// The synth that holds the state of the sixteen channels.
  package let synth: OpaquePointer

  init(_ state: UnsafeMutablePointer<ExactState>) {
    self.state = .exact(state)
    synth = state.pointee.controlSynth
  }

  init(_ state: UnsafeMutablePointer<StockState>) {
    self.state = .stock(state)
    synth = state.pointee.synth
  }

  /// Renders a part of a cycle; see ``ExactState/render(_:begin:left:right:)``.
  @_noLocks package func render(
    _ cycle: MIDICycle, begin: Int, left: UnsafeMutablePointer<Float>,
    right: UnsafeMutablePointer<Float>
  ) {
    switch state {
    case .exact(let exact): exact.pointee.render(cycle, begin: begin, left: left, right: right)
    case .stock(let stock): stock.pointee.render(cycle, begin: begin, left: left, right: right)
    }
  }

  /// Renders a part of a cycle with the MIDI channels apart. Requires ``InstrumentSettings/separatesChannels``.
  ///
  /// - Parameters:
  ///   - begin: As for ``render(_:begin:left:right:)``.
  ///   - output: Receives the samples, from frame `begin` on.
  @_noLocks package func render(_ cycle: MIDICycle, begin: Int, into output: ChannelOutputs) {
    switch state {
    case .exact(let exact): exact.pointee.render(cycle, begin: begin, into: output)
    case .stock(let stock): stock.pointee.render(cycle, begin: begin, into: output)
    }
  }

  /// Whether the instrument's `supply()` has pending work.
  package var needsSupply: Bool {
    @_noLocks get {
      switch state {
      case .exact(let exact): exact.pointee.requests.isPending
      case .stock(let stock): stock.pointee.requests.isPending
      }
    }
  }

  /// Returns whether the notes of a cycle can begin on their frames. If not, the missing lanes and samples are
  /// requested, and the instrument's `supply()` makes and loads them.
  @_noLocks package func isReady(for cycle: MIDICycle) -> Bool {
    var notes = 0
    for event in cycle.events where event.startsNote { notes += 1 }
    if notes == 0 { return true }
    switch state {
    case .exact(let exact):
      let hasLanes = exact.pointee.isReady(forNotes: notes)
      return exact.pointee.samples.areReady(for: cycle, after: self) && hasLanes
    case .stock(let stock):
      return stock.pointee.samples.areReady(for: cycle, after: self)
    }
  }

  /// The settings that the instrument keeps beside ``synth``.
  var module: SoundModule {
    @_noLocks get {
      switch state {
      case .exact(let exact): exact.pointee.module
      case .stock(let stock): stock.pointee.module
      }
    }
  }

  package var statistics: Statistics {
    @_noLocks get {
      switch state {
      case .exact(let exact): exact.pointee.allStatistics
      case .stock(let stock): stock.pointee.statistics
      }
    }
  }

  /// The presets that notes requested and that were substituted. Realtime: no.
  var substitutions: [PresetSubstitution] {
    switch state {
    case .exact(let exact): exact.pointee.substitutions.list
    case .stock(let stock): stock.pointee.substitutions.list
    }
  }

  /// Whether a note sounds; the tails of effects do not count.
  package var isSounding: Bool {
    @_noLocks get {
      switch state {
      case .exact(let exact): exact.pointee.lanes.isSounding
      case .stock: fluid_synth_get_active_voice_count(synth) > 0
      }
    }
  }

  /// Returns the channels that have changed since the last call, one bit per channel, and clears the set.
  @_noLocks package func readChangedChannels() -> UInt16 {
    switch state {
    case .exact(let exact):
      defer { exact.pointee.changedChannels = 0 }
      return exact.pointee.changedChannels
    case .stock(let stock):
      defer { stock.pointee.changedChannels = 0 }
      return stock.pointee.changedChannels
    }
  }

  /// Sets the master tuning, in cents above concert pitch.
  @_noLocks package func tune(_ cents: Float) {
    switch state {
    case .exact(let exact): exact.pointee.tune(cents)
    case .stock(let stock): stock.pointee.tune(cents)
    }
  }

  /// The offsets of generators by parameters.
  var offsets: GeneratorOffsets {
    @_noLocks get {
      switch state {
      case .exact(let exact): exact.pointee.offsets
      case .stock(let stock): stock.pointee.offsets
      }
    }
  }

  /// Sets the offset of a generator, given its index in ``GeneratorOffsets``, on all channels.
  @_noLocks func setOffset(_ index: Int, to value: Float) {
    switch state {
    case .exact(let exact): exact.pointee.setOffset(index, to: value)
    case .stock(let stock): stock.pointee.offsets.set(index, to: value, in: synth)
    }
  }

  /// Sets the settings that notes and program changes are played with from now on.
  @_noLocks func setPlaying(_ playing: SoundModule.Playing) {
    switch state {
    case .exact(let exact): exact.pointee.module.setPlaying(playing)
    case .stock(let stock): stock.pointee.module.setPlaying(playing)
    }
  }

  /// Sets the maximum number of notes that sound at once. The stock engine keeps that of its settings.
  @_noLocks func setPolyphony(_ notes: Int) {
    if case .exact(let exact) = state { exact.pointee.lanes.polyphony = notes }
  }

  /// Selects the preset of the first channel, as bank select and program change do.
  @_noLocks package func select(bank: Int32, program: Int32) {
    let preset = PresetNumber(bank: bank, program: program)
    switch state {
    case .exact(let exact):
      exact.pointee.module.select(preset, of: 0, in: synth)
      exact.pointee.readPreset(0)
    case .stock(let stock):
      stock.pointee.module.select(preset, of: 0, in: synth)
      stock.pointee.changedChannels |= 1
    }
  }

  /// Restores what System Exclusive has set.
  @_noLocks func restore(_ settings: ModuleSettings) {
    switch state {
    case .exact(let exact): exact.pointee.restore(settings)
    case .stock(let stock): stock.pointee.restore(settings)
    }
  }

  /// Restores the preset of a channel, and a bank select after it.
  @_noLocks func restore(_ selection: SoundModule.Selection, of channel: UInt8) {
    switch state {
    case .exact(let exact): exact.pointee.module.restore(selection, of: channel, in: synth)
    case .stock(let stock): stock.pointee.module.restore(selection, of: channel, in: synth)
    }
  }

  /// The preset that a channel was asked to play, before substitutions.
  @_noLocks package func requestedPreset(of channel: UInt8) -> PresetNumber {
    module.requested(of: channel)
  }

  /// Switches effects on or off: in `exact` the sends to the effects, in `stock` the effects themselves.
  @_noLocks package func setEffects(_ effects: Effects) {
    switch state {
    case .exact(let exact): exact.pointee.effectsAdapter?.pointee.effects = effects
    case .stock(let stock): stock.pointee.setEffects(effects)
    }
  }

  /// Sets the values of the reverb, if there are effects that all notes share (see ``LibraryCapabilities``).
  @_noLocks package func setReverb(_ values: ReverbValues) {
    switch state {
    case .exact(let exact): exact.pointee.effectsAdapter?.pointee.bus.setReverb(values)
    case .stock(let stock): stock.pointee.effectControls.setReverb(values, in: synth)
    }
  }

  /// The same for the chorus.
  @_noLocks package func setChorus(_ values: ChorusValues) {
    switch state {
    case .exact(let exact): exact.pointee.effectsAdapter?.pointee.bus.setChorus(values)
    case .stock(let stock): stock.pointee.effectControls.setChorus(values, in: synth)
    }
  }

  /// Must be called before ``synth`` is changed by anything but the events of a cycle.
  @_noLocks func beginUpdate() {
    if case .exact(let exact) = state {
      exact.pointee.lanes.renderOverflow(upTo: exact.pointee.lanes.now)
    }
    let offsets = offsets
    for channel in 0..<Int32(16) { offsets.remove(from: synth, channel: channel) }
  }

  /// Must be called after ``synth`` was changed by anything but the events of a cycle.
  @_noLocks func endUpdate() {
    switch state {
    case .exact(let exact):
      for channel in 0..<UInt8(16) { exact.pointee.restoreParameters(channel) }
      exact.pointee.readControlSynth()
    case .stock(let stock):
      for channel in 0..<UInt8(16) { stock.pointee.restoreParameters(channel) }
      stock.pointee.changedChannels = .max
    }
  }

  /// Returns the channel state that FluidSynth has no getter for.
  @_noLocks func dataEntry(of channel: UInt8) -> DataEntry {
    switch state {
    case .exact(let exact): exact.pointee.channels[Int(channel)].state.entry
    case .stock(let stock): stock.pointee.channels[Int(channel)]
    }
  }

  /// Sets the channel state that FluidSynth has no getter for, after ``synth`` was given it.
  @_noLocks func setDataEntry(_ entry: DataEntry, of channel: UInt8) {
    switch state {
    case .exact(let exact): exact.pointee.adopt(entry, channel)
    case .stock(let stock): stock.pointee.channels[Int(channel)] = entry
    }
  }

  /// The keys of a channel that are down.
  @_noLocks func keys(of channel: UInt8) -> LegatoKeys {
    switch state {
    case .exact(let exact): exact.pointee.channels[Int(channel)].keys
    case .stock(let stock): stock.pointee.keys[Int(channel)]
    }
  }

  /// Requests the presets that a message needs; see ``PresetRequests``.
  @_noLocks func requestPresets(for message: ChannelMessage) {
    switch state {
    case .exact(let exact): exact.pointee.requestPresets(for: message)
    case .stock(let stock): stock.pointee.requestPresets(for: message)
    }
  }
}
