import FluidSynthEngine
import MIDIFile
import RenderCore
import TestSupport
import Testing

@testable import OfflineRenderer

// What `render` and `play` change of a song.

private func program(_ tick: Int64, _ number: UInt8, channel: UInt8 = 0) -> Event {
  Event(tick: tick, .channel(ChannelMessage(.programChange, channel: channel, number)))
}

private func sysEx(_ tick: Int64, _ bytes: [UInt8]) -> Event { Event(tick: tick, .sysEx(bytes)) }

private let gsReset: [UInt8] = [0x41, 0x10, 0x42, 0x12, 0x40, 0x00, 0x7F, 0x00, 0x41]
/// Makes part 5 a rhythm part.
private let rhythmPart: [UInt8] = [0x41, 0x10, 0x42, 0x12, 0x40, 0x15, 0x15, 0x01, 0x15]

private func timeline(
  _ song: StandardMIDIFile, _ change: (inout SongChanges) -> Void
) throws(RenderError) -> Timeline {
  var settings = RenderSettings()
  change(&settings.changes)
  return try FrameRange(song, settings).timeline
}

/// The channel messages of a song, with their frames.
private func messages(_ timeline: Timeline) -> [String] {
  timeline.events.compactMap { event in
    guard case .channel(let message) = event.message else { return nil }
    return "\(event.frame) \(message.kind) \(message.channel) \(message.data1) \(message.data2)"
  }
}

/// The frames and keys of the notes that begin.
private func notes(_ timeline: Timeline) -> [String] {
  timeline.events.compactMap { event in
    guard case .channel(let message) = event.message, message.startsNote else { return nil }
    return "\(event.frame) \(message.channel + 1) \(message.data1) \(message.data2)"
  }
}

private func reason(_ error: RenderError?) -> String {
  if case .change(let reason) = error { reason } else { "no change: \(error.debugDescription)" }
}

/// A piano on channel 1, a violin on 2, drums on 10 and on part 5.
private let band = StandardMIDIFile(
  format: .simultaneous, division: .ticksPerQuarter(24_000),
  tracks: [
    .init([
      Event(tick: 0, .meta(.text("Keys", .trackName))), sysEx(0, gsReset), sysEx(1, rhythmPart),
      on(100, 60), on(200, 38, channel: 9), on(300, 40, channel: 4), off(400, 60),
      off(500, 38, channel: 9), off(600, 40, channel: 4),
    ]),
    .init([
      Event(tick: 0, .meta(.text("Solo", .trackName))), program(10, 40, channel: 1),
      on(700, 76, channel: 1, velocity: 80), off(800, 76, channel: 1),
    ]),
  ])

