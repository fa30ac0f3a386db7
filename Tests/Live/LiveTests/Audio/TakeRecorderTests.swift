import Dispatch
import LocalSystem
import RenderCore
import SoundTestSupport
import Synchronization
import TestSupport
import Testing

@testable import LiveAudio
@testable import LiveMIDI

/// A clock that a test sets, in seconds.
private final class Clock: Sendable {
  private let time = Atomic<Int64>(0)

  var seconds: Double {
    get { Double(time.load(ordering: .relaxed)) / 1e9 }
    set { time.store(Int64(newValue * 1e9), ordering: .relaxed) }
  }
}

private func message(_ content: MIDIContent) -> MIDIEvent.Content {
  guard case .channel(let message) = content else { return .sysEx(start: 0, count: 0) }
  return .channel(message)
}

private func program(_ number: UInt8, channel: UInt8 = 0) -> MIDIContent {
  .channel(ChannelMessage(.programChange, channel: channel, number))
}

extension TakeTap {
  /// Records a cycle with events at its beginning.
  @discardableResult
  fileprivate mutating func play(
    _ contents: MIDIContent..., at position: Int64, frames: Int = 100, offset: UInt32 = 0
  ) -> Bool {
    var sysEx: [UInt8] = []
    let events = contents.map { content in
      guard case .sysEx(let bytes) = content else {
        return MIDIEvent(offset: offset, content: message(content))
      }
      defer { sysEx += bytes }
      return MIDIEvent(
        offset: offset, content: .sysEx(start: UInt32(sysEx.count), count: UInt32(bytes.count)))
    }
    return events.withUnsafeBufferPointer { events in
      sysEx.withUnsafeBufferPointer { sysEx in
        record(MIDICycle(frames: frames, events: events, sysEx: sysEx), at: position)
      }
    }
  }
}

extension Take.Track {
  /// The frames and messages as text.
  fileprivate var text: [String] {
    events.map { event in
      switch event.content {
      case .channel(let message):
        "\(event.frame) \(message.status) \(message.data1) \(message.data2)"
      case .sysEx(let bytes): "\(event.frame) F0 \(bytes.count)"
      case .system: "\(event.frame) system"
      }
    }
  }
}

