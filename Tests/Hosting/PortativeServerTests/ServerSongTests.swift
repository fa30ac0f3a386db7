import AudioFile
import Glibc
import LiveAudio
import LiveMIDI
import LocalSystem
import MIDIFile
import NodeProtocol
import NodeServer
import OfflineRenderer
import RenderCore
import ServerTestSupport
import SoundTestSupport
import TestSupport
import Testing

@testable import PortativeServer

@Suite(.timeLimit(.minutes(10))) struct ServerSongTests {
  /// Performs a test again if a cycle may have been late, because the machine is busy.
  private func whenTimely(_ test: () throws -> Bool) throws {
    for _ in 0..<5 where try test() { return }
    Issue.record("5 of 5 attempts have failed")
  }

  @Test func `one sound: the song of a server has the bits of its rendering`() throws {
    let expected = try rendered(TestSong.short)
    try whenTimely {
      let stage = try SongStage()
      try stage.load(TestSong.short)
      // The instruments wait for the song, so that reverb and chorus have the same phase.
      try stage.play(seconds: 1)
      #expect(stage.peak(ofLast: 1) == 0)
      try stage.song.execute(.start)
      try stage.play(seconds: 6)
      return begins(stage.sound, with: expected)
    }
  }

  @Test func `a song has the same bits when it is played again`() throws {
    let expected = try rendered(TestSong.short)
    try whenTimely {
      let stage = try SongStage()
      try stage.load(TestSong.short)
      try stage.song.execute(.start)
      try stage.play(seconds: 4)
      try stage.play { stage.song.isFresh }
      stage.forget()
      try stage.song.execute(.start)
      try stage.play(seconds: 6)
      return begins(stage.sound, with: expected)
    }
  }

  @Test func `a muted channel is as in a rendering without it`() throws {
    var changes = SongChanges()
    changes.muted = [.channel(0, port: nil)]
    let expected = try rendered(TestSong.short, changes)
    try whenTimely {
      let stage = try SongStage()
      try stage.load(TestSong.short)
      try stage.change { request in
        var channel = SongChannelChange(channel: 1)
        channel.isMuted = true
        request.channels = [channel]
      }
      // The player's thread follows requests 30 times per second.
      #expect(eventually { stage.song.status.song?.channels[0].isMuted == true })
      try stage.play { stage.song.followsSettings }
      stage.forget()
      try stage.song.execute(.start)
      try stage.play(seconds: 6)
      return begins(stage.sound, with: expected)
    }
  }

  @Test func `a key that is held sounds on when the song ends, and the song when the key ends`()
    throws
  {
    let stage = try SongStage()
    stage.input.sourceNames = ["Keyboard"]
    try stage.play(until: { stage.input.playedUnit != nil })
    try stage.load(TestSong.long)
    try stage.song.execute(.start)
    stage.send(ChannelMessage(.noteOn, channel: 0, 40, 100))
    try stage.play(seconds: 2)
    try stage.song.execute(.stop)
    try stage.play(seconds: 4)
    #expect(stage.peak() > 0.001)
    stage.send(ChannelMessage(.noteOff, channel: 0, 40, 64))
    try stage.play(seconds: 4)
    #expect(stage.peak() < 0.0005)
    try stage.song.execute(.continue)
    try stage.play(seconds: 1)
    #expect(stage.song.status.song?.isPlaying == true)
  }

  @Test func `notes end: a stopped song ends its notes`() throws {
    let stage = try SongStage()
    try stage.load(TestSong.long)
    try stage.song.execute(.start)
    try stage.play(seconds: 1)
    #expect(stage.peak() > 0.001)
    try stage.song.execute(.stop)
    try stage.play(seconds: 4)
    #expect(stage.peak() < 0.0005)
    #expect(stage.song.status.song?.isPlaying == false)
  }

  @Test func `a song that is removed while it plays fades out, and the device is closed`() throws {
    let stage = try SongStage()
    try stage.load(TestSong.long)
    try stage.song.execute(.start)
    try stage.play(seconds: 1)
    let song = stage.song
    let isRemoved = Flag()
    let thread = TestThread {
      song.unload()
      isRemoved.raise()
    }
    #expect(
      eventually {
        _ = stage.device.cycle(SongStage.frames, now: 2_000_000_000_000)
        return isRemoved.isRaised
      })
    thread.join()
    #expect(song.status.song == nil)
    #expect(eventually { !stage.device.isRunning })
  }

  @Test func `a file that cannot be read leaves the song that plays`() throws {
    let stage = try SongStage()
    try stage.load(TestSong.long)
    try stage.song.execute(.start)
    try stage.play(seconds: 0.5)
    let error = #expect(throws: Failure.self) {
      try stage.song.load(.path("/none/song.mid"), name: "song.mid", SongSettings())
    }
    #expect(error?.message == "there is no song '/none/song.mid'")
    #expect(stage.song.status.problem == error?.message)
    #expect(throws: Failure.self) {
      try stage.song.load(.bytes(Array("MThd and no more".utf8)), name: "bad.mid", SongSettings())
    }
    #expect(throws: Failure.self) {
      try stage.song.load(.bytes(Array("no music".utf8)), name: "bad.txt", SongSettings())
    }
    try stage.play(seconds: 0.5)
    #expect(stage.song.status.song?.isPlaying == true)
    #expect(stage.peak() > 0.001)
  }

  @Test func `the state has the place, the channels and what is changed`() throws {
    let stage = try SongStage()
    try stage.load(TestSong.short)
    let before = try #require(stage.song.status.song)
    #expect(before.bars == 1)
    #expect(abs(before.length - 1.5) < 0.001)
    #expect(before.channels.map(\.channel) == [1, 2])
    #expect(before.channels.map(\.notes) == [2, 2])
    #expect(!before.channels[0].name.isEmpty)
    try stage.change { $0.tempoPercent = 50 }
    try stage.change { $0.transposition = 5 }
    try stage.play { (stage.song.status.song?.length ?? 0) > 2.9 }
    let after = try #require(stage.song.status.song)
    #expect(after.tempo == 60)
    #expect(after.tempoPercent == 50)
    #expect(after.transposition == 5)
    #expect(after.revision != before.revision)
    try stage.song.execute(.jump(seconds: 1))
    #expect(abs((stage.song.status.song?.position ?? 0) - 1) < 0.01)
    #expect(stage.song.status.song?.beat == 2)
    let error = #expect(throws: Failure.self) { try stage.change { $0.transposition = 37 } }
    #expect(error?.message == "the transposition must be -36 to 36 semitones, but is 37")
    #expect(throws: Failure.self) { try stage.song.execute(.jumpToBar(2)) }
  }

  @Test func `a recording has the keyboard and the song with one beginning`() throws {
    let stage = try SongStage(isRecorded: true)
    stage.input.sourceNames = ["Keyboard"]
    try stage.play(until: { stage.input.playedUnit != nil })
    try stage.load(TestSong.short)
    try stage.song.execute(.start)
    try stage.play(seconds: 4)
    stage.send(ChannelMessage(.noteOn, channel: 0, 60, 100))
    try stage.play(seconds: 1)
    stage.send(ChannelMessage(.noteOff, channel: 0, 60, 64))
    try stage.play(seconds: 1)
    #expect(stage.server.takesOfKeyboards == ["Test: Organ"])
    stage.server.stop()
    let audio = try AudioSamples(
      decoding: SongContent.read(stage.recording), longest: 60)
    #expect(audio.frames == stage.left.count)
    #expect((0..<audio.frames).allSatisfy { audio.samples[2 * $0] == stage.left[$0] })
    let path = stage.recording.replacing(".wav", with: ".mid")
    let music = try StandardMIDIFile(decoding: SongContent.read(path))
      .timeline(sampleRate: 48_000)
    #expect(music.tracks.compactMap(\.name) == ["Portative: Song", "Test: Organ"])
    #expect(music.tracks.map(\.noteCount) == [0, 4, 1])
    let notes = music.events.filter { event in
      guard case .channel(let message) = event.message else { return false }
      return message.startsNote
    }
    // The song sounds where its notes are.
    let silence = try rendered(TestSong.short).left.startIndex
    #expect(stage.sound.left.startIndex == Int(notes[0].frame) + silence)
  }

  @Test func `panic stops the song, and the status has it`() throws {
    let stage = try SongStage()
    #expect(stage.server.statusWithoutPorts.song == nil)
    try stage.load(TestSong.long)
    try stage.song.execute(.start)
    try stage.play(seconds: 1)
    let song = try #require(stage.server.statusWithoutPorts.song)
    #expect(song.name == "Test")
    #expect(song.isPlaying)
    #expect(song.position > 0.5)
    stage.server.silence()
    #expect(stage.server.statusWithoutPorts.song?.isPlaying == false)
  }

  @Test func `a loop repeats its bars until it is ended`() throws {
    let stage = try SongStage()
    try stage.load(TestSong.song((0..<12).map { (Int64($0) * 480, 0, 60, 240) }))
    try stage.song.execute(.loop(2...2))
    #expect(stage.song.status.song?.loop == SongLoopBars(first: 2, last: 2))
    try stage.song.execute(.jumpToBar(2))
    try stage.song.execute(.continue)
    try stage.play(seconds: 5)
    #expect(stage.song.status.song?.bar == 2)
    #expect(stage.song.status.song?.isPlaying == true)
    try stage.song.execute(.endLoop)
    try stage.play(seconds: 7)
    #expect(stage.song.status.song?.isPlaying == false)
  }

  @Test func `audio has its own samples, and is converted to the rate of the device`() throws {
    let left = (0..<48_000).map { Float(sin(Double($0) * 0.03) * 0.5 + 0.25) }
    let right = left.map { -$0 / 3 }
    try whenTimely {
      let stage = try SongStage()
      try stage.song.load(
        .bytes(TestSong.wave(left, right)), name: "track.wav", SongSettings())
      try stage.song.execute(.start)
      try stage.play(seconds: 2)
      return begins(stage.sound, with: (left[...], right[...]))
    }
    // The same sine as 44,100 frames of a second: the peak is that of the samples between.
    let tone = (0..<44_100).map { Float(sin(Double($0) * 2 * .pi * 441 / 44_100) * 0.5) }
    let stage = try SongStage()
    try stage.song.load(
      .bytes(TestSong.wave(tone, tone, rate: 44_100)), name: "track.wav", SongSettings())
    #expect(abs((stage.song.report?.length ?? 0) - 1) < 1e-3)
    try stage.song.execute(.start)
    try stage.play(seconds: 2)
    let begin = try #require(stage.left.firstIndex { abs($0) > 0.01 })
    let second = stage.left[begin..<min(stage.left.count, begin + 48_000)]
    let crossings = zip(second, second.dropFirst()).count { $0 < 0 && $1 >= 0 }
    #expect((439...442).contains(crossings))
    let middle = second.dropFirst(4800).dropLast(4800)
    #expect(abs((middle.max() ?? 0) - 0.5) < 1e-3 && abs((middle.min() ?? 0) + 0.5) < 1e-3)
  }

  @Test func `the level of the song and of a channel is heard`() throws {
    let stage = try SongStage()
    var quiet = SongSettings()
    quiet.level = -20
    try stage.load(TestSong.long, quiet)
    try stage.song.execute(.start)
    try stage.play(seconds: 2)
    let low = stage.peak(ofLast: 1)
    try stage.change { $0.level = 0 }
    try stage.play(seconds: 2)
    let high = stage.peak(ofLast: 1)
    #expect((6...14).contains(high / low))
    try stage.change { request in
      var channel = SongChannelChange(channel: 1)
      channel.level = -24
      request.channels = [channel]
    }
    try stage.play { stage.song.followsSettings }
    try stage.play(seconds: 3)
    #expect(stage.peak(ofLast: 1) < high / 4)
  }
}

extension PortativeServer {
  /// The ports of a take.
  fileprivate var takesOfKeyboards: [String] {
    devices.takes.take(TakeRequest())?.tracks.map(\.port) ?? []
  }
}

extension SongStage {
  func send(_ message: ChannelMessage) {
    input.send(.channel(message), from: LiveInput.Source(1), at: 1)
  }

  /// Sends a request for a change.
  func change(_ body: (inout ChangeSong) -> Void) throws {
    var request = ChangeSong()
    body(&request)
    let change = request
    try song.change { settings, content throws(Failure) in
      try settings.follow(change, content)
    }
  }
}
