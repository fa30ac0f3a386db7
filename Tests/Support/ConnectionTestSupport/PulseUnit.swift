import NodeProtocol
package import RenderCore
import Synchronization
import Threads

/// A unit whose output says exactly what it was given: on the left a pulse for each event, of its first
/// data byte's height, on its frame; on the right each frame's place in the host's stream.
///
/// It can also be as bad as a unit gets.
package final class PulseUnit: RenderUnit, @unchecked Sendable {
  package let format: Format
  private let tended = Atomic(0)
  private let prepared = Atomic(0)
  private let state: UnsafeMutablePointer<State>
  private let words: UnsafeMutablePointer<UInt32>
  private let kept: UnsafeMutablePointer<UInt32>

  struct State {
    let channels: Int
    let faults: Faults
    /// While it is not zero, no cycle ends.
    let gate: SharedWord
    /// Cycles begun.
    let cycles: SharedWord
    let never: SharedWord
    /// The bytes of each channel message, in one number.
    let kept: UnsafeMutablePointer<UInt32>
    let capacity: UInt32
    let keptCount: SharedWord
    let sysExBytes: SharedWord
  }

  /// What it does wrong, and when.
  package struct Faults: Sendable, BitwiseCopyable {
    /// The cycle in which it waits until ``PulseUnit/open()``; 0: none.
    package var hangs = 0
    /// The cycle in which it ends the process.
    package var crashes = 0
    /// Nanoseconds that it takes longer than it should.
    package var delay: Int64 = 0
    /// Of how many cycles only one is slow.
    package var delayedEvery = 1

    package init() {}
  }

  /// Messages it remembers.
  private static let capacity = 1 << 18

  package init(_ format: Format, _ faults: Faults = Faults()) {
    self.format = format
    words = .allocate(capacity: 5)
    words.initialize(repeating: 0, count: 5)
    kept = .allocate(capacity: Self.capacity)
    state = .allocate(capacity: 1)
    state.initialize(
      to: State(
        channels: format.channels, faults: faults, gate: SharedWord(at: words),
        cycles: SharedWord(at: words + 1), never: SharedWord(at: words + 2), kept: kept,
        capacity: UInt32(Self.capacity),
        keptCount: SharedWord(at: words + 3), sysExBytes: SharedWord(at: words + 4)))
  }

  deinit {
    state.deallocate()
    words.deallocate()
    kept.deallocate()
  }

  package var renderer: Renderer { Renderer(state: UnsafeMutableRawPointer(state), renderPulses) }
  package var latency: Int { 7 }
  package func performDeferredWork() { tended.add(1, ordering: .relaxed) }
  package func prepare(for cycle: MIDICycle) {
    prepared.add(cycle.events.count, ordering: .relaxed)
  }
  package var status: [UnitStatus] {
    [
      UnitStatus("cycles", cycles),
      UnitStatus("bytes", Int(SharedWord(at: words + 4).value)),
    ]
  }

  /// How often it was tended.
  package var tendings: Int { tended.load(ordering: .relaxed) }

  /// Events it was prepared for.
  package var preparedEvents: Int { prepared.load(ordering: .relaxed) }

  /// Cycles begun.
  package var cycles: Int { Int(SharedWord(at: words + 1).value) }

  /// Lets no cycle end, until ``open()``.
  package func close() { SharedWord(at: words).store(1) }

  package func open() {
    let gate = SharedWord(at: words)
    gate.store(0)
    gate.wake()
  }

  /// Every channel message it was given: status, data, data.
  package var messages: [[UInt8]] {
    (0..<Int(SharedWord(at: words + 3).value)).map { i in
      [16, 8, 0].map { UInt8(truncatingIfNeeded: kept[i] >> $0) }
    }
  }
}

@_noLocks @c private func renderPulses(
  _ state: UnsafeMutableRawPointer, _ cycle: UnsafeRawPointer
) -> Bool {
  let state = state.assumingMemoryBound(to: PulseUnit.State.self)
  let cycle = cycle.renderCycle
  state.pointee.cycles.increase()
  state.pointee.misbehave()
  for i in 0..<cycle.frames { cycle.output[0][i] = 0 }
  if state.pointee.channels > 1 {
    for i in 0..<cycle.frames { cycle.output[1][i] = Float(cycle.position + Int64(i)) }
  }
  for event in cycle.events {
    switch event.content {
    case .channel(let message):
      cycle.output[0][Int(event.offset)] += Float(message.data1)
      state.pointee.keep(message)
    case .sysEx(let start, let count):
      var sum = 0
      for i in Int(start)..<Int(start + count) { sum += Int(cycle.midi.sysEx[i]) }
      cycle.output[0][Int(event.offset)] += Float(sum)
      state.pointee.sysExBytes.store(state.pointee.sysExBytes.value &+ count)
    case .system(let message):
      cycle.output[0][Int(event.offset)] += Float(message.status)
    }
  }
  return !cycle.events.isEmpty
}

extension PulseUnit.State {
  @_noLocks fileprivate func misbehave() {
    let cycle = Int(cycles.value)
    if cycle == faults.hangs { gate.store(1) }
    while gate.value != 0 { gate.wait(while: 1, until: nil) }
    precondition(cycle != faults.crashes)
    if faults.delay > 0, cycle % faults.delayedEvery == 0 {
      let end = MonotonicClock.now + faults.delay
      while MonotonicClock.now < end { never.wait(while: 0, until: end) }
    }
  }

  @_noLocks fileprivate func keep(_ message: ChannelMessage) {
    let count = keptCount.value
    if count >= capacity { return }
    kept[Int(count)] =
      UInt32(message.status) << 16 | UInt32(message.data1) << 8 | UInt32(message.data2)
    keptCount.store(count + 1)
  }
}
