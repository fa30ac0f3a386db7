import LocalSystem
import NodeProtocol
package import RenderCore
import Synchronization

/// A unit whose output shows exactly what it received, and which can simulate faults.
///
/// The left channel has a pulse for each event at its frame. Its amplitude is the first data byte of a channel
/// message, the sum of the bytes of System Exclusive, or the status of any other system message. The right channel
/// has each frame's position in the host's stream.
package final class PulseUnit: RenderUnit, @unchecked Sendable {
  package let format: Format
  private let deferredWorkCount = Atomic(0)
  private let prepared = Atomic(0)
  private let state: UnsafeMutablePointer<State>
  private let atomics: UnsafeMutablePointer<UInt32>
  private let storedMessages: UnsafeMutablePointer<UInt32>

  struct State {
    let channels: Int
    let faults: Faults
    /// While it is not 0, no cycle ends.
    let gate: SharedWord
    /// The number of cycles begun.
    let cycles: SharedWord
    /// A word that is never woken, used to sleep.
    let never: SharedWord
    /// The three bytes of each channel message, packed into one number.
    let storedMessages: UnsafeMutablePointer<UInt32>
    let capacity: UInt32
    let storedCount: SharedWord
    let sysExBytes: SharedWord
  }

  /// The simulated faults and the cycles in which they occur.
  package struct Faults: Sendable, BitwiseCopyable {
    /// The number of the cycle, from 1, that blocks until ``PulseUnit/open()``; 0: none.
    package var hangs = 0
    /// The number of the cycle, from 1, that ends the process; 0: none.
    package var crashes = 0
    /// The delay of a slow cycle in nanoseconds.
    package var delay: Int64 = 0
    /// The period of slow cycles: one of `delayedEvery` cycles is slow.
    package var delayedEvery = 1
    /// Whether the second channel is silent.
    package var isQuiet = false

    package init() {}
  }

  /// The maximum number of stored messages.
  private static let capacity = 1 << 18

  package init(_ format: Format, _ faults: Faults = Faults()) {
    self.format = format
    atomics = .allocate(capacity: 5)
    atomics.initialize(repeating: 0, count: 5)
    storedMessages = .allocate(capacity: Self.capacity)
    state = .allocate(capacity: 1)
    state.initialize(
      to: State(
        channels: format.outputChannels, faults: faults, gate: SharedWord(at: atomics),
        cycles: SharedWord(at: atomics + 1), never: SharedWord(at: atomics + 2),
        storedMessages: storedMessages, capacity: UInt32(Self.capacity),
        storedCount: SharedWord(at: atomics + 3), sysExBytes: SharedWord(at: atomics + 4)))
  }

  deinit {
    state.deallocate()
    atomics.deallocate()
    storedMessages.deallocate()
  }

  package var renderer: Renderer { Renderer(state: UnsafeMutableRawPointer(state), renderPulses) }
  package var latency: Int { 7 }
  package func performDeferredWork() { deferredWorkCount.add(1, ordering: .relaxed) }
  package func prepare(for cycle: MIDICycle) {
    prepared.add(cycle.events.count, ordering: .relaxed)
  }
  package var status: [UnitStatus] {
    [
      UnitStatus("cycles", cycles),
      UnitStatus("bytes", Int(SharedWord(at: atomics + 4).value)),
    ]
  }

  /// The number of calls of ``performDeferredWork()``.
  package var deferredWorkCalls: Int { deferredWorkCount.load(ordering: .relaxed) }

  /// The number of events passed to ``prepare(for:)``.
  package var preparedEvents: Int { prepared.load(ordering: .relaxed) }

  /// The number of cycles begun.
  package var cycles: Int { Int(SharedWord(at: atomics + 1).value) }

  /// Blocks every cycle until ``open()``.
  package func close() { SharedWord(at: atomics).store(1) }

  package func open() {
    let gate = SharedWord(at: atomics)
    gate.store(0)
    gate.wake()
  }

  /// The received channel messages, up to a limit: status and two data bytes.
  package var messages: [[UInt8]] {
    (0..<Int(SharedWord(at: atomics + 3).value)).map { i in
      [16, 8, 0].map { UInt8(truncatingIfNeeded: storedMessages[i] >> $0) }
    }
  }
}

@_noLocks private func renderPulses(
  _ state: UnsafeMutableRawPointer, _ cycle: UnsafeRawPointer
) -> Bool {
  let state = state.assumingMemoryBound(to: PulseUnit.State.self)
  let cycle = cycle.renderCycle
  state.pointee.cycles.increase()
  state.pointee.simulateFaults()
  for i in 0..<cycle.frames { cycle.output[0][i] = 0 }
  if state.pointee.channels > 1 {
    let scale: Float = state.pointee.faults.isQuiet ? 0 : 1
    for i in 0..<cycle.frames { cycle.output[1][i] = scale * Float(cycle.position + Int64(i)) }
  }
  for event in cycle.events {
    switch event.content {
    case .channel(let message):
      cycle.output[0][Int(event.offset)] += Float(message.data1)
      state.pointee.store(message)
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
  @_noLocks fileprivate func simulateFaults() {
    let cycle = Int(cycles.value)
    if cycle == faults.hangs { gate.store(1) }
    while gate.value != 0 { gate.wait(while: 1, until: nil) }
    precondition(cycle != faults.crashes)
    if faults.delay > 0, cycle % faults.delayedEvery == 0 {
      let end = MonotonicClock.now + faults.delay
      while MonotonicClock.now < end { never.wait(while: 0, until: end) }
    }
  }

  @_noLocks fileprivate func store(_ message: ChannelMessage) {
    let count = storedCount.value
    if count >= capacity { return }
    storedMessages[Int(count)] =
      UInt32(message.status) << 16 | UInt32(message.data1) << 8 | UInt32(message.data2)
    storedCount.store(count + 1)
  }
}
