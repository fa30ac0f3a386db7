import CFluidSynth
package import RenderCore
import Synchronization

/// One of the two engines, as a unit's render thread plays it. Valid as long as its instrument.
///
/// Realtime: yes.
package struct Engine: BitwiseCopyable {
  private let exact: UnsafeMutablePointer<ExactState>?
  private let stock: UnsafeMutablePointer<StockState>?
  /// The synth that holds what the channels were told.
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

  /// Whether the instrument's `supply()` has something to make.
  package var needsSupply: Bool {
    @_noLocks get {
      if let exact { return exact.pointee.needsSupply }
      if let stock { return stock.pointee.needsSupply }
      return false
    }
  }

  /// Whether so many notes can begin on their frames. If not, the instrument's `supply()` has been asked for what
  /// is missing.
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

  /// Whether any note sounds, effects apart.
  package var isSounding: Bool {
    @_noLocks get {
      if let exact { return exact.pointee.isSounding }
      return fluid_synth_get_active_voice_count(synth) > 0
    }
  }

  /// Channels that have changed since this was last asked, a bit each.
  @_noLocks package func takeTouched() -> UInt16 {
    if let exact {
      defer { exact.pointee.touched = 0 }
      return exact.pointee.touched
    }
    if let stock {
      defer { stock.pointee.touched = 0 }
      return stock.pointee.touched
    }
    return 0
  }

  /// Tunes everything up by so many cents.
  @_noLocks package func tune(_ cents: Float) {
    if let exact { exact.pointee.tune(cents) }
    if let stock { stock.pointee.tune(cents) }
  }

  /// Chooses what the first channel plays.
  @_noLocks package func select(bank: Int32, program: Int32) {
    if let exact { exact.pointee.select(bank: bank, program: program) }
    if let stock { stock.pointee.select(bank: bank, program: program) }
  }

  /// Switches effects on or off: in `exact`, what is sent to them; in `stock`, themselves.
  @_noLocks package func turn(_ effects: Effects) {
    if let exact { exact.pointee.wet?.pointee.turn(effects) }
    if let stock {
      fluid_synth_reverb_on(stock.pointee.synth, -1, effects.reverb ? 1 : 0)
      fluid_synth_chorus_on(stock.pointee.synth, -1, effects.chorus ? 1 : 0)
    }
  }

  /// The synths that run the effects; `nil` where each lane runs its own, see ``Footing``.
  package var effectSynths: (reverb: OpaquePointer, chorus: OpaquePointer)? {
    @_noLocks get {
      if let exact {
        guard let wet = exact.pointee.wet else { return nil }
        return (wet.pointee.stage.reverb.synth, wet.pointee.stage.chorus.synth)
      }
      return (synth, synth)
    }
  }

  /// Before ``synth`` is told what no message says.
  @_noLocks func beginTelling() {
    if let exact { exact.pointee.bringUpOverflow(to: exact.pointee.now) }
  }

  /// After it was.
  @_noLocks func endTelling() {
    if let exact { exact.pointee.followDirector() }
    if let stock { stock.pointee.touched = .max }
  }

  /// What ``synth`` was told of a channel and cannot be asked for.
  @_noLocks func known(of channel: UInt8) -> StockChannel {
    if let exact {
      let state = exact.pointee.channels[Int(channel)].state
      return StockChannel(
        bendRange: state.pointee.bendRange, parameters: state.pointee.parameters)
    }
    if let stock { return stock.pointee.channels[Int(channel)] }
    return StockChannel()
  }

  /// After ``synth`` was told what cannot be asked for.
  @_noLocks func know(_ known: StockChannel, of channel: UInt8) {
    if let exact { exact.pointee.adopt(known, channel) }
    if let stock { stock.pointee.channels[Int(channel)] = known }
  }

  /// Lets presets be made that a message needs; see ``PresetSupply``.
  @_noLocks func ask(for message: ChannelMessage) {
    if let exact, exact.pointee.tables.isShared {
      exact.pointee.presetSupply.pointee.ask(for: message)
    }
    if let stock, stock.pointee.isSharing { stock.pointee.presetSupply.pointee.ask(for: message) }
  }
}