@Suite(.timeLimit(.minutes(5))) struct SongChangesTests {
  @Test func `a song without changes is its file`() throws {
    #expect(try timeline(band) { _ in } == band.timeline(sampleRate: 48_000))
  }

  @Test func `a transposition moves keys with their ends, and no drums of any part`() throws {
    let moved = try timeline(band) { $0.transposition = -3 }
    #expect(notes(moved) == ["100 1 57 100", "200 10 38 100", "300 5 40 100", "700 2 73 80"])
    #expect(messages(moved).contains("400 noteOff 0 57 64"))
    #expect(messages(moved).contains("600 noteOff 4 40 64"))
    #expect(try timeline(band) { $0.transposition = 3 }.noteCount == 4)
  }

  @Test func `a note that is held while its channel becomes a rhythm part ends`() throws {
    let changing = song([
      sysEx(0, gsReset), on(10, 60, channel: 4), sysEx(20, rhythmPart), on(25, 60, channel: 4),
      off(30, 60, channel: 4), off(40, 62, channel: 4),
    ])
    let moved = try timeline(changing) { $0.transposition = 2 }
    #expect(notes(moved) == ["10 5 62 100", "25 5 60 100"])
  }

  @Test func `a transposition beyond the keys names those that are possible`() {
    let error = #expect(throws: RenderError.self) { try timeline(band) { $0.transposition = 52 } }
    #expect(
      reason(error)
        == "its keys are 60 to 76, and can be transposed by -60 to 51, but not by 52")
  }

  @Test func `keys of the song are transposed`() {
    func key(_ sharps: Int) -> SongKey { SongKey(frame: 0, sharps: sharps, isMinor: true) }
    #expect((-7...7).allSatisfy { key($0).transposed(by: 12) == key($0) })
    // C minor and a semitone higher; A minor and a tone lower, which is G minor.
    #expect(key(-3).transposed(by: 1) == key(4))
    #expect(key(0).transposed(by: -2) == key(-2))
  }

  @Test func `parts are chosen by channels, tracks, instruments and names`() throws {
    func played(_ part: SongPart) throws -> [String] {
      let only = try notes(timeline(band) { $0.only = [part] })
      let rest = try notes(timeline(band) { $0.muted = [part] })
      #expect(Set(only + rest) == Set(notes(try timeline(band) { _ in })))
      #expect(only.count + rest.count == 4)
      return only
    }
    #expect(try played(.channel(0, port: nil)) == ["100 1 60 100"])
    #expect(try played(.channel(9, port: 0)) == ["200 10 38 100"])
    #expect(try played(.track(1)) == ["700 2 76 80"])
    #expect(try played(.named("PIANO")) == ["100 1 60 100"])
    #expect(try played(.named("violin")) == ["700 2 76 80"])
    #expect(try played(.named("solo")) == ["700 2 76 80"])
    #expect(try played(.named("drums")) == ["200 10 38 100", "300 5 40 100"])
  }

  @Test func `drums are the rhythm parts, without steel drums`() throws {
    let song = StandardMIDIFile(
      format: .simultaneous, division: .ticksPerQuarter(24_000),
      tracks: [
        .init([
          Event(tick: 0, .meta(.text("Drums", .trackName))), program(0, 114), on(100, 60),
          on(200, 38, channel: 9), off(300, 60), off(300, 38, channel: 9),
        ])
      ])
    #expect(try notes(timeline(song) { $0.only = [.named("Drums")] }) == ["200 10 38 100"])
    #expect(try notes(timeline(song) { $0.muted = [.named("drums")] }) == ["100 1 60 100"])
    #expect(try notes(timeline(song) { $0.only = [.named("steel")] }) == ["100 1 60 100"])
  }

  @Test func `a part without notes is an error that names the parts`() {
    let error = #expect(throws: RenderError.self) {
      try timeline(band) { $0.muted = [.named("tuba")] }
    }
    #expect(
      reason(error)
        == "'tuba' has no notes: it has 1 Acoustic Grand Piano, 10 Drums, 5 Drums, 2 Violin, "
        + "track:1 'Keys', track:2 'Solo'")
    #expect(throws: RenderError.self) { try timeline(band) { $0.only = [.channel(0, port: 1)] } }
    #expect(throws: RenderError.self) { try timeline(band) { $0.only = [.track(2)] } }
  }

  @Test func `counts of notes are those that are played`() throws {
    let piano = try timeline(band) { $0.only = [.channel(0, port: nil)] }
    #expect(piano.noteCount == 1 && piano.tracks.map(\.noteCount) == [1, 0])
  }

  @Test func `a program replaces those of the file, also after a reset`() throws {
    let resetting = song([
      program(0, 10), on(10, 60), sysEx(20, gsReset), control(30, 0, 8), program(30, 5), on(40, 62),
    ])
    let changed = try timeline(resetting) {
      $0.programs = [.init(channel: 0, bank: 3, program: 40)]
    }
    #expect(
      messages(changed) == [
        "0 controlChange 0 0 3", "0 controlChange 0 32 0", "0 programChange 0 40 0",
        "10 noteOn 0 60 100",
        "20 controlChange 0 0 3", "20 controlChange 0 32 0", "20 programChange 0 40 0",
        "40 noteOn 0 62 100",
      ])
    // What is chosen is found by its new name.
    let violin = try timeline(resetting) {
      $0.programs = [.init(channel: 0, bank: 0, program: 40)]
      $0.only = [.named("violin")]
    }
    #expect(violin.noteCount == 2)
  }

  @Test func `pans are moved from those of the file, also after a reset, and stay pans`() throws {
    let music = song(
      [
        control(0, 10, 20), control(10, 10, 120, channel: 1), on(20, 60), off(30, 60),
        sysEx(40, gsReset), control(50, 10, 0, channel: 2), on(60, 60), off(70, 60),
      ], end: 100)
    let changed = try timeline(music) {
      $0.pans = [.init(channel: 0, shift: -30), .init(channel: 1, port: 0, shift: 30)]
    }
    let pans = messages(changed).filter { $0.contains("controlChange") }
    #expect(
      pans == [
        "0 controlChange 0 10 34", "0 controlChange 1 10 94", "0 controlChange 0 10 0",
        "10 controlChange 1 10 127", "40 controlChange 0 10 34", "40 controlChange 1 10 94",
        "50 controlChange 2 10 0",
      ])
    let error = #expect(throws: RenderError.self) {
      try timeline(music) { $0.pans = [.init(channel: 0, port: 1, shift: 1)] }
    }
    #expect(reason(error) == "there is no port 2: it has 1")
  }

  @Test func `velocities are changed and stay velocities`() throws {
    let velocities: [UInt8] = [1, 40, 127]
    let music = song(velocities.enumerated().map { on(Int64($0), 60, velocity: $1) })
    func changed(_ velocity: SongChanges.Velocity) throws -> [UInt8] {
      try timeline(music) { $0.velocity = velocity }.events.map {
        if case .channel(let message) = $0.message { message.data2 } else { 0 }
      }
    }
    #expect(try changed(.factor(2)) == [2, 80, 127])
    #expect(try changed(.factor(0.1)) == [1, 4, 13])
    #expect(try changed(.fixed(90)) == [90, 90, 90])
    let (soft, hard) = try (changed(.soft), changed(.hard))
    #expect(soft[1] > 40 && hard[1] < 40 && soft[2] == 127 && hard[2] == 127)
  }
}

