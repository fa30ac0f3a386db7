import MIDIFile
import RenderCore
import TestSupport
import Testing
import portative

private func lyrics(_ texts: [(tick: Int64, text: String)], _ kind: TextKind) throws -> Lyrics {
  let song = StandardMIDIFile(
    format: .singleTrack, division: .ticksPerQuarter(480),
    tracks: [.init(texts.map { .init(tick: $0.tick, .meta(.text($0.text, kind))) })])
  return Lyrics(try song.timeline(sampleRate: 48_000))
}

/// The frame of a tick at 120 quarter notes per minute.
private func frame(_ tick: Int64) -> Int64 { tick * 50 }

@Suite(.timeLimit(.minutes(1))) struct LyricsTests {
  @Test func `karaoke texts are lines, and the next line is shown when one is over`() throws {
    let song = try lyrics(
      [
        (0, "@TTwinkle"), (0, "\\Twin"), (480, "kle "), (960, "star"), (1440, "/How I "),
        (1920, "wonder"),
      ], .text)
    #expect(song.line(at: -1) == ("", "Twinkle star"))
    #expect(song.line(at: frame(480)) == ("Twinkle ", "star"))
    // The last syllable is the end of the line.
    #expect(song.line(at: frame(960)) == ("", "How I wonder"))
    #expect(song.line(at: frame(1_000_000)) == ("How I wonder", ""))
  }

  @Test func `lyric events end lines with line breaks, and after long pauses`() throws {
    let song = try lyrics(
      [(0, "one "), (480, "two\r"), (960, "three"), (5280, "four")], .lyric)
    #expect(song.line(at: frame(0)) == ("one ", "two"))
    #expect(song.line(at: frame(480)) == ("", "three"))
    #expect(song.line(at: frame(960)) == ("", "four"))
  }

  @Test func `long lines end at a word`() throws {
    let words = (0..<40).map { (tick: Int64($0) * 100, text: "word ") }
    let line = try lyrics(words, .lyric).line(at: -1)
    #expect(line.rest.count == 60)
  }

  @Test func `other texts are no lyrics`() throws {
    #expect(try lyrics([(0, "Copied by me")], .text).isEmpty)
    #expect(try lyrics([], .lyric).isEmpty)
    #expect(try lyrics([(0, "@L"), (0, "\\"), (10, " ")], .text).isEmpty)
  }
}
