import Testing

@testable import ALSABridge

/// Where instructions are the clock, nothing else that the machine does makes anything late.
@Suite(.enabled(if: Rig.current == .virtualTime, "asserts timing: make test-alsa"))
struct VirtualTimeTests {
  let sender: ALSASequencer
  let receiver: ALSASequencer
  let ear: PortAddress

  init() throws {
    receiver = try ALSASequencer(clientName: "Receiver")
    ear = try receiver.addPort(named: "Ear")
    sender = try ALSASequencer(clientName: "Sender")
  }

  @Test func `events that are scheduled 1 ms apart are stamped 1 ms apart`() throws {
    // Time flies while the host is waited for, as for a page of this program that is not yet in
    // memory. The second round finds all of them there.
    let first = try stamps(of: 10, from: 0)
    let start = try #require(first.last) + 1_000_000_000
    let stamps = try stamps(of: 500, from: start)
    for (number, stamp) in stamps.enumerated() {
      let late = Int64(stamp) - Int64(stamps[0]) - Int64(number) * 1_000_000
      // A twentieth of a frame at 48 kHz.
      #expect(abs(late) <= 1000, "event \(number)")
    }
  }

  /// Schedules events, 1 ms apart, and takes them as they come.
  private func stamps(of count: Int, from start: UInt64) throws -> [UInt64] {
    for number in 0..<count {
      try sender.schedule(
        controller: 7, UInt8(number % 128), to: ear, at: start + UInt64(number) * 1_000_000)
    }
    return try (0..<count).map { _ in
      try #require(try wait { try receiver.nextEvent() }.time)
    }
  }
}
