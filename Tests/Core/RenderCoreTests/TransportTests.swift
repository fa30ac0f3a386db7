import RenderCore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct TransportTests {
  private let rate = 48_000.0

  private func transport(beat: Double = 0, tempo: Double = 120, slope: Double = 0) -> Transport {
    var transport = Transport()
    transport.isPlaying = true
    transport.beat = beat
    transport.tempo = tempo
    transport.tempoSlope = slope
    return transport
  }

  @Test func `at 120 beats per minute a beat lasts half a second`() {
    let transport = transport(beat: -3)
    #expect(transport.beat(after: 24_000, sampleRate: rate) == -2)
    #expect(transport.beat(after: -12_000, sampleRate: rate) == -3.5)
    #expect(transport.frames(until: 0, sampleRate: rate) == 72_000)
    #expect(transport.frames(until: -4, sampleRate: rate) == -24_000)
  }

  @Test func `a linear tempo ramp has the beats of its mean tempo`() {
    // From 60 to 180 beats per minute in two seconds.
    let transport = transport(tempo: 60, slope: 120 / 96_000)
    #expect(transport.beat(after: 96_000, sampleRate: rate) == 4)
    #expect(abs(transport.frames(until: 4, sampleRate: rate) - 96_000) < 1e-9)
    let later = transport.after(frames: 48_000, sampleRate: rate)
    #expect(later.beat == 1.5 && later.tempo == 120)
  }

  @Test func `the frames until a beat and the beat after these frames agree`() {
    var random = Seeded(5)
    for _ in 0..<10_000 {
      let transport = transport(
        beat: .random(in: -100...1000, using: &random),
        tempo: .random(in: 20...400, using: &random),
        slope: .random(in: -1e-4...1e-4, using: &random))
      let frames = Double.random(in: -10_000...100_000, using: &random)
      let beat = transport.beat(after: frames, sampleRate: rate)
      #expect(abs(transport.frames(until: beat, sampleRate: rate) - frames) < 1e-5)
    }
  }

  @Test func `advancing twice equals advancing once by the sum`() {
    var random = Seeded(6)
    for _ in 0..<1000 {
      let transport = transport(
        beat: .random(in: -8...100, using: &random),
        slope: .random(in: -1e-4...1e-4, using: &random))
      let (a, b) = (
        Int.random(in: 0...9999, using: &random), Int.random(in: 0...9999, using: &random)
      )
      let twice = transport.after(frames: a, sampleRate: rate).after(frames: b, sampleRate: rate)
      let once = transport.after(frames: a + b, sampleRate: rate)
      #expect(abs(twice.beat - once.beat) < 1e-9 && abs(twice.tempo - once.tempo) < 1e-9)
      #expect(twice.songFrame == once.songFrame && twice.barStart == once.barStart)
    }
  }

  @Test func `a stopped song keeps its position and reaches no beat`() {
    var transport = transport(beat: 7)
    transport.isPlaying = false
    #expect(!transport.advances)
    #expect(transport.beat(after: 1000, sampleRate: rate) == 7)
    #expect(transport.frames(until: 8, sampleRate: rate) == .infinity)
    #expect(transport.after(frames: 1000, sampleRate: rate) == transport)
  }

  @Test func `a transport without a playing state counts as playing`() {
    var transport = transport()
    transport.isPlaying = false
    transport.provides = [.beat, .meter]
    #expect(transport.advances)
    #expect(transport.beat(after: 24_000, sampleRate: rate) == 1)
  }

  @Test func `a tempo that falls to 0 stays at 0, and the beat stops`() {
    // From 120 to 0 beats per minute in one second: one beat.
    let transport = transport(slope: -120 / 48_000)
    #expect(transport.beat(after: 48_000, sampleRate: rate) == 1)
    #expect(transport.beat(after: 96_000, sampleRate: rate) == 1)
    #expect(abs(transport.frames(until: 1, sampleRate: rate) - 48_000) < 0.01)
    #expect(transport.frames(until: 1.001, sampleRate: rate) == .infinity)
    let end = transport.after(frames: 72_000, sampleRate: rate)
    #expect(end.beat == 1 && end.tempo == 0)
    #expect(end.after(frames: 9, sampleRate: rate).beat == 1)
    #expect(end.frames(until: 1, sampleRate: rate) == 0)
    #expect(end.frames(until: 2, sampleRate: rate) == .infinity)
  }

  @Test func `before a tempo that rises from 0 the tempo was 0`() {
    let transport = transport(beat: 4, tempo: 60, slope: 60 / 48_000)
    #expect(transport.beat(after: -48_000, sampleRate: rate) == 3.5)
    #expect(transport.beat(after: -90_000, sampleRate: rate) == 3.5)
    #expect(transport.frames(until: 3.4, sampleRate: rate) == .infinity)
  }

  @Test func `without a tempo only the current beat is reached`() {
    let transport = transport(beat: 4, tempo: 0)
    #expect(transport.frames(until: 4, sampleRate: rate) == 0)
    #expect(transport.frames(until: 5, sampleRate: rate) == .infinity)
    #expect(transport.frames(until: 3, sampleRate: rate) == .infinity)
  }

  @Test(arguments: [(0, 4.0), (47_999, 4.0), (72_000, 7.5), (240_000, 14.5), (2_400_000, 102.0)])
  func `the start of the bar advances from bar to bar`(frames: Int, barStart: Double) {
    var transport = transport(beat: 5)
    transport.meter = Meter(7, 8)
    transport.barStart = 4
    #expect(transport.after(frames: frames, sampleRate: rate).barStart == barStart)
  }

  @Test func `the song's frame advances by the frames`() {
    var transport = transport()
    transport.songFrame = -50
    #expect(transport.after(frames: 100, sampleRate: rate).songFrame == 50)
  }

  @Test(arguments: [
    (4, 4, 4.0), (7, 8, 3.5), (6, 8, 3.0), (5, 4, 5.0), (3, 2, 6.0), (15, 16, 3.75),
  ])
  func `a bar is as long as its beats`(count: UInt16, unit: UInt16, length: Double) {
    #expect(Meter(count, unit).barLength == length)
    #expect(Meter(count, unit).beatLength == length / Double(count))
  }

  @Test func `a set contains its elements and no others`() {
    let provides: Transport.Provision = [.beat, .loop]
    #expect(provides.has(.beat) && provides.has(.loop) && provides.has([.beat, .loop]))
    #expect(!provides.has(.state) && !provides.has([.beat, .state]))
    #expect(Transport.Provision.all.has([.beat, .meter, .state, .loop, .songFrame]))
  }
}
