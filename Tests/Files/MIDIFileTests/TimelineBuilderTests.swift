import RenderCore
import Testing

@testable import MIDIFile

@Suite(.timeLimit(.minutes(5))) struct TimelineBuilderTests {
  private func decode(_ bytes: [UInt8]) throws -> Timeline {
    try StandardMIDIFile(decoding: bytes).timeline(sampleRate: 48_000)
  }

  /// Returns frame, track, status and first data byte of every channel message.
  private func channelMessages(_ timeline: Timeline) -> [[Int64]] {
    timeline.events.compactMap {
      guard case .channel(let message) = $0.message else { return nil }
      return [$0.frame, Int64($0.track), Int64(message.status), Int64(message.data1)]
    }
  }

  @Test func `puts each message on the frame of its tick`() throws {
    let timeline = try file(note(60, ticks: 96) + note(62, ticks: 1)).timeline(sampleRate: 48_000)
    #expect(
      channelMessages(timeline) == [
        [0, 0, 0x90, 60], [4_800, 0, 0x80, 60], [4_800, 0, 0x90, 62], [4_850, 0, 0x80, 62],
      ])
    #expect(timeline.endFrame == 4_850)
    #expect(timeline.lastEventFrame == 4_850)
    #expect(timeline.seconds == 97.0 / 960)
  }

  @Test func `applies a tempo in any track of format 1 to all tracks`() throws {
    let timeline = try decode(
      header(1, tracks: 3)
        + chunk([0x83, 0x60, 0xC0, 0x01] + [0x83, 0x60, 0xC0, 0x02] + end)
        + chunk(end)
        // 1 000 000 µs per quarter note from tick 480 on, the tick of track 0's first event.
        + chunk([0x83, 0x60, 0xFF, 0x51, 0x03, 0x0F, 0x42, 0x40] + end))
    #expect(channelMessages(timeline).map { $0[0] } == [24_000, 72_000])
    #expect(timeline.tracks.map(\.endFrame) == [72_000, 0, 24_000])
    #expect(timeline.endFrame == 72_000)
    #expect(timeline.seconds == 1.5)
  }

  @Test func `takes time signatures from any track of format 1`() throws {
    let timeline = try decode(
      header(1, tracks: 2) + chunk(note(60) + end)
        + chunk([0x00, 0xFF, 0x58, 0x04, 0x03, 0x02, 0x18, 0x08] + end))
    #expect(timeline.barLine(atOrAfter: 1) == 72_000)
  }

  @Test func `orders one tick by tracks, and a track as in the file`() throws {
    let timeline = try decode(
      header(1, tracks: 2) + chunk([0x01, 0xC0, 0x01, 0x00, 0xC0, 0x02] + end)
        + chunk([0x00, 0xC1, 0x03, 0x01, 0xC1, 0x04] + end))
    #expect(channelMessages(timeline).map { $0[3] } == [3, 1, 2, 4])
  }

  @Test func `plays the sequences of format 2 one after another, each with its own tempo`() throws {
    let timeline = try decode(
      header(2, tracks: 2)
        // Half the tempo, 3/4, and 480 ticks to the end of track.
        + chunk(
          [0x00, 0xFF, 0x51, 0x03, 0x0F, 0x42, 0x40]
            + [0x00, 0xFF, 0x58, 0x04, 0x03, 0x02, 0x18, 0x08]
            + [0x00, 0xC0, 0x01] + [0x83, 0x60, 0xFF, 0x2F, 0x00])
        + chunk([0x00, 0xC0, 0x02] + [0x83, 0x60, 0xC0, 0x03] + end))
    #expect(
      channelMessages(timeline)
        == [[0, 0, 0xC0, 1], [48_000, 1, 0xC0, 2], [72_000, 1, 0xC0, 3]])
    #expect(timeline.tracks.map(\.endFrame) == [48_000, 72_000])
    #expect(timeline.endFrame == 72_000)
    #expect(timeline.frame(ofTick: 960) == 72_000)
    #expect(timeline.barLine(atOrAfter: 1) == 48_000)
    #expect(timeline.barLine(atOrAfter: 48_001) == 144_000)
  }

  @Test func `gives time code no tempo`() throws {
    // 25 frames per second, 40 ticks per frame: a tick is a millisecond.
    let timeline = try file(
      [0x00, 0xFF, 0x51, 0x03, 0x0F, 0x42, 0x40] + note(60, ticks: 100), division: [0xE7, 0x28]
    ).timeline(sampleRate: 48_000)
    #expect(timeline.endFrame == 4_800)
  }

  @Test func `stores SysEx end to end without F0 and F7`() throws {
    let timeline = try file([
      0x00, 0xF0, 0x03, 0x7E, 0x09, 0xF7,  // two bytes
      0x01, 0xF0, 0x01, 0xF7,  // none
      0x01, 0xF0, 0x02, 0x11, 0xF7,  // one
    ]).timeline(sampleRate: 48_000)
    #expect(timeline.sysEx == [0x7E, 0x09, 0x11])
    let ranges = timeline.events.map { event -> [UInt8] in
      guard case .sysEx(let range) = event.message else { return [0xFF] }
      return Array(timeline.bytes(of: range))
    }
    #expect(ranges == [[0x7E, 0x09], [], [0x11]])
    #expect(timeline.events.map(\.frame) == [0, 50, 100])
  }

  @Test func `sends the messages inside an escape`() throws {
    let timeline = try file([
      0x01, 0xF7, 0x08, 0x90, 0x3C, 0x40, 0xF8, 0xF0, 0x7E, 0x01, 0xF7,
    ]).timeline(sampleRate: 48_000)
    #expect(channelMessages(timeline) == [[50, 0, 0x90, 60]])
    #expect(timeline.events.count == 2)
    #expect(timeline.sysEx == [0x7E, 0x01])
    #expect(timeline.noteCount == 1)
  }

  @Test func `keeps texts with their frames and tracks`() throws {
    let timeline = try decode(
      header(1, tracks: 2) + chunk([0x00, 0xFF, 0x02, 0x01, 0x43] + end)
        + chunk(
          [0x00, 0xFF, 0x03, 0x02, 0x41, 0x42] + [0x01, 0xFF, 0x05, 0x02, 0x6C, 0x61]
            + [0x01, 0xFF, 0x06, 0x01, 0x4D] + [0x01, 0xFF, 0x03, 0x01, 0x5A] + end))
    #expect(
      timeline.texts == [
        .init(frame: 0, track: 0, kind: .copyright, text: "C"),
        .init(frame: 0, track: 1, kind: .trackName, text: "AB"),
        .init(frame: 50, track: 1, kind: .lyric, text: "la"),
        .init(frame: 100, track: 1, kind: .marker, text: "M"),
        .init(frame: 150, track: 1, kind: .trackName, text: "Z"),
      ])
    #expect(timeline.tracks.map(\.name) == [nil, "AB"])
  }

  @Test func `counts notes and channels of each track`() throws {
    let timeline = try decode(
      header(1, tracks: 3) + chunk(note(60) + note(62) + end)
        + chunk([0x00, 0x9F, 0x3C, 0x64, 0x01, 0x3C, 0x00, 0x00, 0xB1, 0x07, 0x64] + end)
        + chunk(end))
    #expect(timeline.tracks.map(\.noteCount) == [2, 1, 0])
    #expect(timeline.tracks.map(\.channels) == [1, 1 << 15 | 1 << 1, 0])
    #expect(timeline.noteCount == 3)
  }

  @Test func `ends with the last end of track, even without an event there`() throws {
    let timeline = try decode(header(0) + chunk([0x83, 0x60, 0xFF, 0x2F, 0x00]))
    #expect(timeline.endFrame == 24_000)
    #expect(timeline.lastEventFrame == nil)
    #expect(timeline.events.isEmpty)
  }

  @Test func `ignores an invalid tempo and an invalid signature`() throws {
    let timeline = try file(
      [0x00, 0xFF, 0x51, 0x03, 0, 0, 0] + [0x00, 0xFF, 0x58, 0x04, 0, 2, 24, 8] + note(60)
    ).timeline(sampleRate: 48_000)
    #expect(timeline.endFrame == 4_800)
    #expect(timeline.barLine(atOrAfter: 1) == 96_000)
  }
}
