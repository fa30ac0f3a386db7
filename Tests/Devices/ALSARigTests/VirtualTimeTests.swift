import ALSA
import CALSA
import LiveAudio
import LiveMIDI
import RenderCore
import SoundTestSupport
import Testing

/// Tests of timing. Instructions are the clock, so nothing else on the machine causes delays.
@Suite(
  .timeLimit(Rig.timeLimit),
  .enabled(if: Rig.current == .virtualTime, "asserts timing: make test-alsa"))
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
    // Virtual time continues while the guest waits for the host, for example for a page of this program. In
    // the second round all pages are in memory.
    let first = try stamps(of: 10, from: 0)
    let start = try #require(first.last) + 1_000_000_000
    let stamps = try stamps(of: 500, from: start)
    for (number, stamp) in stamps.enumerated() {
      let late = Int64(stamp) - Int64(stamps[0]) - Int64(number) * 1_000_000
      // 1/20 of a frame at 48 kHz.
      #expect(abs(late) <= 1000, "event \(number)")
    }
  }

  @Test
  func `events that are scheduled 1 ms apart are 1 ms apart by the system's clock, within a frame`()
    throws
  {
    let test = try TestBridge()
    // During the first second, the bridge synchronizes its clocks and the pages of its thread are loaded.
    let start = try sender.queueTime() + 100_000_000
    for number in 0..<2000 {
      try sender.schedule(
        controller: 7, UInt8(number % 128), to: test.port, at: start + UInt64(number) * 1_000_000)
    }
    let times = try test.receive(2000).map(\.time).suffix(1000)
    for (time, next) in zip(times, times.dropFirst()) {
      #expect(abs(Double(next - time) - 1e6) <= 1e9 / 48_000)
    }
    let first = try #require(times.first)
    for (number, time) in times.enumerated() {
      #expect(abs(Double(time - first) - Double(number) * 1e6) <= 1e9 / 48_000, "event \(number)")
    }
  }

  @Test func `all of 10 000 events a second arrive, in order`() throws {
    let test = try TestBridge()
    let start = try sender.queueTime() + 100_000_000
    let count = 30_000
    var heard: [Int] = []
    func take() {
      for event in test.recorder.drain() {
        if case .channel(let message) = event.content { heard.append(Int(message.bend)) }
      }
    }
    for number in 0..<count {
      var event = snd_seq_event_t()
      event.type = UInt8(SND_SEQ_EVENT_PITCHBEND.rawValue)
      event.data.control.value = CInt(number % 16_384) - 8192
      try sender.schedule(event, to: test.port, at: start + UInt64(number) * 100_000)
      if number % 100 == 0 { take() }
    }
    _ = try wait { () -> Bool? in
      take()
      return heard.count >= count || !test.log.told.isEmpty ? true : nil
    }
    #expect(heard == (0..<count).map { $0 % 16_384 })
    #expect(test.log.told == [])
  }

  /// Schedules events 1 ms apart and returns the timestamps with which they arrive.
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
