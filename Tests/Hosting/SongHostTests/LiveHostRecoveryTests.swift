import ConnectionTestSupport
import LiveAudio
import LiveMIDI
import MIDIFile
import NodeHost
import NodeProtocol
import RenderCore
import SoundTestSupport
import TestSupport
import Testing

@testable import LivePlayer

/// Tests of chains and devices that are lost while a song plays and then recovered.
@Suite(.timeLimit(.minutes(5))) struct LiveHostRecoveryTests {
  /// A note on every 500th frame, each with another key.
  private let marks = songOfNotes(
    (0..<100).map { (frame: Int64($0) * 500, key: UInt8(1 + $0), length: 100) })

  private func expected(_ frames: Range<Int>) -> [Int: Float] {
    Dictionary(
      uniqueKeysWithValues: (0..<100).map { ($0 * 500, Float(1 + $0)) }.filter {
        frames.contains($0.0)
      })
  }

  /// Initializes the connections of a chain again.
  private func revive(_ chain: [Connection]) throws {
    for connection in chain {
      guard case .initialized(let format) = connection.status else { continue }
      connection.uninitialize()
      try connection.initialize(format, mode: .offline)
    }
  }

  @Test(arguments: [[256], [100, 7]])
  func `a closed chain is silent, and plays with the song when it is opened again`(
    cycles: [Int]
  ) throws {
    let song = try PlayedSong(marks)
    try song.start()
    try song.hear(5000, cycles: cycles)
    song.host.close(chain: 0)
    try song.hear(3000, cycles: cycles)
    try revive(song.nodes.chains[0])
    song.host.open(chain: 0, with: song.nodes.chains[0])
    let opened = song.left.count
    try song.hear(8000, cycles: cycles)
    // The chain plays from the next plan on; existing plans do not include it.
    let back = LiveHost.scheduledFrames(song.device.format) * 5
    #expect(pulses(Array(song.left[..<5000])) == expected(0..<5000))
    #expect(song.left[5000..<opened].allSatisfy { $0 == 0 })
    let (heard, all) = (pulses(song.left), expected(opened..<16_000))
    #expect(heard.filter { $0.key >= opened }.allSatisfy { all[$0.key] == $0.value })
    #expect(heard.filter { $0.key >= opened + back } == all.filter { $0.key >= opened + back })
    #expect(song.host.figures.songFrame == 16_000)
  }

  @Test func `the other chains continue unchanged`() throws {
    let song = try PlayedSong(marks, latencies: [[100], [0]])
    try song.start()
    try song.hear(4000)
    song.host.close(chain: 0)
    try song.hear(2000)
    try revive(song.nodes.chains[0])
    song.host.open(chain: 0, with: song.nodes.chains[0])
    try song.hear(6000)
    let heard = pulses(song.left)
    for (frame, height) in expected(0..<11_500) {
      let isAlone = frame + 100 >= 4000 && frame < 6000
      let isBoth = frame + 100 < 4000 || frame > 6000 + 5 * 256
      if isAlone { #expect(heard[frame + 100] == height) }
      if isBoth { #expect(heard[frame + 100] == 2 * height) }
    }
  }

  @Test func `statistics of a connection survive another initialization`() throws {
    let song = try PlayedSong(marks)
    try song.start()
    try song.hear(2560)
    song.host.close(chain: 0)
    #expect(song.host.mixer.statistics[0][0].cycles == 10)
    try song.hear(2560)
    try revive(song.nodes.chains[0])
    song.host.open(chain: 0, with: song.nodes.chains[0])
    try song.hear(2560)
    #expect(song.host.mixer.statistics[0][0].cycles == 20)
    #expect(song.host.mixer.statistics[0][0].roundTrips.count == 20)
  }

  @Test func `a new instrument receives the song's settings`() throws {
    var events: [StandardMIDIFile.Event] = [
      // Part 11 is a second drum part.
      .init(tick: 0, .sysEx([0x41, 0x10, 0x42, 0x12, 0x40, 0x1A, 0x15, 0x01, 0x10])),
      .init(tick: 0, .channel(ChannelMessage(.programChange, channel: 3, 19))),
      .init(tick: 0, .channel(ChannelMessage(.controlChange, channel: 3, 7, 33))),
      .init(tick: 10, .channel(ChannelMessage(.pitchBend, channel: 5, 1, 80))),
      .init(tick: 20, .channel(ChannelMessage(.controlChange, channel: 3, 7, 44))),
    ]
    events.append(.init(tick: 48_000, .channel(ChannelMessage(.controlChange, channel: 3, 7, 1))))
    let timeline = try StandardMIDIFile(
      format: .singleTrack, division: .ticksPerQuarter(24_000), tracks: [.init(events)]
    ).timeline(sampleRate: 48_000)
    var cursor = SongCursor(timeline)
    #expect(cursor.settings == [[]])
    cursor.withCycle(
      256,
      [SongSegment(offset: 0, frames: 256, begin: 0, isPlaying: true, isEntry: true)]
    ) { _ in }
    let settings = cursor.settings[0]
    #expect(settings.first == .sysEx([0x41, 0x10, 0x42, 0x12, 0x40, 0x00, 0x7F, 0x00, 0x41]))
    #expect(settings.contains(.sysEx([0x41, 0x10, 0x42, 0x12, 0x40, 0x1A, 0x15, 0x01, 0x10])))
    #expect(settings.contains(.channel(ChannelMessage(.programChange, channel: 3, 19))))
    #expect(settings.contains(.channel(ChannelMessage(.controlChange, channel: 3, 7, 44))))
    #expect(settings.contains(.channel(ChannelMessage(.pitchBend, channel: 5, 1, 80))))
    #expect(!settings.contains(.channel(ChannelMessage(.controlChange, channel: 3, 7, 33))))
  }

  @Test func `another device continues with the next frame`() throws {
    let song = try PlayedSong(marks)
    song.host.execute(.toggleRecord)
    try song.start()
    try song.hear(3000)
    let other = ManualDevice(Format(maximumFrames: 64))
    try song.host.changeDevice(to: other) { _ in }
    #expect(song.device.hasStopped && other.isRunning)
    var left = song.left
    while left.count < 9000 {
      #expect(eventually { song.host.scheduler.isAhead })
      left += try #require(other.cycle(60, now: 0)).left
    }
    #expect(pulses(left) == expected(0..<9000))
    // The recording continues as well.
    let recorded = song.host.recording.recorded()
    #expect(stride(from: 0, to: recorded.count, by: 2).map { recorded[$0] } == left)
  }

  @Test func `another host continues on the frame at which one was suspended`() throws {
    let first = try PlayedSong(marks, loop: 0..<1)
    try first.start()
    first.host.execute(.loop(isOn: true))
    try first.hear(3100, cycles: [100])
    let place = first.host.suspend()
    #expect(
      place == SongPosition(frame: 3100, isPlaying: true, isRecording: false, isLooping: true))
    let second = try PlayedSong(marks, loop: 0..<1)
    try second.host.start(resuming: place) { _ in }
    try second.hear(4000, cycles: [100])
    #expect(pulses(first.left + second.left) == expected(0..<7100))
    #expect(second.host.song.loop != nil)
  }

  @Test(arguments: [[256], [100, 7], [1024]])
  func `a jump acts, and is recorded, on the first frame of a plan`(
    cycles: [Int]
  ) throws {
    let song = try PlayedSong(marks, maximumFrames: cycles.max() ?? 0)
    let length = LiveHost.scheduledFrames(song.device.format)
    song.host.execute(.toggleRecord)
    try song.start()
    try song.hear(3000, cycles: cycles)
    for beat in [0.5, 1.25, 0.75] {
      let told = song.left.count
      #expect(song.host.execute(.jump(beat: beat)))
      try song.hear(6 * length, cycles: cycles)
      let target = Int(beat * 24_000)
      // The first mark after the jump's target comes `500 - target % 500` frames after it.
      let isMark = { (frame: Int) in song.left[frame] == Float(1 + target / 500) }
      let acted = (told..<song.left.count).first(where: isMark)
      let frame = try #require(acted) - (target % 500 == 0 ? 0 : 500 - target % 500)
      #expect(frame % length == 0)
      #expect(frame > told && frame <= told + 5 * length + length)
    }
    let recorded = song.host.recording.recorded()
    #expect(stride(from: 0, to: recorded.count, by: 2).map { recorded[$0] } == song.left)
  }

  @Test(arguments: [0, 1, 300, 256, 5000])
  func `a recording ends a given number of frames after the song, inside a cycle`(tail: Int) throws
  {
    let song = try PlayedSong(songOfNotes([(0, 50, 700)], end: 1001))
    song.host.setRecordedTail(tail)
    song.host.execute(.toggleRecord)
    try song.start()
    try song.hear(8000)
    #expect(song.host.recording.recorded().count == 2 * (1001 + tail))
    // Starting the song again continues the recording.
    #expect(song.host.execute(.start))
    try song.hear(8000)
    #expect(song.host.recording.recorded().count >= 2 * (1001 + tail))
  }
}
