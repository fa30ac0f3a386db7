import CFluidSynth
import RenderCore
import Synchronization

/// The state of the sixteen channels, shared between the render thread and all other threads.
///
/// The render thread publishes changes for readers on other threads. Another thread can set a pending
/// state, which the render thread applies at the start of its next cycle. Each number is read and written
/// atomically, but a reader may see numbers of different cycles.
///
/// `@unchecked Sendable`: every number is atomic.
package struct ChannelSnapshot: @unchecked Sendable, BitwiseCopyable {
  private let present: ChannelCells
  private let pending: ChannelCells
  /// The number of pending states set, and the number applied.
  private let counts: UnsafeMutablePointer<Atomic<UInt32>>

  /// Allocates memory; ``destroy()`` frees it. Realtime: no.
  package init(_ engine: Engine) {
    present = ChannelCells()
    pending = ChannelCells()
    counts = .allocate(capacity: 2)
    for i in 0..<2 { (counts + i).initialize(to: Atomic(0)) }
    publish(.max, of: engine)
  }

  package func destroy() {
    present.destroy()
    pending.destroy()
    counts.deallocate()
  }

  /// Publishes the state of channels, given one bit per channel, as the engine's synth holds it. Render
  /// thread.
  @_noLocks package func publish(_ channels: UInt16, of engine: Engine) {
    for channel in 0..<16 where channels >> UInt16(channel) & 1 == 1 {
      let saved = SavedChannel(
        reading: engine.synth, channel: Int32(channel), engine.trackedState(of: UInt8(channel)))
      present.write(saved, channel)
    }
  }

  /// Applies the pending state, if there is one. Render thread, before a cycle.
  @_noLocks package func applyPending(to engine: Engine) {
    let count = counts[0].load(ordering: .acquiring)
    if count == counts[1].load(ordering: .relaxed) { return }
    engine.beginUpdate()
    apply(to: engine)
    engine.endUpdate()
    publish(engine.readChangedChannels(), of: engine)
    counts[1].store(count, ordering: .releasing)
  }

  @_noLocks private func apply(to engine: Engine) {
    let synth = engine.synth
    var regroups = false
    for channel in 0..<16 {
      let group = pending.read(channel).group
      if !(group == ChannelGroup(of: synth, channel: Int32(channel))) { regroups = true }
    }
    if regroups {
      // A disabled channel ignores messages, so all channels are enabled first.
      fluid_synth_reset_basic_channel(synth, -1)
      fluid_synth_set_basic_channel(synth, 0, 0, 16)
    }
    for channel in 0..<16 {
      let saved = pending.read(channel)
      saved.apply(to: synth, channel: Int32(channel), engine.trackedState(of: UInt8(channel)))
      engine.setTrackedState(
        StockChannel(bendRange: saved.bendRange, parameters: saved.parameters),
        of: UInt8(channel))
      requestPresets(saved, engine)
    }
    if !regroups { return }
    fluid_synth_reset_basic_channel(synth, -1)
    for channel in 0..<Int32(16) {
      let group = pending.read(Int(channel)).group
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

  /// The pending state of the channels if there is one, else the published state. Threads: any.
  package var channels: [SavedChannel] {
    let isPending = counts[0].load(ordering: .acquiring) != counts[1].load(ordering: .acquiring)
    return (0..<16).map { (isPending ? pending : present).read($0) }
  }

  /// Sets the pending state of the channels. Threads: one at a time.
  package func setPending(_ channels: [SavedChannel]) {
    for (index, channel) in channels.enumerated() { pending.write(channel, index) }
    counts[0].wrappingAdd(1, ordering: .releasing)
  }
}

/// The state of sixteen channels as atomic numbers.
private struct ChannelCells: BitwiseCopyable {
  private let numbers: UnsafeMutablePointer<Atomic<UInt32>>
  private static var perChannel: Int { @_noLocks get { 240 } }

  init() {
    numbers = .allocate(capacity: 16 * Self.perChannel)
    for i in 0..<16 * Self.perChannel { (numbers + i).initialize(to: Atomic(0)) }
  }

  func destroy() { numbers.deallocate() }

  @_noLocks func write(_ saved: SavedChannel, _ channel: Int) {
    let index = channel * Self.perChannel
    for i in 0..<128 { store(UInt32(saved.controllers[i]), index + i) }
    for i in 0..<64 { store(saved.generators[i].bitPattern, index + 128 + i) }
    store(UInt32(bitPattern: saved.bend), index + 192)
    store(UInt32(bitPattern: saved.bendRange), index + 193)
    store(UInt32(bitPattern: saved.preset.bank), index + 194)
    store(UInt32(bitPattern: saved.preset.program), index + 195)
    store(UInt32(bitPattern: saved.group.basic), index + 196)
    store(UInt32(bitPattern: saved.group.mode), index + 197)
    store(UInt32(bitPattern: saved.group.count), index + 198)
    store(UInt32(saved.parameters.cutoffResonance), index + 199)
    for number in 0..<EnteredParameters.count {
      store(UInt32(saved.parameters[number]), index + 200 + Int(number))
    }
  }

  @_noLocks func read(_ channel: Int) -> SavedChannel {
    let index = channel * Self.perChannel
    var saved = SavedChannel()
    for i in 0..<128 { saved.controllers[i] = UInt8(truncatingIfNeeded: load(index + i)) }
    for i in 0..<64 { saved.generators[i] = Float(bitPattern: load(index + 128 + i)) }
    saved.bend = Int32(bitPattern: load(index + 192))
    saved.bendRange = Int32(bitPattern: load(index + 193))
    saved.preset.bank = Int32(bitPattern: load(index + 194))
    saved.preset.program = Int32(bitPattern: load(index + 195))
    saved.group.basic = Int32(bitPattern: load(index + 196))
    saved.group.mode = Int32(bitPattern: load(index + 197))
    saved.group.count = Int32(bitPattern: load(index + 198))
    // In the order that preserves the resonance that belongs to the cutoff.
    let resonance = UInt16(truncatingIfNeeded: load(index + 199))
    saved.parameters.enter(EnteredParameters.resonanceNumber, resonance)
    saved.parameters.enter(
      EnteredParameters.cutoffNumber,
      UInt16(truncatingIfNeeded: load(index + 200 + Int(EnteredParameters.cutoffNumber))))
    for number in 0..<EnteredParameters.count where number != EnteredParameters.cutoffNumber {
      let value = UInt16(truncatingIfNeeded: load(index + 200 + Int(number)))
      saved.parameters.enter(number, value)
    }
    return saved
  }

  @_noLocks private func store(_ number: UInt32, _ index: Int) {
    numbers[index].store(number, ordering: .relaxed)
  }

  @_noLocks private func load(_ index: Int) -> UInt32 { numbers[index].load(ordering: .relaxed) }
}
