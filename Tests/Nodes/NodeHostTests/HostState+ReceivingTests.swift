import CSegment
import ConnectionTestSupport
import LocalSystem
import RenderCore
import Synchronization
import TestSupport
import Testing

@testable import NodeHost
@testable import NodeProtocol

@Suite(.timeLimit(.minutes(5))) struct HostStateReceivingTests {
  @Test func `the node's events are available when the cycle is rendered`() throws {
    let both = try BothSides()
    for position in [0, 64, 128] {
      #expect(both.post() == nil)
      #expect(both.received.isEmpty)
      both.send(note(1), at: position + 5)
      both.send(note(2), at: position + 63)
      both.answer()
      #expect(both.finish() == .rendered)
      #expect(both.received == [[5, 1], [63, 2]])
      #expect(both.finish() == .rendered)
      #expect(both.received == [[5, 1], [63, 2]])
    }
    #expect(both.state.statistics.pointee.receivedEvents == 6)
  }

  @Test func `the events of a late cycle are at the beginning of the next rendered one`()
    throws
  {
    let both = try BothSides()
    #expect(both.post() == nil)
    #expect(both.finish() == .late)
    both.send(note(1), at: 5)
    both.answer()
    #expect(both.received.isEmpty)
    #expect(both.post() == nil)
    both.send(note(2), at: 64)
    #expect(both.finish() == .late)
    #expect(both.received.isEmpty)
    both.send(note(3), at: 127)
    both.answer()
    #expect(both.post() == nil)
    both.send(note(4), at: 128 + 6)
    both.answer()
    #expect(both.finish() == .rendered)
    #expect(both.received == [[0, 1], [0, 2], [0, 3], [6, 4]])
    #expect(both.state.statistics.pointee.lateEvents == 3)
    _ = both.cycle()
    #expect(both.received.isEmpty)
  }

  @Test(arguments: [0, 65])
  func `a late cycle has no events, and drops none`(frames: Int) throws {
    let both = try BothSides()
    #expect(both.post() == nil)
    both.send(note(1), at: 5)
    both.answer()
    #expect(both.finish() == .rendered)
    #expect(both.post(frames) == .badFrameCount)
    #expect(both.received.isEmpty)
  }

  @Test func `the number of events that the node could not send is known`() throws {
    let both = try BothSides()
    both.node.counters.refusedEvents.store(9)
    _ = both.cycle()
    #expect(both.state.statistics.pointee.refusedEvents == 9)
  }

  @Test(arguments: 1...4)
  func `invalid events are refused, even if the node writes while they are read`(
    seed: Int
  ) throws {
    let both = try BothSides()
    let liar = Liar(both.node, seed: UInt64(seed))
    // Many rounds on an idle machine, at least a few on a busy one.
    let end = ContinuousClock.now + .seconds(2)
    var (received, cycle) = (0, 0)
    while received < 20_000, ContinuousClock.now < end {
      cycle += 1
      #expect(both.post(1 + cycle % 64) == nil)
      both.node.cycle.answered.store(both.node.cycle.posted.value)
      #expect(both.finish() == .rendered)
      received += both.state.received.events.count
      if !isWellFormed(both.state.received, frames: 1 + cycle % 64) {
        Issue.record("cycle \(cycle): \(both.state.received.list)")
        break
      }
    }
    liar.stop()
    #expect(received > 0)
    #expect(both.state.statistics.pointee.malformedEvents > 0)
  }

  private func isWellFormed(_ cycle: MIDICycle, frames: Int) -> Bool {
    var last: UInt32 = 0
    for event in cycle.events {
      if event.offset < last || event.offset >= frames { return false }
      last = event.offset
      switch event.content {
      case .channel(let message):
        if ChannelMessage(status: message.status, data1: message.data1, data2: message.data2) == nil
        {
          return false
        }
      case .system(let message):
        if SystemMessage(status: message.status, data1: message.data1, data2: message.data2) == nil
        {
          return false
        }
      case .sysEx(let start, let count):
        if Int(start) + Int(count) > cycle.sysEx.count { return false }
      }
    }
    return cycle.sysEx.allSatisfy { $0 < 0x80 }
  }
}

/// Writes random data to the node's side of the FIFO to the host, on another thread.
private final class Liar: Sendable {
  private let isOver = Atomic(false)
  private nonisolated(unsafe) var thread: TestThread?

  init(_ segment: Segment, seed: UInt64) {
    thread = TestThread { [self] in
      var random = Seeded(seed)
      while !isOver.load(ordering: .relaxed) { Self.spoil(segment, &random) }
    }
  }

  func stop() {
    isOver.store(true, ordering: .relaxed)
    thread?.join()
  }

  private static func spoil(_ segment: Segment, _ random: inout Seeded) {
    let (written, slots) = (segment.written(.toHost), segment.slots(.toHost))
    // Mostly within the FIFO's capacity, so that code after the first check is reached.
    let begin = segment.read(.toHost).value
    for slot in 0..<UInt32.random(in: 1...60, using: &random) {
      let place = Int((begin &+ slot) & 4095) * 16
      if Int.random(in: 0..<4, using: &random) == 0 {
        slots.storeBytes(of: random.next(), toByteOffset: place, as: UInt64.self)
      } else {
        slots.storeBytes(of: doubtfulSlot(&random), toByteOffset: place, as: segment_slot.self)
      }
    }
    switch Int.random(in: 0..<16, using: &random) {
    case 0: written.store(.random(in: 0 ... .max, using: &random))
    case 1:
      segment.read(.toHost).store(.random(in: 0 ... .max, using: &random))
      // Restored, because the next random value would otherwise always fail the first check.
      segment.read(.toHost).store(begin)
    case 2: segment.counters.refusedEvents.store(.random(in: 0 ... .max, using: &random))
    default: written.store(begin &+ .random(in: 0...60, using: &random))
    }
  }

  private static func doubtfulSlot(_ random: inout Seeded) -> segment_slot {
    segment_slot(
      frame: [.min, 0, .max, 1 << 40].randomElement(using: &random)!,
      count: [0, 5, 16, 17, 100, 959, 65_520, .max].randomElement(using: &random)!,
      kind: [1, 1, 2, 3, 3, 77].randomElement(using: &random)!,
      bytes: (
        [0x90, 0xF8, 0xF2, 0xF0, 0x40].randomElement(using: &random)!,
        .random(in: 0...140, using: &random), .random(in: 0...140, using: &random)
      ))
  }
}
