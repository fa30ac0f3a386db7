import CLink
import LiveAudio
import MIDIFile
import NodeProtocol
import RenderCore
import SoundTestSupport
import TestSupport
import Testing

@testable import LivePlayer

/// Songs that follow a made-up Link session, whose beats are the judge.
@Suite(.timeLimit(.minutes(5))) struct LinkedSongTests {
  private let memory: LinkMemory
  private static let start: Int64 = 7_000_000_000_000

  init() throws { memory = try LinkMemory() }

  /// - Parameters:
  ///   - beat: The session's beat at `frame`, counted from the first frame that is heard.
  private func post(beat: Double, atFrame frame: Int = 0, tempo: Double, isPlaying: Bool = false) {
    LinkReader(memory.memory).post(
      link_state(
        time: Self.start + Int64(frame) * 1_000_000_000 / 48_000, beat: beat, tempo: tempo,
        since: Self.start, is_playing: isPlaying ? 1 : 0, peers: 1))
  }

  /// Returns the frames on which the pulses of the keys from 40 on begin.
  private func onsets(_ song: PlayedSong) -> [(key: Int, frame: Int)] {
    pulses(song.left).map { (Int($0.value), $0.key) }.sorted { $0.frame < $1.frame }
  }

  private static let notes = (0..<40).map { index in
    (frame: Int64(index) * 7777, key: UInt8(40 + index), length: Int64(500))
  }

  @Test(arguments: [120.0, 150, 61.7, 240, 20], [[256], [64, 200, 3]])
  func `each beat of a song is heard on that of the session, after whole bars`(
    tempo: Double, cycles: [Int]
  ) throws {
    post(beat: 1.3, tempo: tempo)
    let song = try PlayedSong(songOfNotes(Self.notes), link: memory)
    try song.start()
    let length = tempo < 60 ? 800_000 : 400_000
    try song.hear(length, cycles: cycles, since: Self.start)
    let heard = onsets(song)
    #expect(heard.count > 5)
    let framesPerBeat = 48_000 * 60 / tempo
    // The first note is heard at the next bar.
    #expect(((heard[0].frame.asDouble / framesPerBeat + 1.3) - 4).magnitude * framesPerBeat <= 1)
    // An event of the song is on a frame of the song, which is several frames long at a slower tempo.
    let limit = max(1, 0.5 + 0.5 * 120 / tempo)
    for (key, frame) in heard {
      let beat = Double(Self.notes[key - 40].frame) / 24_000
      #expect((Double(frame) - (beat + 4 - 1.3) * framesPerBeat).magnitude <= limit, "key \(key)")
    }
  }

  @Test func `the song follows each change of the session's tempo`() throws {
    post(beat: 3.5, tempo: 120)
    let song = try PlayedSong(songOfNotes(Self.notes), link: memory)
    try song.start()
    try song.hear(48_000, since: Self.start)
    // Beats go on where they are.
    post(beat: 5.5, atFrame: 48_000, tempo: 180)
    // What is scheduled already keeps the earlier tempo.
    let known = 48_000 + 6 * LiveHost.scheduledFrames(song.device.format)
    try song.hear(200_000, since: Self.start)
    let heard = onsets(song)
    for (key, frame) in heard where frame < 48_000 || frame > known {
      let beat = Double(Self.notes[key - 40].frame) / 24_000 + 4
      let expected =
        frame < 48_000 ? (beat - 3.5) * 24_000 : 48_000 + (beat - 5.5) * 16_000
      #expect((Double(frame) - expected).magnitude <= 1, "key \(key)")
    }
    #expect(heard.map(\.key) == Array(40..<40 + heard.count))
    #expect(heard.count > 25)
  }

  @Test func `after a thousand changes of the tempo, the song has lost no note and is on the beat`()
    throws
  {
    post(beat: 0, tempo: 120)
    let song = try PlayedSong(songOfNotes(Self.notes), link: memory)
    try song.start()
    var random = Seeded(11)
    var (beat, frame, tempo) = (0.0, 0, 120.0)
    for number in 1...1000 {
      try song.hear(frame + 64 - song.left.count, since: Self.start)
      beat += Double(song.left.count - frame) / 48_000 / 60 * tempo
      frame = song.left.count
      tempo = number < 1000 ? .random(in: 40...240, using: &random) : 120
      post(beat: beat, atFrame: frame, tempo: tempo)
    }
    let known = frame + 6 * LiveHost.scheduledFrames(song.device.format)
    try song.hear(150_000, since: Self.start)
    let heard = onsets(song)
    #expect(heard.map(\.key) == Array(40..<40 + heard.count))
    let later = heard.filter { $0.frame > known }
    #expect(later.count > 5)
    for (key, onset) in later {
      // The first note is heard at the next bar.
      let note = Double(Self.notes[key - 40].frame) / 24_000 + 4
      #expect(
        (Double(onset) - (Double(frame) + (note - beat) * 24_000)).magnitude <= 1, "key \(key)")
    }
  }

  /// Moves the session's beats by `shift` from what they would be at 120 beats per minute, and returns the first frame at
  /// which the song has moved for certain.
  private func move(_ song: PlayedSong, by shift: Double) throws -> Int {
    let frame = song.left.count
    post(beat: Double(frame) / 24_000 + shift, atFrame: frame, tempo: 120)
    try song.hear(6000, since: Self.start)
    return song.left.count
  }

  /// Plays until the song is at a beat or after it.
  private func play(_ song: PlayedSong, to beat: Double) throws {
    for _ in 0..<1000 where song.host.song.beat < beat { try song.hear(480, since: Self.start) }
  }

  @Test(arguments: [0.7, 1.9, 2.1, 3.4, 1000.6])
  func `a song moves to the nearest place in the phase of a session that is joined again`(
    shift: Double
  ) throws {
    post(beat: 0, tempo: 120)
    let song = try PlayedSong(songOfNotes(Self.notes), link: memory)
    try song.start()
    try play(song, to: 4)
    // The notes' frames from which the song has moved.
    func moves(from first: Int) -> [Double] {
      let heard = onsets(song).filter { $0.frame >= first }
      return heard.map { Double(Self.notes[$0.key - 40].frame) - Double($0.frame - 96_000) }
    }
    #expect(moves(from: 0).count > 5)
    #expect(moves(from: 0).allSatisfy { $0.magnitude <= 1 })
    // The program that joins the session is started again: it begins a session of its own, and finds the other one later.
    let alone = try move(song, by: shift)
    try song.hear(40_000, since: Self.start)
    let phase = 24_000 * shift.remainder(dividingBy: 4)
    #expect(moves(from: alone).count > 3)
    #expect(moves(from: alone).allSatisfy { ($0 - phase).magnitude <= 1 })
    let together = try move(song, by: 0)
    try song.hear(40_000, since: Self.start)
    #expect(moves(from: together).count > 3)
    #expect(moves(from: together).allSatisfy { $0.magnitude <= 1 })
  }

  @Test func `a song that moves to another phase remains in its loop, and before its end`() throws {
    post(beat: 0, tempo: 120)
    let song = try PlayedSong(
      songOfNotes([(0, 50, 10)], end: 180_000), loop: 0..<6, link: memory)
    try song.host.loop()
    try song.start()
    try play(song, to: 5)
    // The loop would be left.
    _ = try move(song, by: 1.5)
    #expect((2.5...3).contains(song.host.song.beat))
    _ = try move(song, by: 0)
    song.host.execute(.loop(isOn: false))
    try play(song, to: 6.5)
    // The song would be over.
    _ = try move(song, by: 1.5)
    #expect(song.host.song.isPlaying)
    #expect((4...4.5).contains(song.host.song.beat))
  }

  @Test func `without a session the song waits, and begins with its first bar`() throws {
    let song = try PlayedSong(songOfNotes(Self.notes), link: memory)
    try song.start()
    try song.hear(30_000, since: Self.start)
    #expect(onsets(song).isEmpty)
    post(beat: 0, tempo: 120)
    try song.hear(200_000, since: Self.start)
    #expect(onsets(song).first.map { $0.key == 40 && $0.frame % 96_000 <= 1 } == true)
  }

  @Test func `another member stops and starts the song`() throws {
    post(beat: 0, tempo: 120, isPlaying: true)
    let song = try PlayedSong(songOfNotes(Self.notes), link: memory)
    try song.start()
    try song.hear(120_000, since: Self.start)
    #expect(song.host.song.isPlaying)
    post(beat: 0, tempo: 120, isPlaying: false)
    try song.hear(20_000, since: Self.start)
    #expect(!song.host.song.isPlaying)
    let count = onsets(song).count
    try song.hear(20_000, since: Self.start)
    #expect(onsets(song).count == count)
    post(beat: 0, tempo: 120, isPlaying: true)
    try song.hear(150_000, since: Self.start)
    #expect(onsets(song).count > count + 5)
    for (key, frame) in onsets(song) {
      let beat = Double(Self.notes[key - 40].frame) / 24_000
      let sessionBeat = Double(frame) / 24_000
      let inBar = (sessionBeat - beat).remainder(dividingBy: 4).magnitude
      #expect(inBar * 24_000 <= 1, "key \(key)")
    }
  }

  @Test func `a loop keeps the session's beats`() throws {
    post(beat: 0.5, tempo: 90)
    let song = try PlayedSong(
      songOfNotes([(0, 50, 10), (24_000, 60, 10), (60_000, 61, 10)]), loop: 1..<3, link: memory)
    try song.host.loop()
    try song.start()
    try song.hear(600_000, since: Self.start)
    let heard = onsets(song).filter { $0.key != 50 }
    #expect(heard.count > 10)
    for (key, frame) in heard {
      let beat = Double(frame) / 32_000 + 0.5
      let expected = key == 60 ? 1.0 : 0.5
      #expect((beat - expected).remainder(dividingBy: 2).magnitude * 32_000 <= 1.5, "\(frame)")
    }
  }

  @Test(arguments: [80.0, 120, 180])
  func `a recording has every frame that is heard, at any tempo`(tempo: Double) throws {
    post(beat: 0, tempo: tempo)
    let song = try PlayedSong(songOfNotes(Self.notes), link: memory)
    song.host.execute(.toggleRecord)
    try song.start()
    try song.hear(200_000, since: Self.start)
    let recorded = song.host.recording.recorded()
    #expect(recorded.count == 2 * song.left.count)
    let left = stride(from: 0, to: recorded.count, by: 2).map { recorded[$0] }
    #expect(left == song.left)
    #expect(left.contains { $0 != 0 })
  }

  @Test func `nodes receive the session's tempo`() throws {
    post(beat: 0, tempo: 77)
    let song = try PlayedSong(
      songOfNotes([(0, 50, 10)], end: 1_000_000), hasMetronome: true, link: memory)
    try song.start()
    try song.hear(300_000, since: Self.start)
    var clicks: [Int] = []
    var silence = 1000
    for (frame, sample) in song.right.enumerated() {
      if sample != 0, silence >= 1000 { clicks.append(frame) }
      silence = sample == 0 ? silence + 1 : 0
    }
    #expect(clicks.count >= 4)
    let framesPerBeat = 48_000 * 60 / 77.0
    for click in clicks {
      let beat = Double(click) / framesPerBeat
      #expect((beat - beat.rounded()).magnitude * framesPerBeat <= 1.5, "\(click)")
    }
  }
}

extension Int {
  fileprivate var asDouble: Double { Double(self) }
}
