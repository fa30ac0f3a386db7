import CFluidSynth
package import RenderCore
import Synchronization

/// The exact or the stock engine, as the render thread of a unit uses it. Valid for the lifetime of its
/// instrument.
///
/// Realtime: yes.
package struct Engine: BitwiseCopyable {
  private let exact: UnsafeMutablePointer<ExactState>?
  private let stock: UnsafeMutablePointer<StockState>?
  /// The synth that holds the state of the sixteen channels.
  package let synth: OpaquePointer

  init(_ state: UnsafeMutablePointer<ExactState>) {
    (exact, stock) = (state, nil)
    synth = state.pointee.controlSynth
  }

  init(_ state: UnsafeMutablePointer<StockState>) {
    (exact, stock) = (nil, state)
    synth = state.pointee.synth
  }

  /// Renders a part of a cycle; see ``ExactState/render(_:begin:left:right:)``.
  @_noLocks package func render(
    _ cycle: MIDICycle, begin: Int, left: UnsafeMutablePointer<Float>,
    right: UnsafeMutablePointer<Float>
  ) {
    if let exact {
      exact.pointee.render(cycle, begin: begin, left: left, right: right)
    } else if let stock {
      stock.pointee.render(cycle, begin: begin, left: left, right: right)
    }
  }

  /// Whether the instrument's `supply()` has pending work.
  package var needsSupply: Bool {
    @_noLocks get {
      if let exact { return exact.pointee.needsSupply }
      if let stock { return stock.pointee.needsSupply }
      return false
    }
  }

  /// Returns whether `count` notes can begin on their frames. If not, the missing lanes are requested, and
  /// the instrument's `supply()` makes them.
  @_noLocks package func isReady(forNotes count: Int) -> Bool {
    if let exact { return exact.pointee.isReady(forNotes: count) }
    return true
  }

  package var statistics: Statistics {
    @_noLocks get {
      if let exact { return exact.pointee.statistics }
      if let stock { return stock.pointee.statistics }
      return Statistics()
    }
  }

  /// Whether a note sounds; the tails of effects do not count.
  package var isSounding: Bool {
    @_noLocks get {
      if let exact { return exact.pointee.isSounding }
      return fluid_synth_get_active_voice_count(synth) > 0
    }
  }

  /// Returns the channels that have changed since the last call, one bit per channel, and clears the set.
  @_noLocks package func readChangedChannels() -> UInt16 {
    if let exact {
      defer { exact.pointee.changedChannels = 0 }
      return exact.pointee.changedChannels
    }
    if let stock {
      defer { stock.pointee.changedChannels = 0 }
      return stock.pointee.changedChannels
    }
    return 0
  }

  /// Sets the master tuning, in cents above concert pitch.
  @_noLocks package func tune(_ cents: Float) {
    if let exact { exact.pointee.tune(cents) }
    if let stock { stock.pointee.tune(cents) }
  }

  /// Selects the preset of the first channel.
  @_noLocks package func select(bank: Int32, program: Int32) {
    if let exact { exact.pointee.select(bank: bank, program: program) }
    if let stock { stock.pointee.select(bank: bank, program: program) }
  }

  /// Switches effects on or off: in `exact` the sends to the effects, in `stock` the effects themselves.
  @_noLocks package func setEffects(_ effects: Effects) {
    if let exact { exact.pointee.effectsAdapter?.pointee.setEffects(effects) }
    if let stock {
      fluid_synth_reverb_on(stock.pointee.synth, -1, effects.reverb ? 1 : 0)
      fluid_synth_chorus_on(stock.pointee.synth, -1, effects.chorus ? 1 : 0)
    }
  }

  /// The synths that run the effects; `nil` if there are no effects, or if each lane runs its own (see
  /// ``LibraryCapabilities``).
  package var effectSynths: (reverb: OpaquePointer, chorus: OpaquePointer)? {
    @_noLocks get {
      if let exact {
        guard let effectsAdapter = exact.pointee.effectsAdapter else { return nil }
        return (effectsAdapter.pointee.bus.reverb.synth, effectsAdapter.pointee.bus.chorus.synth)
      }
      return (synth, synth)
    }
  }

  /// Must be called before ``synth`` is changed by anything but the events of a cycle.
  @_noLocks func beginUpdate() {
    if let exact { exact.pointee.renderOverflow(upTo: exact.pointee.now) }
  }

  /// Must be called after ``synth`` was changed by anything but the events of a cycle.
  @_noLocks func endUpdate() {
    if let exact { exact.pointee.readControlSynth() }
    if let stock { stock.pointee.changedChannels = .max }
  }

  /// Returns the channel state that FluidSynth has no getter for.
  @_noLocks func trackedState(of channel: UInt8) -> StockChannel {
    if let exact {
      let state = exact.pointee.channels[Int(channel)].state
      return StockChannel(
        bendRange: state.pointee.bendRange, parameters: state.pointee.parameters)
    }
    if let stock { return stock.pointee.channels[Int(channel)] }
    return StockChannel()
  }

  /// Sets the channel state that FluidSynth has no getter for, after ``synth`` was given it.
  @_noLocks func setTrackedState(_ tracked: StockChannel, of channel: UInt8) {
    if let exact { exact.pointee.adopt(tracked, channel) }
    if let stock { stock.pointee.channels[Int(channel)] = tracked }
  }

  /// Requests the presets that a message needs; see ``PresetRequests``.
  @_noLocks func requestPresets(for message: ChannelMessage) {
    if let exact, exact.pointee.tables.isShared {
      exact.pointee.presetRequests.pointee.request(for: message)
    }
    if let stock, stock.pointee.isSharing {
      stock.pointee.presetRequests.pointee.request(for: message)
    }
  }
}
