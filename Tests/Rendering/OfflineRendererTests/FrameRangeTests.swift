import MIDIFile
import Testing

@testable import OfflineRenderer

private func range(
  _ music: StandardMIDIFile = phrase, _ change: (inout RenderSettings) -> Void
) throws(RenderError) -> FrameRange {
  var settings = RenderSettings()
  change(&settings)
  return try FrameRange(music, settings)
}

@Test func `a whole song and its tail`() throws {
  let silence = try range { _ in }
  #expect(silence.start == 0 && silence.end == 30_000 && silence.endsWithSong)
  #expect(silence.limit == 30_000 + 30 * 48_000 && silence.endsInSilence)
  #expect(try range { $0.maximumTail = 0.5 }.limit == 54_000)
  #expect(try range { $0.tail = .exact }.limit == 30_000)
  #expect(try range { $0.tail = .seconds(0.1) }.limit == 34_800)
  #expect(try !range { $0.tail = .seconds(0.1) }.endsInSilence)
}

@Test func `a bar line is searched from the end up to the longest tail`() throws {
  // A bar has four quarter notes of 24 000 frames.
  #expect(try range { $0.tail = .bar }.limit == 96_000)
  #expect(try range(song([], end: 96_000)) { $0.tail = .bar }.limit == 96_000)
  #expect(try range(song([], end: 96_001)) { $0.tail = .bar }.limit == 192_000)
  let cut = try range {
    $0.tail = .bar
    $0.maximumTail = 1
  }
  #expect(cut.limit == 78_000)
}

@Test func `a part of a song, to the nearest frame`() throws {
  let part = try range {
    $0.start = 0.1
    $0.end = 0.2000104
    $0.tail = .exact
  }
  #expect(part.start == 4800 && part.end == 9600 && part.limit == 9600)
  #expect(!part.endsWithSong)
  let long = try range { $0.end = 1e300 }
  #expect(long.end == 30_000 && long.endsWithSong)
}

@Test func `a part beyond the song is refused, and an empty song is not`() throws {
  for start in [0.625, 1, 1e300] {
    let error = #expect(throws: RenderError.self) { try range { $0.start = .seconds(start) } }
    guard case .emptyRange(start, _, 0.625) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }
  #expect(try range(song([])) { _ in }.end == 0)
}