@Suite(.timeLimit(.minutes(5))) struct TakeRecorderTests {
  private let clock = Clock()

  /// Returns a recorder whose device has begun to play at 0 s.
  private func recorder(
    _ limits: TakeLimits = TakeLimits(), capacity: Int = 256, rate: Int = 1000
  ) -> TakeRecorder {
    let recorder = TakeRecorder(limits, capacity: capacity) { [clock] in
      Int64((clock.seconds * 1e9).rounded())
    }
    recorder.begin(sampleRate: rate)
    return recorder
  }

  private func lines(
    _ recorder: TakeRecorder, _ request: TakeRequest = TakeRequest(keepsSilence: true)
  ) -> [String]? {
    recorder.take(request)?.tracks.first?.text
  }

  @Test func `each event is in the take on its frame`() {
    let recorder = recorder()
    var tap = recorder.tap(for: "A")
    tap.play(at: 0)
    tap.play(on(60), at: 100, offset: 7)
    tap.play(off(60), program(3), at: 200)
    let whole = recorder.take(TakeRequest(keepsSilence: true))
    #expect(whole?.tracks.map(\.text) == [["107 144 60 100", "200 128 60 64", "200 192 3 0"]])
    #expect(whole?.isWhole == true && whole?.firstNote == 107 && whole?.sampleRate == 1000)
    let take = recorder.take(TakeRequest())
    #expect(take?.tracks.map(\.text) == [["0 144 60 100", "93 128 60 64", "93 192 3 0"]])
    #expect(take?.firstNote == 0 && take?.tracks[0].notes == 1 && take?.tracks[0].port == "A")
  }

  @Test func `without a note there is no take`() {
    let recorder = recorder()
    #expect(recorder.take(TakeRequest()) == nil)
    var tap = recorder.tap(for: "A")
    tap.play(program(3), pedal(127), at: 0)
    #expect(recorder.take(TakeRequest()) == nil)
  }

  @Test func `System Exclusive survives, also around the end of the FIFO`() {
    let recorder = recorder(capacity: 32)
    var tap = recorder.tap(for: "A")
    tap.play(on(60), at: 0)
    var sent: [[UInt8]] = []
    for length in 0..<300 {
      let bytes = (0..<length).map { UInt8(($0 * 7 + length) & 0x7F) }
      sent.append(bytes)
      tap.play(.sysEx(bytes), .sysEx([1]), at: Int64(100 + length))
      recorder.collect()
    }
    let received = recorder.take(TakeRequest())?.tracks[0].events.compactMap { event -> [UInt8]? in
      if case .sysEx(let bytes) = event.content { bytes } else { nil }
    }
    #expect(received == sent.flatMap { [$0, [1]] })
  }

  @Test func `System Exclusive settings that were made before a take come once, in their order`() {
    let recorder = recorder(TakeLimits(events: 2))
    var tap = recorder.tap(for: "A")
    let drums: [UInt8] = [0x41, 0x10, 0x42, 0x12, 0x40, 0x1A, 0x15, 0x01, 0x10]
    // A tuning of the MIDI tuning standard, which a reset would undo.
    let tuning = [0x7E, 0x7F, 0x08, 0x08, 0x03, 0x7F, 0x7F] + [UInt8](repeating: 60, count: 12)
    tap.play(.sysEx(drums), program(9), .sysEx(tuning), at: 100)
    tap.play(on(61), off(61), at: 200)
    clock.seconds = 0.5
    let messages = recorder.take(TakeRequest())?.tracks[0].events.compactMap { event -> [UInt8]? in
      if case .sysEx(let bytes) = event.content { bytes } else { nil }
    }
    #expect(messages == [drums, tuning])
  }

  @Test func `the oldest events are overwritten, and their settings remain`() {
    let recorder = recorder(TakeLimits(events: 4))
    var tap = recorder.tap(for: "A")
    tap.play(program(9), pedal(127), on(50), .sysEx([1, 2]), at: 0)
    tap.play(on(60), at: 100)
    tap.play(on(61), off(50), off(60), at: 200)
    tap.play(off(61), at: 300)
    clock.seconds = 0.5
    let take = recorder.take(TakeRequest(keepsSilence: true))
    #expect(take?.isWhole == false)
    // The note 50 and the beginning of 60 are forgotten. The pedal, which is still held, ends with the take.
    #expect(
      take?.tracks[0].text == [
        "200 F0 2", "200 192 9 0", "200 176 64 127", "200 144 61 100", "300 128 61 64",
        "500 176 64 0",
      ])
  }

  @Test(arguments: [1, 2, 3, 5, 8, 13, 50]) func `no note hangs, and none ends that has not begun`(
    limit: Int
  ) throws {
    var random = Seeded(UInt64(limit))
    let recorder = recorder(TakeLimits(events: limit))
    var tap = recorder.tap(for: "A")
    for position in 0..<200 {
      let key = UInt8.random(in: 0..<6, using: &random)
      let content = Bool.random(using: &random) ? on(key) : off(key)
      tap.play(content, at: Int64(100 * position))
      guard let take = recorder.take(TakeRequest()) else { continue }
      var down: Set<UInt8> = []
      for event in take.tracks[0].events {
        guard case .channel(let message) = event.content else { continue }
        if message.startsNote { down.insert(message.data1) }
        if message.endsNote { #expect(down.remove(message.data1) != nil) }
      }
      #expect(down.isEmpty)
    }
  }

  @Test func `the time is bounded, and a duration is the time before now`() {
    let recorder = recorder(TakeLimits(seconds: 100))
    var tap = recorder.tap(for: "A")
    for second in 0..<200 {
      tap.play(on(60), at: Int64(1000 * second))
      tap.play(off(60), at: Int64(1000 * second + 500))
      clock.seconds = Double(second)
      recorder.collect()
    }
    #expect(recorder.take(TakeRequest())?.tracks[0].notes == 101)
    clock.seconds = 199.5
    #expect(recorder.take(TakeRequest(seconds: 10.6))?.tracks[0].notes == 11)
    #expect(recorder.take(TakeRequest(seconds: 1e6))?.tracks[0].notes == 100)
    clock.seconds = 201
    #expect(recorder.take(TakeRequest(seconds: 1e-3)) == nil)
    recorder.limits.seconds = 0
    tap.play(on(60), at: 200_000)
    #expect(recorder.take(TakeRequest()) == nil)
  }

  @Test func `a full FIFO never blocks: losses are counted, and what was held is released`() {
    let recorder = recorder(capacity: 16)
    var tap = recorder.tap(for: "A")
    tap.play(on(60), pedal(127), at: 0)
    var asked = 0
    for position in 1...100 {
      if tap.play(on(61), at: Int64(position * 100)) { asked += 1 }
    }
    // The mark of the origin, two events, and 13 more.
    #expect(recorder.lost == 100 - 13)
    #expect(asked > 90)
    recorder.collect()
    tap.play(off(60), pedal(0), on(62), at: 10_100)
    let take = recorder.take(TakeRequest())
    #expect(take?.hasLosses == true)
    // The recorder releases both keys and the pedal where events are missing; the note-off of 60 then has no note.
    let text = take?.tracks[0].text ?? []
    #expect(
      text.filter { $0.hasPrefix("10100 128") }.sorted() == [
        "10100 128 60 64", "10100 128 61 64", "10100 128 62 64",
      ])
    #expect(text.filter { $0 == "10100 176 64 0" }.count == 2)
    #expect(text.suffix(2).first == "10100 144 62 100")
    #expect(recorder.lost == 87)
  }

  @Test func `devices that open at the same time share a session, which ends with the last`() {
    let recorder = TakeRecorder(now: { [clock] in Int64(clock.seconds * 1e9) })
    let sessions = Mutex<[Int]>([])
    DispatchQueue.concurrentPerform(iterations: 16) { _ in
      let session = recorder.begin(sampleRate: 1000)
      sessions.withLock { $0.append(session) }
    }
    #expect(sessions.withLock { $0 } == Array(repeating: 1, count: 16))
    for _ in 1...15 { recorder.end(1) }
    #expect(recorder.begin(sampleRate: 1000) == 1)
    recorder.end(1)
    recorder.end(1)
    #expect(recorder.begin(sampleRate: 1000) == 2)
    // Devices of the old rate may close after the first one of the new rate has opened.
    let next = recorder.begin(sampleRate: 2000)
    recorder.end(2)
    #expect(next == 3 && recorder.begin(sampleRate: 2000) == 3)
  }

  @Test func `a recording has what its device plays, and its count shows what is new`() {
    let recorder = TakeRecorder(
      TakeLimits(seconds: 0), recording: .recording,
      now: { [clock] in Int64(clock.seconds * 1e9) })
    let first = SessionTake(recorder, session: recorder.begin(sampleRate: 1000), of: nil)
    #expect(first.eventCount == 0 && first.take() == nil)
    var tap = recorder.tap(for: "A")
    tap.play(on(60), at: 100)
    #expect(first.eventCount == 1)
    clock.seconds = 0.5
    // What is held ends now.
    #expect(first.take()?.tracks.map(\.text) == [["100 144 60 100", "500 128 60 64"]])
    tap.play(off(60), at: 200)
    #expect(first.eventCount == 2)
    let text = ["100 144 60 100", "200 128 60 64"]
    #expect(first.take()?.tracks.map(\.text) == [text])
    first.close()
    recorder.end(1)
    let next = SessionTake(recorder, session: recorder.begin(sampleRate: 1000), of: nil)
    var other = recorder.tap(for: "A")
    other.play(on(61), off(61), at: 50)
    #expect(first.eventCount == 2 && first.take()?.tracks.map(\.text) == [text])
    #expect(next.take()?.tracks.map(\.text) == [["50 144 61 100", "50 128 61 64"]])
    // Takes have nothing.
    #expect(recorder.take(TakeRequest()) == nil)
  }

  @Test func `a recording that begins later than its device has what follows, and the settings`() {
    let recorder = TakeRecorder(
      recording: .recording, now: { [clock] in Int64(clock.seconds * 1e9) })
    let take = SessionTake(recorder, session: recorder.begin(sampleRate: 1000), of: nil)
    var tap = recorder.tap(for: "A")
    tap.play(program(5), on(60), off(60), at: 100)
    tap.play(on(61), off(61), at: 300)
    #expect(
      take.take(from: 250)?.tracks.map(\.text) == [
        ["50 192 5 0", "50 144 61 100", "50 128 61 64"]
      ])
  }

  @Test func `limits of takes do not limit a recording, nor does a recording lengthen takes`() {
    let recorder = TakeRecorder(
      TakeLimits(seconds: 10, events: 4), recording: TakeLimits(seconds: 1e9, events: 100),
      now: { [clock] in Int64(clock.seconds * 1e9) })
    let recording = SessionTake(recorder, session: recorder.begin(sampleRate: 1000), of: nil)
    var tap = recorder.tap(for: "A")
    for second in 0..<20 {
      tap.play(on(60), off(60), at: Int64(1000 * second))
      clock.seconds = Double(second)
      recorder.collect()
    }
    #expect(recording.take()?.tracks[0].notes == 20)
    #expect(recorder.take(TakeRequest())?.tracks[0].notes == 2)
    recorder.limits.events = 100
    #expect(recorder.take(TakeRequest())?.tracks[0].notes == 11)
    for second in 20..<100 { tap.play(on(60), off(60), at: Int64(1000 * second)) }
    #expect(recording.take()?.tracks[0].notes == 50)
    recording.close()
    recorder.end(1)
    recorder.begin(sampleRate: 1000)
    clock.seconds = 95
    #expect(recorder.take(TakeRequest())?.tracks[0].notes == 15)
  }

  @Test func `time begins when the first device starts, not when its sounds begin to load`() {
    let recorder = TakeRecorder(now: { [clock] in Int64(clock.seconds * 1e9) })
    recorder.begin(sampleRate: 1000)
    clock.seconds = 5
    recorder.start(1)
    var tap = recorder.tap(for: "A")
    tap.play(on(60), off(60), at: 1000)
    recorder.begin(sampleRate: 1000)
    clock.seconds = 6
    recorder.start(1)
    clock.seconds = 7
    #expect(recorder.take(TakeRequest(seconds: 1.5))?.tracks[0].notes == 1)
    #expect(recorder.take(TakeRequest(seconds: 0.5)) == nil)
    recorder.end(1)
    recorder.end(1)
    clock.seconds = 10
    let next = recorder.begin(sampleRate: 1000)
    clock.seconds = 20
    recorder.start(next)
    var other = recorder.tap(for: "A")
    other.play(on(61), off(61), at: 500)
    let starts = recorder.take(TakeRequest())?.tracks[0].text.filter { $0.contains(" 144 ") }
    #expect(starts == ["0 144 60 100", "14500 144 61 100"])
  }

  @Test func `what was played survives that the device is opened again at another rate`() {
    let recorder = recorder()
    var tap = recorder.tap(for: "A")
    tap.play(program(5), on(60), pedal(127), at: 1000)
    clock.seconds = 2
    recorder.end(1)
    clock.seconds = 10
    recorder.begin(sampleRate: 2000)
    var next = recorder.tap(for: "A")
    next.play(at: 0)
    next.play(on(61), at: 2000)
    next.play(off(61), at: 4000)
    clock.seconds = 20
    let take = recorder.take(TakeRequest(keepsSilence: true))
    #expect(take?.sampleRate == 2000 && take?.isWhole == false)
    // The first device's second 1 is frame 0; it ended one second later, and its settings with it.
    #expect(
      take?.tracks[0].text == [
        "0 192 5 0", "0 144 60 100", "0 176 64 127", "2000 128 60 64", "2000 176 64 0",
        "20000 176 0 0", "20000 176 32 0", "20000 192 0 0", "20000 144 61 100", "22000 128 61 64",
      ])
  }

  @Test func `several ports have tracks of their own, in step`() {
    let recorder = recorder()
    var (first, second) = (recorder.tap(for: "A"), recorder.tap(for: "B"))
    first.play(at: 0)
    // The second port is added later.
    second.play(on(40), at: 100)
    first.play(on(60), at: 100, offset: 50)
    second.play(off(40), at: 200)
    first.play(at: 200)
    first.play(off(60), at: 300)
    let take = recorder.take(TakeRequest())
    #expect(take?.tracks.map(\.port) == ["B", "A"])
    #expect(take?.tracks[0].text == ["0 144 40 100", "100 128 40 64"])
    #expect(take?.tracks[1].text == ["50 144 60 100", "200 128 60 64"])
    let one = recorder.take(TakeRequest(port: "A"))
    #expect(one?.tracks.map(\.text) == [["0 144 60 100", "150 128 60 64"]])
    #expect(recorder.take(TakeRequest(port: "C")) == nil)
  }

  @Test func `sounds of zones that began together have tracks from their beginning`() {
    let recorder = recorder()
    let (bass, organ) = (sound(1, "Bass"), sound(2, "Organ"))
    var (first, second) = (
      recorder.tap(for: "A", sound: organ), recorder.tap(for: "A", sound: bass)
    )
    first.play(at: 1000)
    second.play(at: 1000)
    second.play(on(40), off(40), at: 1100)
    first.play(on(60), off(60), at: 1100, offset: 50)
    let take = recorder.take(TakeRequest(port: "A", keepsSilence: true))
    #expect(take?.isWhole == true)
    #expect(take?.firstNote == 100)
    #expect(take?.tracks.map(\.name) == ["A, Bass", "A, Organ"])
    #expect(take?.tracks.map(\.unit) == [2, 1])
    #expect(take?.tracks[0].panorama == bass.panorama)
    #expect(take?.tracks[0].text == ["100 144 40 100", "100 128 40 64"])
    #expect(take?.tracks[1].text == ["150 144 60 100", "150 128 60 64"])
    #expect(recorder.take(TakeRequest())?.tracks[1].text.first == "50 144 60 100")

    // A sound that begins later does not have the frames of the others.
    var third = recorder.tap(for: "A", sound: sound(3, "Choir"))
    third.play(on(70), off(70), at: 1200)
    let later = recorder.take(TakeRequest(keepsSilence: true))
    #expect(later?.isWhole == false && later?.firstNote == 0)
    #expect(
      later?.tracks.map { $0.text[0] } == ["0 144 40 100", "50 144 60 100", "100 144 70 100"])
  }

  @Test func `sounds of the same name have tracks of their own`() {
    let recorder = recorder()
    for number in 1...2 as ClosedRange<UInt8> {
      var tap = recorder.tap(for: "A", sound: sound(number, "Piano"))
      tap.play(on(60), off(60), at: 0)
    }
    #expect(recorder.take(TakeRequest())?.tracks.map(\.unit) == [1, 2])
  }

  @Test func `a sound is kept as long as its unit or one of its events`() {
    let recorder = recorder(TakeLimits(seconds: 10))
    var tap = recorder.tap(for: "A", sound: sound(1, "Bass"))
    let silent = recorder.tap(for: "A", sound: sound(2, "Organ"))
    #expect(recorder.sound(ofUnit: 1, of: "A")?.name == "Bass")
    #expect(recorder.sound(ofUnit: 1, of: "B") == nil && recorder.sound(ofUnit: 3, of: "A") == nil)
    tap.play(on(60), off(60), at: 0)
    recorder.end(tap)
    recorder.end(silent)
    #expect(recorder.sound(ofUnit: 1, of: "A") != nil)
    #expect(recorder.sound(ofUnit: 2, of: "A") == nil)
    clock.seconds = 11
    recorder.collect()
    #expect(recorder.sound(ofUnit: 1, of: "A") == nil)
  }

  private func sound(_ number: UInt8, _ name: String) -> ZoneSound {
    ZoneSound(
      number, name: name, source: NoSource(),
      panorama: Panorama(decibels: -Double(number), balance: 0.5))
  }

  /// Makes no units.
  private struct NoSource: RenderUnitSource {
    struct Failure: Error {}
    func makeUnit(_ format: Format) throws -> any RenderUnit { throw Failure() }
  }

  @Test func `time continues where the device has missed cycles`() {
    let recorder = recorder()
    var tap = recorder.tap(for: "A")
    tap.play(on(60), at: 0)
    // An xrun of 400 frames.
    tap.play(off(60), at: 500)
    let take = recorder.take(TakeRequest(keepsSilence: true))
    #expect(take?.tracks.first?.text == ["0 144 60 100", "500 128 60 64"])
    // The unit rendered less than that, so its modulation is elsewhere.
    #expect(take?.isWhole == false)
  }

  @Test func `a take with silence begins with the unit, also where the device has missed cycles`() {
    let recorder = recorder()
    var tap = recorder.tap(for: "A")
    tap.play(at: 1000)
    tap.play(on(60), off(60), at: 1500)
    #expect(lines(recorder) == ["500 144 60 100", "500 128 60 64"])
  }

  @Test func `without events, nothing is written to the FIFO but the origin`() {
    let recorder = recorder(capacity: 2)
    var tap = recorder.tap(for: "A")
    for position in 0..<1000 {
      let wantsCollection = tap.play(at: Int64(100 * position))
      #expect(!wantsCollection)
    }
    #expect(recorder.lost == 0)
    // One slot is left.
    tap.play(on(60), at: 100_000)
    #expect(recorder.lost == 0)
    #expect(lines(recorder)?.first == "100000 144 60 100")
  }

  @Test func `a tap may write while another thread takes`() {
    let recorder = TakeRecorder(TakeLimits(events: 500), capacity: 512)
    recorder.begin(sampleRate: 48_000)
    let isDone = Flag()
    let thread = TestThread {
      var tap = recorder.tap(for: "A")
      var position: Int64 = 0
      while position < 2_000_000 {
        tap.play(on(UInt8(position / 100 % 128)), .sysEx([1, 2, 3]), at: position)
        position += 100
      }
      isDone.raise()
    }
    while !isDone.isRaised {
      guard let take = recorder.take(TakeRequest(keepsSilence: true)) else { continue }
      for event in take.tracks[0].events {
        if case .sysEx(let bytes) = event.content { #expect(bytes == [1, 2, 3]) }
      }
    }
    thread.join()
  }
}
