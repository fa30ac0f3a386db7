import LivePlayer
import MIDIFile
import OfflineRenderer
import RenderCore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct SongCursorTests {
  private let rate = 48_000

  /// A model of an instrument that stores its state in dictionaries, with FluidSynth's semantics.
  private struct Instrument: Equatable {
    var keys: Set<[UInt8]> = []
    var values: [[UInt8]: [UInt8]] = [:]
    var parameter: [UInt8: [UInt8]] = [:]
    /// The last CC 38 of each channel, which the next CC 6 also applies.
    var fine: [UInt8: UInt8] = [:]

    mutating func take(_ message: ChannelMessage) {
      let channel = message.channel
      switch message.kind {
      case .noteOn where message.data2 > 0: keys.insert([channel, message.data1])
      case .noteOn, .noteOff: keys.remove([channel, message.data1])
      case .keyPressure: break
      case .pitchBend: values[[channel, 1]] = [message.data1, message.data2]
      case .channelPressure: values[[channel, 2]] = [message.data1]
      case .programChange:
        let bank = values[[channel, 0, 0]] ?? [0]
        values[[channel, 3]] = bank + (values[[channel, 0, 32]] ?? [0]) + [message.data1]
      case .controlChange: control(message)
      }
    }

    private mutating func control(_ message: ChannelMessage) {
      let (channel, number, value) = (message.channel, message.data1, message.data2)
      switch number {
      case 100, 101:
        var chosen = parameter[channel] ?? [127, 127]
        chosen[number == 101 ? 0 : 1] = value
        parameter[channel] = chosen
      case 98, 99: parameter[channel] = [127, 127]
      case 6, 38:
        if number == 38 { fine[channel] = value }
        if let chosen = parameter[channel], chosen[0] == 0, chosen[1] <= 5 {
          values[[channel, 4, chosen[1], number]] = [value]
          values[[channel, 4, chosen[1], 38]] = [fine[channel] ?? 0]
        }
      case 121:
        let stay: Set<UInt8> = [0, 7, 8, 10, 32, 39, 40, 42, 91, 92, 93, 94, 95]
        for key in values.keys where key[0] == channel && key[1] == 0 {
          if !stay.contains(key[2]), !(70..<80 ~= key[2]) { values[key] = nil }
        }
        values[[channel, 1]] = nil
        values[[channel, 2]] = nil
        for number in UInt8(1)...2 {
          for part in [6, 38] as [UInt8] { values[[channel, 4, number, part]] = nil }
        }
        parameter[channel] = [127, 127]
        fine[channel] = 0
      case 120, 123...127: keys = keys.filter { $0[0] != channel }
      case 66, 84, 96, 97, 122: break
      default: values[[channel, 0, number]] = [value]
      }
    }

    /// Returns the keys of values that differ from those of another instrument, including defaults.
    func differences(from other: Instrument) -> [[UInt8]] {
      Set(values.keys).union(other.values.keys).filter {
        (values[$0] ?? Self.usual($0)) != (other.values[$0] ?? Self.usual($0))
      }
    }

    private static func usual(_ key: [UInt8]) -> [UInt8] {
      switch (key[1], key.count > 2 ? key[2] : 0) {
      case (0, 7): [100]
      case (0, 8), (0, 10), (0, 70...79): [64]
      case (0, 11), (0, 43): [127]
      case (1, _): [0, 64]
      case (3, _): [0, 0, 0]
      case (4, 0): key[3] == 6 ? [2] : [0]
      case (4, 1), (4, 2): key[3] == 6 ? [64] : [0]
      case (4, 5): key[3] == 6 ? [0] : [64]
      default: [0]
      }
    }
  }

  private func play(
    _ cursor: inout SongCursor, _ transport: SongTransport, _ frames: Int,
    _ take: (MIDIEvent) -> Void
  ) {
    cursor.withCycle(frames, transport.segments) { song in
      let cycle = song.midi
      #expect(cycle.frames == frames)
      #expect(song.origins.count == cycle.events.count)
      for (event, next) in zip(cycle.events, cycle.events.dropFirst()) {
        #expect(event.offset <= next.offset)
      }
      for event in cycle.events { take(event) }
    }
  }

  @Test(arguments: 0..<8)
  func `sets up the instrument as if the song had been played to that point`(seed: UInt64) throws {
    let rate = usualRate(seed)
    var numbers = Seeded(seed)
    let timeline = try Songs.random(&numbers, events: 3000).timeline(sampleRate: rate)
    var transport = SongTransport(timeline.beatMap)
    var (cursor, instrument) = (SongCursor(timeline), Instrument())
    try transport.setLoop(from: 20, to: 31)
    transport.continue()
    for _ in 0..<200 {
      if Int.random(in: 0..<3, using: &numbers) == 0 {
        transport.jump(toBeat: .random(in: -1...400, using: &numbers))
      }
      let frames = Int.random(in: 1...8192, using: &numbers)
      transport.advance(by: frames)
      play(&cursor, transport, frames) {
        if case .channel(let message) = $0.content { instrument.take(message) }
      }
      var played = Instrument()
      for event in timeline.events where event.frame < transport.segments.last!.end {
        if case .channel(let message) = event.message { played.take(message) }
      }
      #expect(instrument.differences(from: played) == [])
      #expect(cursor.heldNotes == instrument.keys.count)
    }
  }

  @Test func `without jumps, plays every event once on its frame`() throws {
    var numbers = Seeded(20)
    let timeline = try Songs.random(&numbers).timeline(sampleRate: rate)
    var transport = SongTransport(timeline.beatMap)
    var cursor = SongCursor(timeline)
    transport.start(countIn: 1)
    var frames: [Int64] = []
    while transport.frame <= timeline.endFrame {
      let begin = transport.frame
      let length = Int.random(in: 1...5000, using: &numbers)
      transport.advance(by: length)
      play(&cursor, transport, length) { frames.append(begin + Int64($0.offset)) }
    }
    #expect(frames == timeline.events.map(\.frame))
  }

  /// Plays a song in cycles of random lengths, between which it changes to random versions of it.
  private func play(
    versions: [Timeline], _ numbers: inout Seeded,
    _ take: (MIDIEvent, _ version: Int) -> Void
  ) {
    let cursors = versions.map { SongCursor($0) }
    var (version, cursor) = (0, cursors[0])
    var transport = SongTransport(versions[0].beatMap)
    transport.start()
    while transport.frame <= versions[version].endFrame {
      if Int.random(in: 0..<4, using: &numbers) == 0 {
        version = .random(in: versions.indices, using: &numbers)
        let frame = cursor.frame(transport.frame, in: cursors[version])
        cursor.change(to: cursors[version], at: frame)
        transport.change(to: versions[version].beatMap, at: frame, end: nil)
      }
      let frames = Int.random(in: 1...8192, using: &numbers)
      transport.advance(by: frames)
      play(&cursor, transport, frames) { take($0, version) }
    }
  }

  /// Returns the song with changes.
  private func version(
    _ song: StandardMIDIFile, _ change: (inout SongChanges) -> Void
  ) throws -> Timeline {
    var settings = RenderSettings()
    settings.sampleRate = rate
    change(&settings.changes)
    return try FrameRange(song, settings).timeline
  }

  @Test(arguments: 0..<8)
  func `in changing speed, every event is played once, and no other`(seed: UInt64) throws {
    var numbers = Seeded(seed)
    let song = Songs.random(&numbers, ticks: 480, events: 2000)
    let speeds = [1, 0.7, 1.3, 2, 0.1].map { SongSpeed($0)! }
    let versions = try speeds.map { speed in
      try version(song) { $0.tempo = .speed(speed) }
    }
    var heard: [ChannelMessage] = []
    play(versions: versions, &numbers) { event, _ in
      if case .channel(let message) = event.content { heard.append(message) }
    }
    let wanted = versions[0].events.map {
      if case .channel(let message) = $0.message {
        message
      } else {
        fatalError("no other is in it")
      }
    }
    #expect(heard.count == wanted.count)
    #expect(heard.elementsEqual(wanted) { $0 == $1 })
  }

  @Test(arguments: 0..<8)
  func `parts that are muted while they play end, and the others go on`(seed: UInt64) throws {
    var numbers = Seeded(seed)
    let song = Songs.random(&numbers, ticks: 480, events: 2000)
    let muted: [[UInt8]] = [[], [1], [2, 3], [1, 2, 3]]
    let versions = try muted.map { channels in
      try version(song) { $0.muted = channels.map { .channel($0, port: nil) } }
    }
    var instrument = Instrument()
    var heard: [ChannelMessage] = []
    var held = 0
    play(versions: versions, &numbers) { event, version in
      guard case .channel(let message) = event.content else { return }
      instrument.take(message)
      if ![1, 2, 3].contains(message.channel) { heard.append(message) }
      if message.kind == .noteOn, message.data2 > 0 {
        #expect(!muted[version].contains(message.channel))
      }
      held = max(held, instrument.keys.count)
    }
    var played = Instrument()
    for case .channel(let message) in versions[0].events.map(\.message) { played.take(message) }
    #expect(instrument.differences(from: played) == [])
    #expect(instrument.keys.subtracting(played.keys) == [])
    #expect(held > 10)
    let others = versions[0].events.compactMap { event in
      if case .channel(let message) = event.message, ![1, 2, 3].contains(message.channel) {
        message
      } else {
        nil
      }
    }
    #expect(heard == others)
  }

  @Test func `a transposed song releases the keys that it held`() throws {
    let song = StandardMIDIFile(
      format: .singleTrack, division: .ticksPerQuarter(480),
      tracks: [
        .init([
          .init(tick: 0, .channel(ChannelMessage(.noteOn, channel: 2, 60, 100))),
          .init(tick: 960, .channel(ChannelMessage(.noteOff, channel: 2, 60, 64))),
          .init(tick: 960, .channel(ChannelMessage(.noteOn, channel: 2, 64, 100))),
        ])
      ])
    let (written, higher) = try (
      version(song) { _ in }, version(song) { $0.transposition = 2 }
    )
    var (cursor, transport) = (SongCursor(written), SongTransport(written.beatMap))
    transport.start()
    var heard: [[UInt8]] = []
    for cycle in 0..<3 {
      if cycle == 1 { cursor.change(to: SongCursor(higher), at: transport.frame) }
      transport.advance(by: 24_000)
      play(&cursor, transport, 24_000) {
        guard case .channel(let message) = $0.content else { return }
        heard.append([UInt8(cycle), message.status, message.data1])
      }
    }
    #expect(heard == [[0, 0x92, 60], [1, 0x82, 60], [2, 0x82, 62], [2, 0x92, 66]])
  }

  /// Returns a song with a note of four beats, with the pedal down.
  private func longNote() throws -> Timeline {
    try StandardMIDIFile(
      format: .singleTrack, division: .ticksPerQuarter(480),
      tracks: [
        .init([
          .init(tick: 0, .channel(ChannelMessage(.controlChange, channel: 2, 64, 127))),
          .init(tick: 0, .channel(ChannelMessage(.noteOn, channel: 2, 60, 100))),
          .init(tick: 1920, .channel(ChannelMessage(.noteOff, channel: 2, 60, 64))),
        ])
      ]
    ).timeline(sampleRate: rate)
  }

  @Test func `ends notes where a loop wraps, before others begin`() throws {
    let timeline = try longNote()
    var transport = SongTransport(timeline.beatMap)
    var cursor = SongCursor(timeline)
    try transport.setLoop(from: 0, to: 1)
    transport.start()
    transport.advance(by: 30_000)
    var heard: [String] = []
    play(&cursor, transport, 30_000) {
      guard case .channel(let message) = $0.content else { return }
      heard.append("\($0.offset) \(message.kind) \(message.data1) \(message.data2)")
    }
    #expect(
      heard == [
        "0 controlChange 64 127", "0 noteOn 60 100", "24000 noteOff 60 64",
        "24000 controlChange 64 0", "24000 controlChange 64 127", "24000 noteOn 60 100",
      ])
  }

  @Test(arguments: ["stop", "jump", "rewind"])
  func `a jump ends notes, and sets pedals as at its target`(how: String) throws {
    let timeline = try longNote()
    var transport = SongTransport(timeline.beatMap)
    var cursor = SongCursor(timeline)
    transport.start()
    transport.advance(by: 100)
    play(&cursor, transport, 100) { _ in }
    #expect(cursor.heldNotes == 1)
    switch how {
    case "stop": transport.stop()
    case "jump": transport.jump(toBeat: 2)
    default: transport.rewind()
    }
    transport.advance(by: 100)
    var heard: [[UInt8]] = []
    play(&cursor, transport, 100) {
      guard case .channel(let message) = $0.content else { return }
      heard.append([message.status, message.data1, message.data2])
    }
    let end: [[UInt8]] = [[0x82, 60, 64], [0xB2, 64, 0]]
    switch how {
    case "stop": #expect(heard == end)
    case "jump": #expect(heard == end + [[0xB2, 64, 127]])
    default: #expect(heard == end + [[0xB2, 64, 127], [0x92, 60, 100]])
    }
  }

  @Test func `a reset by System Exclusive is part of the chase`() throws {
    let timeline = try StandardMIDIFile(
      format: .singleTrack, division: .ticksPerQuarter(480),
      tracks: [
        .init([
          .init(tick: 0, .channel(ChannelMessage(.programChange, channel: 0, 5))),
          .init(tick: 480, .sysEx([0x7E, 0x7F, 0x09, 0x01])),
          .init(tick: 960, .channel(ChannelMessage(.controlChange, channel: 0, 7, 90))),
        ])
      ]
    ).timeline(sampleRate: rate)
    var transport = SongTransport(timeline.beatMap)
    var cursor = SongCursor(timeline)
    transport.jump(toBeat: 3)
    transport.continue()
    transport.advance(by: 10)
    var heard: [[UInt8]] = []
    play(&cursor, transport, 10) {
      guard case .channel(let message) = $0.content else { return }
      heard.append([message.status, message.data1, message.data2])
    }
    #expect(heard == [[0xB0, 7, 90]])
  }
}
