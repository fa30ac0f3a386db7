import CSegment
import ConnectionTestSupport
import Glibc
import LocalSystem
import NodeHost
import RenderCore
import TestSupport
import Testing

@testable import NodeProtocol

/// Tests of a host that writes random data to every field of the shared memory, and of a node that does the
/// same.
@Suite(.timeLimit(.minutes(Faults.minutes))) struct NonsenseTests {
  @Test(arguments: 1...4)
  func `a node survives any memory content, and other ports are unaffected`(seed: Int) throws {
    let folder = try Folder()
    let node = try Child.node(folder("node"), "ports 3")
    let host = AudioHost(name: "Tester")
    let bystanders = try [1, 2].map { number in
      try Bystander(
        host.connect(to: pulses(number), ofNode: "test", socketPath: folder("node")),
        seed: Faults.seed(seed * 10 + number))
    }
    var random = Seeded(Faults.seed(seed))
    let rounds = (Faults.count(usual: 24_000) + 3999) / 4000
    var before: Child.Holdings?
    for round in 0..<rounds {
      let fuzzer = try Fuzzer(folder("node"), isOffline: round % 2 == 0, random.next())
      for _ in 0..<1000 { fuzzer.cycle() }
      // The node still answers a valid request.
      #expect(fuzzer.isAnswered())
      try #require(node.isRunning)
      if round == rounds / 5 { before = node.holdings }
    }
    if let before {
      #expect(eventually { node.holdings.isBack(to: before) }, "\(before) → \(node.holdings)")
      Faults.report(rounds * 1000, "spoiled cycles: node \(before) → \(node.holdings)")
    }
    for bystander in bystanders { #expect(bystander.stop() == []) }
    let connection = try host.connect(
      to: pulses(), ofNode: "test", socketPath: folder("node"))
    try connection.initialize(Format(maximumFrames: 64), mode: .offline)
    #expect(connection.rendered(64).status == .rendered)
  }
}

/// A host of port 0 that writes random data.
private final class Fuzzer {
  private let raw: RawHost
  private let segment: Segment
  private var random: Seeded
  /// The size of the header and both FIFOs.
  private static let size =
    SegmentLayout.slotsOffset(.toHost) + SegmentLayout.eventSlots * SegmentLayout.slotSize
  private static let headerSize = SegmentLayout.slotsOffset(.toNode)

  init(_ socketPath: String, isOffline: Bool, _ seed: UInt64) throws {
    random = Seeded(seed)
    raw = try RawHost(socketPath)
    try raw.openSoon()
    let format = Format(
      outputChannels: .random(in: 1...3, using: &random),
      maximumFrames: .random(in: 1...300, using: &random))
    segment = try raw.initialize(format, isOffline: isOffline)
  }

  /// Writes random data, requests a cycle, and writes more while the node renders.
  func cycle() {
    for _ in 0..<Int.random(in: 0...20, using: &random) { spoil() }
    if Bool.random(using: &random) { plausible() }
    segment.cycle.posted.store(segment.cycle.posted.value &+ .random(in: 0...2, using: &random))
    segment.cycle.posted.wake()
    for _ in 0..<Int.random(in: 0...50, using: &random) { spoil() }
  }

  /// Requests a valid cycle and returns whether it is answered.
  func isAnswered() -> Bool {
    segment.cycle.answered.store(0)
    return raw.cycle(segment, number: segment.cycle.posted.value &+ 12_345, frames: 1)
  }

  private func spoil() {
    let base = segment.base
    let place =
      Bool.random(using: &random)
      ? Int.random(in: 0..<Self.headerSize, using: &random) & ~3
      : Int.random(in: 0..<Self.size, using: &random) & ~3
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      base.storeBytes(
        of: UInt32.random(in: 0 ... .max, using: &random), toByteOffset: place, as: UInt32.self)
    case 1:
      let numbers: [UInt32] = [0, 1, .max, 1 << 31, 4096, 4097, 65_535, .max / 2]
      base.storeBytes(
        of: numbers.randomElement(using: &random)!, toByteOffset: place, as: UInt32.self)
    case 2:
      base.storeBytes(
        of: UInt8.random(in: 0 ... .max, using: &random), toByteOffset: place, as: UInt8.self)
    default:
      let numbers: [Int64] = [.min, .max, 0, -1, 1 << 40]
      base.storeBytes(
        of: numbers.randomElement(using: &random)!, toByteOffset: place & ~7, as: Int64.self)
    }
  }

  /// Writes an almost valid cycle, so that code after the first check is reached.
  private func plausible() {
    segment.cycle.frames = .random(
      in: 1...UInt32(segment.layout.format.maximumFrames), using: &random)
    let read = segment.read(.toNode).value
    for slot in 0..<UInt32(60) {
      let place = Int((read &+ slot) % 4096) * 16
      let kind: UInt8 = [1, 1, 2, 3].randomElement(using: &random)!
      segment.slots(.toNode).storeBytes(
        of: segment_slot(
          frame: Int64(bitPattern: random.next()),
          count: [0, 5, 100, 959, 960, 65_520, .max].randomElement(using: &random)!, kind: kind,
          bytes: (0x90, UInt8.random(in: 0...127, using: &random), 100)),
        toByteOffset: place, as: segment_slot.self)
    }
    segment.written(.toNode).store(read &+ 60)
  }
}