@Suite(.timeLimit(.minutes(5))) struct SongSpeedTests {
  /// A song with changes of tempo and of a division without a common factor.
  private func music(_ scale: UInt32) -> StandardMIDIFile {
    func tempo(_ tick: Int64, _ value: UInt32) -> Event {
      Event(tick: tick, .meta(.tempo(value * scale)))
    }
    return StandardMIDIFile(
      format: .singleTrack, division: .ticksPerQuarter(7),
      tracks: [
        .init(
          [tempo(0, 411_111), on(3, 60), tempo(13, 77_777), on(1000, 61), off(10_001, 61)])
      ])
  }

  @Test func `at half the speed every event has the frame of a file with twice the tempo`() throws {
    let slow = try music(1).timeline(sampleRate: 44_100, speed: #require(SongSpeed(0.5)))
    let written = try music(2).timeline(sampleRate: 44_100)
    #expect(slow.events == written.events && slow.endFrame == written.endFrame)
    #expect(slow.seconds == written.seconds && slow.tempos == written.tempos)
    #expect(slow.beats(before: slow.endFrame) == written.beats(before: written.endFrame))
    #expect(slow.beatMap.tempo(at: 100) == written.beatMap.tempo(at: 100))
  }

  @Test(arguments: [100_000, 333_333, 750_001, 1_234_567, 10_000_000])
  func `frames are exact at any speed`(millionths: Int) throws {
    let speed = try #require(SongSpeed(millionths: millionths))
    let played = try music(1).timeline(sampleRate: 48_000, speed: speed)
    // Microseconds of the file times 48 000 / 1 000 000 / speed, rounded half up, in integers.
    func frame(_ ticks: [(count: Int, tempo: Int)]) -> Int64 {
      let time = ticks.reduce(Int128(0)) { $0 + Int128($1.count) * Int128($1.tempo) }
      let divisor = Int128(7) * Int128(millionths)
      return Int64((2 * time * 48_000 + divisor) / (2 * divisor))
    }
    #expect(
      played.events.map(\.frame) == [
        frame([(3, 411_111)]), frame([(13, 411_111), (987, 77_777)]),
        frame([(13, 411_111), (9988, 77_777)]),
      ])
  }

  @Test func `a tempo is that of the first note`() throws {
    var changes = SongChanges()
    changes.tempo = .beatsPerMinute(60)
    #expect(try changes.speed(of: music(1)).millionths == 411_111)
    // The first tempo is set after a pause.
    let late = song([Event(tick: 9, .meta(.tempo(250_000))), on(9, 60)])
    #expect(try changes.speed(of: late).factor == 0.25)
    changes.tempo = .beatsPerMinute(9999)
    let error = #expect(throws: RenderError.self) { try changes.speed(of: late) }
    #expect(reason(error) == "its tempo is 240, and can be changed to 24 to 2400")
    let timeCode = StandardMIDIFile(
      format: .singleTrack, division: .timeCode(.fps25, ticksPerFrame: 40), tracks: [.init([])])
    #expect(throws: RenderError.self) { try changes.speed(of: timeCode) }
    changes.tempo = .speed(try #require(SongSpeed(2)))
    #expect(try changes.speed(of: timeCode).factor == 2)
  }

  @Test(arguments: [0.0999, 10.0001, 0, -1, .nan, .infinity])
  func `a speed is a tenth to ten times that of the file`(factor: Double) {
    #expect(SongSpeed(factor) == nil)
  }
}

@Suite(.timeLimit(.minutes(5))) struct ChangedSoundTests {
  private func render(
    _ song: StandardMIDIFile, _ change: (inout RenderSettings) -> Void
  ) throws -> [Float] {
    let folder = try TemporaryFolder()
    var settings = RenderSettings()
    settings.tail = .seconds(0.5)
    change(&settings)
    let font = try SoundFont.open(bundledSoundFont)
    _ = try SongRenderer(soundFont: font, settings: settings).render(song, to: folder.file())
    return try folder.samples()
  }

  @Test func `parts add up to the song, whose levels are multiples of a power of two`() throws {
    func dry(_ change: (inout SongChanges) -> Void) throws -> [Float] {
      try render(band) {
        $0.effects = Effects(reverb: false, chorus: false)
        change(&$0.changes)
      }
    }
    let whole = try dry { _ in }
    let only = try dry { $0.only = [.named("drums")] }
    let rest = try dry { $0.muted = [.named("drums")] }
    #expect(only.contains { $0 != 0 } && rest.contains { $0 != 0 })
    for (whole, (only, rest)) in zip(whole, zip(only, rest)) {
      // Each of the three is rounded once to a float.
      let exact = Double(only) + Double(rest)
      let error = max(whole.ulp, only.ulp, rest.ulp)
      #expect(abs(Double(whole) - exact) <= 2 * Double(error))
    }
  }

  @Test func `a part of a changed song has the bits of the whole`() throws {
    func changed(_ settings: inout RenderSettings) {
      settings.changes.transposition = 5
      settings.changes.tempo = .speed(SongSpeed(1.5)!)
    }
    let whole = try render(phrase, changed)
    let part = try render(phrase) {
      changed(&$0)
      ($0.start, $0.end, $0.tail) = (0.1, 0.3, .exact)
    }
    #expect(part == Array(whole[2 * 4800..<2 * 14_400]))
  }

  @Test func `a song is faded between silence and its level`() throws {
    let whole = try render(phrase) { $0.tail = .exact }
    let faded = try render(phrase) {
      $0.fadeIn = 0.125
      $0.fadeOut = 0.25
    }
    let frames = whole.count / 2
    #expect(faded.count == whole.count)
    for frame in 0..<frames {
      let rise = min(1, Float(frame) / 6000)
      let fall = min(1, Float(frames - frame) / 12_000)
      #expect(faded[2 * frame] == whole[2 * frame] * (rise * fall))
    }
  }

  @Test func `a range begins and ends at bars and beats`() throws {
    func range(_ start: RenderSettings.Position, _ end: RenderSettings.Position?) throws
      -> Range<Int>
    {
      var settings = RenderSettings()
      (settings.start, settings.end) = (start, end)
      let sixEighths = try #require(TimeSignature(numerator: 6, denominatorPower: 3))
      let meter = Event(tick: 96_000, .meta(.timeSignature(sixEighths)))
      let range = try FrameRange(song([meter, on(97_000, 60)], end: 400_000), settings)
      return range.start..<range.end
    }
    // A bar of 4/4, then bars of six eighths.
    #expect(try range(.bar(1), .bar(2)) == 0..<96_000)
    #expect(try range(.bar(1, beat: 3), .bar(2, beat: 2)) == 48_000..<108_000)
    #expect(try range(.bar(3), nil) == 168_000..<400_000)
    let error = #expect(throws: RenderError.self) { try range(.bar(99), nil) }
    guard case .bar(99, count: 6) = error else {
      Issue.record("\(error.debugDescription)")
      return
    }
  }
}
