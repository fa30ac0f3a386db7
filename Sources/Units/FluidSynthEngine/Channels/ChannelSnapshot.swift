import CFluidSynth
import RenderCore
import Synchronization

/// What the sixteen channels were told, between the render thread and all others.
///
/// The render thread writes down what changes; others read it, and put down what the channels are to become,
/// which the render thread takes over at the beginning of the next cycle. Each number is whole; they may be of
/// different cycles.
///
/// `@unchecked Sendable`: every number is atomic.
package struct ChannelSnapshot: @unchecked Sendable, BitwiseCopyable {
  private let present: ChannelCells
  private let pending: ChannelCells
  /// How often something was put down, and how often it was taken over.
  private let counts: UnsafeMutablePointer<Atomic<UInt32>>

  /// Allocates; ``destroy()`` must follow. Realtime: no.
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

  /// Lets other threads see channels, a bit each, as the engine's synth holds them. Render thread.
  @_noLocks package func publish(_ channels: UInt16, of engine: Engine) {
    for channel in 0..<16 where channels >> UInt16(channel) & 1 == 1 {
      let saved = SavedChannel(
        reading: engine.synth, channel: Int32(channel), engine.known(of: UInt8(channel)))
      present.write(saved, channel)
    }
  }

  /// Tells the engine what was put down, if anything was. Render thread, before a cycle.
  @_noLocks package func takeOver(_ engine: Engine) {
    let count = counts[0].load(ordering: .acquiring)
    if count == counts[1].load(ordering: .relaxed) { return }
    engine.beginTelling()
    tell(engine)
    engine.endTelling()
    publish(engine.takeTouched(), of: engine)
    counts[1].store(count, ordering: .releasing)
  }

  @_noLocks private func tell(_ engine: Engine) {
    let synth = engine.synth
    var regroups = false
    for channel in 0..<16 {
      let group = pending.read(channel).group
      if !(group == ChannelGroup(of: synth, channel: Int32(channel))) { regroups = true }
    }
    if regroups {
      // A channel that is shut cannot be told anything.
      fluid_synth_reset_basic_channel(synth, -1)
      fluid_synth_set_basic_channel(synth, 0, 0, 16)
    }
    for channel in 0..<16 {
      let saved = pending.read(channel)
      saved.tell(synth, channel: Int32(channel), engine.known(of: UInt8(channel)))
      engine.know(
        StockChannel(bendRange: saved.bendRange, parameters: saved.parameters),
        of: UInt8(channel))
      askForPresets(saved, engine)
    }
    if !regroups { return }
    fluid_synth_reset_basic_channel(synth, -1)
    for channel in 0..<Int32(16) {
      let group = pending.read(Int(channel)).group
      guard group.basic == channel else { continue }
      fluid_synth_set_basic_channel(synth, channel, group.mode, group.count)
    }
  }

  @_noLocks private func askForPresets(_ saved: SavedChannel, _ engine: Engine) {
    let legato = saved.controllers[Int(Controller.legato)]
    engine.ask(for: ChannelMessage(.controlChange, channel: 0, Controller.legato, legato))
    if saved.group.isMono { engine.ask(for: ChannelMessage(.controlChange, channel: 0, 126, 1)) }
  }

  /// What the channels are, or will be from the next cycle on. Threads: any.
  package var channels: [SavedChannel] {
    let isPending = counts[0].load(ordering: .acquiring) != counts[1].load(ordering: .acquiring)
    return (0..<16).map { (isPending ? pending : present).read($0) }
  }

  /// Puts down what the channels are to become. Threads: one at a time.
  package func put(_ channels: [SavedChannel]) {
    for (index, channel) in channels.enumerated() { pending.write(channel, index) }
    counts[0].wrappingAdd(1, ordering: .releasing)
  }
}

/// Sixteen channels as atomic numbers.
private struct ChannelCells: BitwiseCopyable {
  private let numbers: UnsafeMutablePointer<Atomic<UInt32>>
  private static var perChannel: Int { @_noLocks get { 240 } }

  init() {
    numbers = .allocate(capacity: 16 * Self.perChannel)
    for i in 0..<16 * Self.perChannel { (numbers + i).initialize(to: Atomic(0)) }
  }

  func destroy() { numbers.deallocate() }

  @_noLocks func write(_ saved: SavedChannel, _ channel: Int) {
    let place = channel * Self.perChannel
    for i in 0..<128 { store(UInt32(saved.controllers[i]), place + i) }
    for i in 0..<64 { store(saved.generators[i].bitPattern, place + 128 + i) }
    store(UInt32(bitPattern: saved.bend), place + 192)
    store(UInt32(bitPattern: saved.bendRange), place + 193)
    store(UInt32(bitPattern: saved.preset.bank), place + 194)
    store(UInt32(bitPattern: saved.preset.program), place + 195)
    store(UInt32(bitPattern: saved.group.basic), place + 196)
    store(UInt32(bitPattern: saved.group.mode), place + 197)
    store(UInt32(bitPattern: saved.group.count), place + 198)
    store(UInt32(saved.parameters.cutoffResonance), place + 199)
    for number in 0..<EnteredParameters.count {
      store(UInt32(saved.parameters[number]), place + 200 + Int(number))
    }
  }

  @_noLocks func read(_ channel: Int) -> SavedChannel {
    let place = channel * Self.perChannel
    var saved = SavedChannel()
    for i in 0..<128 { saved.controllers[i] = UInt8(truncatingIfNeeded: load(place + i)) }
    for i in 0..<64 { saved.generators[i] = Float(bitPattern: load(place + 128 + i)) }
    saved.bend = Int32(bitPattern: load(place + 192))
    saved.bendRange = Int32(bitPattern: load(place + 193))
    saved.preset.bank = Int32(bitPattern: load(place + 194))
    saved.preset.program = Int32(bitPattern: load(place + 195))
    saved.group.basic = Int32(bitPattern: load(place + 196))
    saved.group.mode = Int32(bitPattern: load(place + 197))
    saved.group.count = Int32(bitPattern: load(place + 198))
    // In the order that leaves the resonance of the cutoff as it was.
    let resonance = UInt16(truncatingIfNeeded: load(place + 199))
    saved.parameters.enter(EnteredParameters.resonanceNumber, resonance)
    saved.parameters.enter(
      EnteredParameters.cutoffNumber,
      UInt16(truncatingIfNeeded: load(place + 200 + Int(EnteredParameters.cutoffNumber))))
    for number in 0..<EnteredParameters.count where number != EnteredParameters.cutoffNumber {
      let value = UInt16(truncatingIfNeeded: load(place + 200 + Int(number)))
      saved.parameters.enter(number, value)
    }
    return saved
  }

  @_noLocks private func store(_ number: UInt32, _ place: Int) {
    numbers[place].store(number, ordering: .relaxed)
  }

  @_noLocks private func load(_ place: Int) -> UInt32 { numbers[place].load(ordering: .relaxed) }
}
