import RenderCore
import TestSupport
import Testing

/// Checks that clicks are on the frames of the beats, computed from the tempo in integers: error 0 frames.
@Suite(.timeLimit(.minutes(5))) struct MetronomeLawTests {
  @Test(arguments: cycleLengths)
  func `at a constant tempo`(cycle: Int) throws {
    let cases = [
      (120_000, 44_100, 4), (133_333, 48_000, 4), (80_000, 11_025, 10),
      (61_803, 8000, seconds(cycle)),
    ]
    for (tempo, rate, seconds) in cases {
      var song = HostSong(sampleRate: rate)
      song.add(frames: rate * seconds, tempo: tempo)
      try check(song, cycle)
    }
  }

  @Test(arguments: cycleLengths)
  func `while the tempo ramps up and down`(cycle: Int) throws {
    var song = HostSong(sampleRate: 11_025)
    song.add(frames: 11_025 * 5 + 17, tempo: 60_000, slope: 3200)
    song.add(frames: 11_025 * 5 + 3, tempo: song.reachedTempo, slope: -1600)
    song.add(frames: 11_025 * seconds(cycle), tempo: song.reachedTempo, slope: 151)
    song.add(frames: 11_025 * 20, tempo: song.reachedTempo, slope: -99)
    try check(song, cycle)
  }

  @Test(arguments: cycleLengths)
  func `while the tempo jitters`(cycle: Int) throws {
    var random = Seeded(21)
    var song = HostSong(sampleRate: 8000)
    while song.frames < 8000 * seconds(cycle) {
      song.add(
        frames: .random(in: 1...700, using: &random),
        tempo: .random(in: 90_000...160_000, using: &random))
    }
    try check(song, cycle)
  }

  @Test(arguments: cycleLengths)
  func `while the song's position jitters by up to five milliseconds`(cycle: Int) throws {
    var random = Seeded(22)
    var song = HostSong(sampleRate: 8000)
    // The position without wobble: 120 beats per minute.
    var steady = song.unit * -2
    while song.frames < 8000 * seconds(cycle) {
      let frames = Int.random(in: 1...700, using: &random)
      let wobble = song.unit / 100_000 * Int128(Int.random(in: -1000...1000, using: &random))
      song.add(
        frames: frames, tempo: .random(in: 110_000...130_000, using: &random), at: steady + wobble)
      steady += Int128(2 * frames * 120_000) * 4096
    }
    try check(song, cycle)
    #expect(song.clicks().count == 2 * seconds(cycle) - 1)
  }

  @Test(arguments: cycleLengths)
  func `through loops that wrap between frames and inside cycles`(cycle: Int) throws {
    var song = HostSong(sampleRate: 11_025)
    song.add(frames: 10_007, tempo: 127_001, at: song.unit * -1)
    for _ in 0..<seconds(cycle) / 2 {
      // From beat 4 to about 7.5, then back to beat 4 plus a fraction of a frame.
      let length = Int(song.unit * 7 / 2 / (2 * 127_001 * 4096)) + 1
      song.add(
        frames: length, tempo: 127_001, at: song.unit * 4 + song.unit / 9_999_991, isJump: true)
    }
    try check(song, cycle)
  }

  @Test(arguments: cycleLengths)
  func `through jumps back and forth, stops and starts`(cycle: Int) throws {
    var random = Seeded(23)
    var song = HostSong(sampleRate: 8000)
    while song.frames < 8000 * seconds(cycle) {
      let isPlaying = Int.random(in: 0..<4, using: &random) > 0
      let place = Int.random(in: -80_000...1_000_000, using: &random)
      song.add(
        frames: .random(in: 1...30_000, using: &random),
        tempo: .random(in: 60_000...200_000, using: &random),
        at: song.unit / 10_000 * Int128(place), isJump: true, isPlaying: isPlaying)
    }
    try check(song, cycle)
  }

  @Test(arguments: cycleLengths)
  func `from a negative beat, waiting for beat 0 or counting in`(cycle: Int) throws {
    var song = HostSong(sampleRate: 22_050)
    song.add(frames: 12_345, tempo: 100_000, at: song.unit * -7, isPlaying: false)
    song.add(frames: 22_050 * 6, tempo: 141_421, at: song.unit * -73 / 10)
    try check(song, cycle)
    try check(song, cycle, countIn: true)
    let first = try #require(song.clicks().first)
    #expect(first.beginsBar && song.clicks(countIn: true).first!.frame < first.frame)
  }

  @Test(arguments: cycleLengths)
  func `in odd meters that change in the middle of a cycle`(cycle: Int) throws {
    var song = HostSong(sampleRate: 8000)
    // Each meter lasts two bars and begins on the frame nearest to the bar line.
    var line = song.unit * 0
    for (count, unit) in [(7, 8), (5, 4), (4, 4), (15, 16), (3, 2), (6, 8), (11, 8), (1, 4)] {
      let meter = Meter(UInt16(count), UInt16(unit))
      let start = line
      line += song.unit * 4 / Int128(unit) * Int128(2 * count)
      let perFrame = Int128(2 * 93_571 * 4096)
      let frames = Int((line - song.position + perFrame / 2) / perFrame)
      song.add(frames: frames, tempo: 93_571, meter: meter, barStart: start)
    }
    try check(song, cycle)
    #expect(song.clicks().filter(\.beginsBar).count == 16)
  }

  @Test(arguments: cycleLengths, [2, 3, 4])
  func `with beats divided`(cycle: Int, parts: Int) throws {
    var song = HostSong(sampleRate: 8000)
    song.add(frames: 80_001, tempo: 97_531, slope: 11, meter: Meter(5, 4), at: song.unit * -3)
    song.add(frames: 80_003, tempo: 101_234, slope: -13, meter: Meter(7, 8))
    try check(song, cycle, parts: parts, countIn: true)
  }

  /// The length of a song in seconds; shorter for cycles of one frame, of which there are many.
  private func seconds(_ cycle: Int) -> Int { cycle == 1 ? 10 : 80 }

  /// Plays the song and compares the frames and levels of the clicks.
  private func check(
    _ song: HostSong, _ cycle: Int, parts: Int = 1, countIn: Bool = false,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let player = MetronomePlayer(sampleRate: song.sampleRate)
    try player.unit.parameters!.set([
      "subdivision": Float(parts - 1), "count-in": countIn ? 1 : 0, "pitch": 1000,
      "accent.pitch": 1000, "level": -12, "accent.level": 0,
    ])
    let samples = player.play(song, cycle: cycle)
    let expected = song.clicks(parts: parts, countIn: countIn)
    let found = onsets(samples)
    // Compared as a whole, since a wrong offset would fail for every click.
    #expect(found == expected.map(\.frame), sourceLocation: sourceLocation)
    #expect(expected.count > 5, sourceLocation: sourceLocation)
    guard found == expected.map(\.frame) else { return }
    for click in expected where click.frame + 3 < samples.count {
      let level = abs(samples[click.frame] / samples[expected[0].frame])
      let first: Float = expected[0].beginsBar ? 1 : expected[0].isWhole ? 0.251 : 0.126
      let wanted: Float = click.beginsBar ? 1 : click.isWhole ? 0.251 : 0.126
      #expect(abs(level * first / wanted - 1) < 0.01, sourceLocation: sourceLocation)
    }
  }
}

extension HostSong {
  /// The tempo at the end, in thousandths of a beat per minute.
  fileprivate var reachedTempo: Int {
    segments.last.map { $0.tempo + $0.slope * $0.frames / 1024 } ?? 0
  }
}
