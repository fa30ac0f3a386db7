import CLink
import Effects
import LiveAudio
import LiveMIDI
import LocalSystem
import RenderCore
import SoundTestSupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct LinkFollowerTests {
  private let owner = RenderMemory()
  static let start: Int64 = 5_000_000_000

  private func state(
    _ time: Int64 = start, beat: Double = 0, tempo: Double = 120, since: Int64 = 0,
    plays: Bool = true
  ) -> link_state {
    link_state(
      time: time, beat: beat, tempo: tempo, since: since, is_playing: plays ? 1 : 0, peers: 1)
  }

  private func post(_ state: link_state, to memory: LinkMemory) {
    LinkReader(memory.memory).post(state)
  }

  private func transports(
    _ follower: inout LinkFollower, at time: Int64, frames: Int
  ) -> [TransportPoint] {
    Array(follower.transport(at: time, frames: frames))
  }

  @Test func `before a session is joined there is no transport`() throws {
    let memory = try LinkMemory()
    var follower = LinkFollower(memory, sampleRate: 48_000, in: owner)
    #expect(transports(&follower, at: Self.start, frames: 64).isEmpty)
  }

  @Test(arguments: [44_100, 48_000, 96_000])
  func `the position is that of the session at the time of the frame`(rate: Int) throws {
    let memory = try LinkMemory()
    var follower = LinkFollower(memory, sampleRate: rate, in: owner)
    post(state(beat: 6.5, tempo: 90), to: memory)
    // An hour later, a quarter note has 2/3 s.
    for seconds in [0, 1, 3600] {
      let points = transports(
        &follower, at: Self.start + Int64(seconds) * 1_000_000_000, frames: 64)
      let point = try #require(points.first)
      #expect(points.count == 1 && point.offset == 0)
      #expect((point.transport.beat - 6.5 - Double(seconds) * 1.5).magnitude < 1e-9)
      #expect(point.transport.tempo == 90 && point.transport.isPlaying)
      let bar = point.transport.beat - point.transport.barStart
      #expect(bar >= 0 && bar < 4)
    }
    // Positions may be negative.
    post(state(beat: -0.5), to: memory)
    #expect(transports(&follower, at: Self.start, frames: 64).first?.transport.barStart == -4)
  }

  @Test func `the session starts and stops within a cycle, on its frame`() throws {
    let memory = try LinkMemory()
    var follower = LinkFollower(memory, sampleRate: 48_000, in: owner)
    let frame = 1e9 / 48_000
    for plays in [true, false] {
      for offset in 1..<64 {
        let since = Self.start + Int64(Double(offset) * frame) - 10
        post(state(since: since, plays: plays), to: memory)
        let points = transports(&follower, at: Self.start, frames: 64)
        #expect(points.map(\.offset) == [0, UInt32(offset)])
        #expect(points.map(\.transport.isPlaying) == [!plays, plays])
        #expect(
          try (#require(points.last).transport.beat - Double(offset) / 24_000).magnitude < 1e-12)
      }
      // At the first frame, and after the last one.
      post(state(since: Self.start, plays: plays), to: memory)
      #expect(
        transports(&follower, at: Self.start, frames: 64).map(\.transport.isPlaying) == [plays])
      post(state(since: Self.start + Int64(64 * frame), plays: plays), to: memory)
      #expect(
        transports(&follower, at: Self.start, frames: 64).map(\.transport.isPlaying) == [!plays])
    }
  }

  @Test(arguments: [0.0, 19.9, 1000, .nan, .infinity, -120])
  func `a tempo that no session has is not followed`(tempo: Double) throws {
    let memory = try LinkMemory()
    var follower = LinkFollower(memory, sampleRate: 48_000, in: owner)
    post(state(tempo: tempo), to: memory)
    #expect(transports(&follower, at: Self.start, frames: 64).isEmpty)
    post(state(tempo: 100), to: memory)
    #expect(transports(&follower, at: Self.start, frames: 64).count == 1)
    post(state(tempo: tempo), to: memory)
    #expect(transports(&follower, at: Self.start, frames: 64).first?.transport.tempo == 100)
    post(state(beat: .nan), to: memory)
    post(state(beat: 1e300), to: memory)
    post(state(.min), to: memory)
    post(state(since: .max), to: memory)
    #expect(transports(&follower, at: Self.start, frames: 64).first?.transport.beat == 0)
  }

  @Test func `a reader copies only whole states while another thread writes`() throws {
    let memory = try LinkMemory()
    let reader = LinkReader(memory.memory)
    var writer: SystemThread? = try SystemThread(name: "writer") {
      for number in 1...300_000 {
        let value = Double(number)
        reader.post(
          link_state(
            time: Int64(number), beat: value, tempo: value, since: Int64(number), is_playing: 0,
            peers: UInt32(number)))
      }
    }
    var (last, copies) = (Int64(0), 0)
    while last < 300_000 {
      guard let state = reader.state else { continue }
      #expect(state.time >= last && state.since == state.time && Int64(state.peers) == state.time)
      #expect(Int64(state.beat) == state.time && Int64(state.tempo) == state.time)
      last = state.time
      copies += 1
    }
    #expect(copies > 0)
    writer?.join()
    writer = nil
  }

  @Test
  func
    `while a session changes all the time, each cycle has a valid transport, and the last one is followed`()
    throws
  {
    let memory = try LinkMemory()
    var follower = LinkFollower(memory, sampleRate: 48_000, in: owner)
    let reader = LinkReader(memory.memory)
    let last = state(beat: 3, tempo: 77)
    let writer = try SystemThread(name: "writer") {
      var random = Seeded(3)
      for _ in 0..<300_000 {
        let tempo = [Double.random(in: 20...999, using: &random), .nan, 0, 1e9].randomElement(
          using: &random)!
        reader.post(
          link_state(
            time: Self.start + .random(in: -1_000_000_000...1_000_000_000, using: &random),
            beat: .random(in: -1e6...1e6, using: &random), tempo: tempo,
            since: Self.start + .random(in: -3_000_000...3_000_000, using: &random),
            is_playing: .random(in: 0...1, using: &random),
            peers: .random(in: 0...1000, using: &random)))
      }
      reader.post(last)
    }
    var count = 0
    while reader.state?.tempo != last.tempo {
      let points = transports(&follower, at: Self.start, frames: 64)
      #expect(points.count <= 2)
      if points.count == 2 { #expect(points[0].offset < points[1].offset && points[1].offset < 64) }
      for transport in points.map(\.transport) {
        #expect(transport.tempo >= 20 && transport.tempo <= 999)
        let bar = transport.beat - transport.barStart
        #expect(bar >= 0 && bar < 4)
      }
      count += points.count
    }
    writer.join()
    #expect(count > 0)
    #expect(transports(&follower, at: Self.start, frames: 64).first?.transport.beat == 3)
  }

  /// The tempo changes at these frames, at the beginning of the next cycle.
  private static func changes(_ count: Int) -> [(frame: Int, tempo: Double)] {
    var random = Seeded(UInt64(count))
    let many = (0..<count).map { (100_000 + 90 * $0, Double.random(in: 60...240, using: &random)) }
    return [(0, 120), (100_000, 133.7)] + many + [(200_000, 61)]
  }

  @Test(arguments: [64, 480], [0, 1000])
  func `clicks of the metronome are on the frames of the session's beats, through changes of tempo`(
    frames: Int, count: Int
  ) throws {
    let memory = try LinkMemory()
    let signal = DeferredWorkSignal()
    defer { signal.destroy() }
    let device = ManualDevice(Format(maximumFrames: frames), isRealTime: false)
    let mixer = Mixer(device.format, signal: signal, isRealTime: false, link: memory)
    let unit = try MetronomeSource().makeUnit(device.format)
    let port = MixPort(unit, LiveInput(), device.format)
    port.begin()
    defer { port.end() }
    port.isEnabled = true
    mixer.set([port], isRunning: false)
    try device.start(mixer.renderer) { _ in }
    let changes = Self.changes(count)
    var (session, next) = (state(beat: 0.25), 0)
    var (clicks, expected) = ([Int](), [Int]())
    var isSilent = true
    for begin in stride(from: 0, to: 300_000, by: frames) {
      let time = Self.start + Int64((Double(begin) * 1e9 / 48_000).rounded())
      while next < changes.count, begin >= changes[next].frame {
        let beat = session.beat + Double(time - session.time) / 60e9 * session.tempo
        session = state(time, beat: beat, tempo: changes[next].tempo)
        post(session, to: memory)
        next += 1
      }
      let audio = try #require(device.cycle(frames, now: time))
      for frame in 0..<frames {
        let position = session.beat + Double(time - session.time) / 60e9 * session.tempo
        let step = session.tempo / 60 / 48_000
        // The beat is on the frame that is nearest to it.
        let (before, after) = (
          position + (Double(frame) - 0.5) * step, position + (Double(frame) + 0.5) * step
        )
        if before.rounded(.down) != after.rounded(.down) { expected.append(begin + frame) }
        let sounds = audio.left[frame] != 0
        if sounds, isSilent { clicks.append(begin + frame) }
        isSilent = audio.left[max(0, frame - 20)...frame].allSatisfy { $0 == 0 } && !sounds
      }
    }
    #expect(expected.count > 10)
    #expect(clicks.count == expected.count)
    // The first sample of a click is 0; the time has whole nanoseconds.
    for (click, beat) in zip(clicks, expected) { #expect((0...2).contains(click - beat)) }
  }
}
