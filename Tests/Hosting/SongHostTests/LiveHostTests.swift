import ConnectionTestSupport
import LiveAudio
import LiveMIDI
import MIDIFile
import NodeProtocol
import RenderCore
import SoundTestSupport
import TestSupport
import Testing

@testable import LivePlayer

@Suite(.timeLimit(.minutes(5))) struct LiveHostTests {
  private let scale = songOfNotes(
    (0..<40).map { (frame: Int64($0) * 1111, key: UInt8(40 + $0), length: 500) })

  /// Returns the expected pulses of the song's notes, computed without a host.
  private func onsets(_ timeline: Timeline, late: Int = 0, before end: Int) -> [Int: Float] {
    var sum: [Int: Float] = [:]
    for event in timeline.events {
      guard case .channel(let message) = event.message, message.startsNote else { continue }
      if Int(event.frame) + late < end {
        sum[Int(event.frame) + late, default: 0] += Float(message.data1)
      }
    }
    return sum
  }

  @Test(arguments: [[256], [1], [16], [100], [255, 1, 64], [7, 256, 33]])
  func `every note is heard on its frame, whatever the cycles' lengths`(cycles: [Int]) throws {
    let song = try PlayedSong(scale)
    try song.start()
    let length = cycles == [1] ? 2000 : 46_000
    try song.hear(length, cycles: cycles)
    #expect(pulses(song.left) == onsets(song.timeline, before: length))
    #expect(song.host.figures.underruns == 0)
    #expect(song.host.figures.songFrame == min(Int64(length), song.timeline.endFrame))
  }

  @Test func `chains of different latency are heard together`() throws {
    let song = try PlayedSong(scale, latencies: [[100, 7], [500]])
    try song.start()
    try song.hear(20_000, cycles: [200, 30])
    let one = onsets(song.timeline, late: 500, before: 20_000)
    #expect(pulses(song.left) == one.mapValues { 2 * $0 })
  }

  @Test(arguments: [[256], [64, 200, 3]])
  func `a loop wraps on its exact frame, over and over`(cycles: [Int]) throws {
    let song = try PlayedSong(
      songOfNotes([(0, 50, 10), (24_000, 60, 10), (29_999, 61, 1), (30_000, 62, 10)]),
      loop: 1..<1.25)
    try song.host.loop()
    try song.start()
    try song.hear(60_000, cycles: cycles)
    var expected: [Int: Float] = [0: 50]
    for begin in stride(from: 24_000, to: 60_000, by: 6000) {
      expected[begin] = 60
      expected[begin + 5999] = 61
    }
    #expect(pulses(song.left) == expected)
  }

  @Test func `a loop beyond the song's end is played to its own end`() throws {
    let song = try PlayedSong(songOfNotes([(0, 50, 100)], end: 1000), loop: 0..<0.25)
    try song.host.loop()
    try song.start()
    try song.hear(20_000)
    #expect(pulses(song.left) == [0: 50, 6000: 50, 12_000: 50, 18_000: 50])
    #expect(song.host.song.isPlaying)
  }

  @Test func `stops at the end of the song, and reports the frame`() throws {
    let song = try PlayedSong(songOfNotes([(0, 50, 700)], end: 1000))
    try song.start()
    try song.hear(4000)
    #expect(!song.host.song.isPlaying)
    #expect(song.host.figures.songFrame == song.timeline.endFrame)
  }

  @Test func `starts in the middle without the notes before`() throws {
    let song = try PlayedSong(scale)
    try song.start(at: 11_000)
    try song.hear(3000)
    #expect(pulses(song.left) == [110: 50, 1221: 51, 2332: 52])
  }

  @Test(arguments: [RemoteCommand.stop, .togglePlay, .rewind, .jump(beat: 0.5), .start])
  func `after a jump no note remains, and the song continues at the target`(
    command: RemoteCommand
  ) throws {
    // A note that would sound throughout, and a note at every 1000th frame.
    let marks = (0..<100).map {
      (frame: Int64($0) * 1000 + 7, key: UInt8(1 + $0), length: Int64(3))
    }
    let song = try PlayedSong(songOfNotes(marks + [(0, 120, 100_000)]))
    try song.start()
    try song.hear(5000, cycles: [100])
    #expect(pulses(song.right)[4900] == nil)
    #expect(song.host.execute(command))
    // The planned state: the command takes effect with the next plan.
    let place = song.host.song
    let begin = song.left.count
    try song.hear(3000, cycles: [100])
    let ended = song.right[begin...].firstIndex(of: 120)
    let border = try #require(ended)
    let after = pulses(Array(song.left[border...]))
    switch command {
    case .stop, .togglePlay: #expect(after.isEmpty && !place.isPlaying)
    case .jump:
      #expect(after[1007 - 0] == 14 && after[7] == 13)
    default:
      #expect(after[0] == 120 && after[7] == 1 && after[1007] == 2)
    }
    if case .stop = command {
      let frame = song.host.figures.songFrame
      #expect(song.host.execute(.continue))
      try song.hear(4000, cycles: [100])
      let first = song.left[(begin + 3000)...].firstIndex { $0 != 0 }
      let resumed = try #require(first)
      let key = Int(song.left[resumed])
      // The song resumes with the note that followed the stop.
      #expect(Int64(key - 1) * 1000 + 7 >= frame && Int64(key - 2) * 1000 + 7 < frame)
    }
  }

  @Test func `refuses invalid jumps and loops`() throws {
    let song = try PlayedSong(scale, loop: 3..<3)
    #expect(!song.host.execute(.jump(beat: .nan)))
    #expect(!song.host.execute(.jump(beat: .infinity)))
    #expect(!song.host.execute(.jump(beat: 1e10)))
    #expect(!song.host.execute(.loop(isOn: true)))
    #expect(throws: LoopError.self) { try song.host.loop() }
    #expect(song.host.execute(.loop(isOn: false)))
    #expect(song.host.song.loop == nil)
  }

  @Test func `bars are counted in before the song, and notes come after them`() throws {
    let song = try PlayedSong(scale, countIn: 1)
    try song.start()
    try song.hear(97_000)
    #expect(pulses(song.left) == [96_000: 40])
  }

  @Test func `thousands of events on one frame are late, but none is lost`() throws {
    let crowd = (0..<9000).map { (frame: Int64(300), key: UInt8(1 + $0 % 100), length: Int64(0)) }
    let song = try PlayedSong(songOfNotes(crowd + [(900, 127, 10)]))
    try song.start()
    try song.hear(3000)
    let sum = crowd.reduce(Float(127)) { $0 + Float($1.key) }
    #expect(song.left.reduce(0, +) == sum)
    #expect(song.right.reduce(0, +) == sum)
    #expect(song.host.delayedEvents > 4000)
    #expect(song.host.figures.refusedEvents == 0)
    // The first events are on their frame.
    #expect(song.left[300] > 0 && pulses(song.left).keys.min() == 300)
  }

  @Test(arguments: [16, 64, 256, 1024, 8192])
  func `plans are whole cycles, and a two-hundredth of a second at least`(period: Int) {
    let frames = LiveHost.scheduledFrames(Format(maximumFrames: period))
    #expect(frames % period == 0 && frames >= 240 && frames < max(2 * 240, period + 1))
  }

  @Test func `a cycle that is not planned in time is silent and counted, and the song continues`()
    throws
  {
    let song = try PlayedSong(scale)
    try song.host.start { _ in }
    // Render until the device has requested more than is planned.
    var heard: [Float] = []
    while song.host.figures.underruns == 0 {
      heard += try #require(song.device.cycle(256, now: 0)).left
    }
    #expect(song.host.figures.underruns == 1)
    let lost = heard.count
    try song.hear(40_000)
    let all = pulses(heard + song.left).keys.sorted()
    #expect(zip(all, all.dropFirst()).allSatisfy { $1 - $0 == 1111 || $0 < lost })
  }
}
