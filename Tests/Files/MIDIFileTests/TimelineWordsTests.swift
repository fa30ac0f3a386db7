import Testing

@testable import MIDIFile

@Suite(.timeLimit(.minutes(5))) struct TimelineWordsTests {
  private typealias Event = StandardMIDIFile.Event

  private func text(_ tick: Int64, _ text: String, _ kind: TextKind = .text) -> Event {
    .init(tick: tick, .meta(.text(text, kind)))
  }

  private func timeline(_ tracks: [Event]...) throws -> Timeline {
    try StandardMIDIFile(
      format: .simultaneous, division: .ticksPerQuarter(480), tracks: tracks.map { .init($0) }
    ).timeline(sampleRate: 48_000)
  }

  private func words(_ tracks: [Event]...) throws -> [String] {
    try StandardMIDIFile(
      format: .simultaneous, division: .ticksPerQuarter(480), tracks: tracks.map { .init($0) }
    ).timeline(sampleRate: 48_000).words.map { word in
      "\(word.kind) \(word.text)" + (word.lineBreak.map { " after \($0)" } ?? "")
    }
  }

  @Test func `a karaoke file has its title, language and syllables with their breaks`() throws {
    #expect(
      try words(
        [text(0, "Soft Karaoke", .trackName), text(0, "@KMIDI KARAOKE FILE"), text(0, "@V0100")],
        [
          text(0, "Words", .trackName), text(0, "@LENGL"), text(0, "@TMy Song"),
          text(0, "@TAn Author"),
          text(480, "\\Hel"), text(481, "lo "), text(482, "/World"),
        ])
        == [
          "trackName Soft Karaoke", "information MIDI KARAOKE FILE", "information 0100",
          "trackName Words", "language ENGL", "title My Song", "credit An Author",
          "lyric Hel after paragraph", "lyric lo ", "lyric World after line",
        ])
  }

  @Test func `lyric events have the breaks of RP-017`() throws {
    #expect(
      try words([
        text(0, "Hel", .lyric), text(1, "lo\r", .lyric), text(2, "World", .lyric),
        text(3, "\n", .lyric), text(4, "Next", .lyric),
      ]) == [
        "lyric Hel", "lyric lo", "lyric World after line", "lyric Next after paragraph",
      ])
  }

  @Test func `texts and lyrics of the same song are not both lyrics`() throws {
    let both = try words(
      [text(0, "@KMIDI KARAOKE FILE"), text(1, "One")],
      [text(1, "O", .lyric), text(2, "ne", .lyric)])
    #expect(both == ["information MIDI KARAOKE FILE", "text One", "lyric O", "lyric ne"])
    #expect(try words([text(0, "@home"), text(1, "A", .lyric)]).last == "lyric A")
  }

  @Test func `markers and names keep their kinds, and device names are ports`() throws {
    #expect(
      try words([
        text(0, "C", .copyright), text(0, "Piano", .instrumentName), text(1, "Verse", .marker),
        text(1, "Light", .cuePoint), text(1, "B", .deviceName), text(2, "note"),
      ]) == ["copyright C", "instrumentName Piano", "marker Verse", "cuePoint Light", "text note"])
  }

  @Test func `key signatures are listed where they change`() throws {
    func key(_ tick: Int64, _ sharps: Int8, isMinor: Bool = false) -> Event {
      .init(tick: tick, .meta(.keySignature(KeySignature(sharps: sharps, isMinor: isMinor)!)))
    }
    let song = try timeline([key(0, -3), key(480, -3), key(960, -3, isMinor: true)], [key(0, -3)])
    #expect(
      song.keys == [
        .init(frame: 0, sharps: -3, isMinor: false),
        .init(frame: 48_000, sharps: -3, isMinor: true),
      ])
  }
}

/// Texts that are not UTF-8.
@Suite(.timeLimit(.minutes(5))) struct TextEncodingTests {
  private func names(_ texts: [UInt8]...) throws -> [String] {
    let events = texts.map { StandardMIDIFile.Event(tick: 0, .meta(.init(type: 3, data: $0))) }
    return try StandardMIDIFile(
      format: .singleTrack, division: .ticksPerQuarter(480), tracks: [.init(events)]
    ).timeline(sampleRate: 48_000).words.map(\.text)
  }

  @Test func `Shift JIS is recognized by kana, or by characters in succession`() throws {
    // ドラム, 作曲, and ピアノ in half width, which alone could be western.
    #expect(
      try names([0x83, 0x68, 0x83, 0x89, 0x83, 0x80], [0xCB, 0xDF, 0xB1, 0xC9]) == ["ドラム", "ﾋﾟｱﾉ"])
    #expect(try names([0x8D, 0xEC, 0x8B, 0xC8]) == ["作曲"])
  }

  @Test func `a tag names Shift JIS`() throws {
    #expect(try names(Array("{@JP}".utf8), [0xB1]) == ["{@JP}", "ｱ"])
  }

  @Test func `western texts are Windows-1252`() throws {
    #expect(
      try names([0x44, 0x6F, 0x6E, 0x92, 0x74], [0x63, 0x61, 0x66, 0xE9, 0x61], [0x80])
        == ["Don’t", "caféa", "€"])
    // One text that is invalid in Shift JIS decides for all.
    #expect(try names([0x83, 0x68, 0xE9]) == ["ƒhé"])
  }

  @Test func `UTF-8 is itself, and bytes of no encoding are Latin-1`() throws {
    #expect(try names(Array("Größe ド".utf8)) == ["Größe ド"])
    #expect(try names([0x81, 0x20, 0xFF]) == ["\u{81} ÿ"])
  }
}
