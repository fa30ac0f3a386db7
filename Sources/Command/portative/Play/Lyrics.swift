package import MIDIFile

/// The words of a song, in lines, with the frame of each syllable. ``Timeline/words`` finds them.
package struct Lyrics: Equatable, Sendable {
  private var lines: [Line] = []

  private struct Line: Equatable {
    var syllables: [Syllable] = []
    var text: String { syllables.map(\.text).joined() }
  }

  private struct Syllable: Equatable {
    var frame: Int64
    var text: String
  }

  /// A pause in seconds after which a line begins.
  private static let pause = 4.0
  /// The number of characters after which a line begins with the next word.
  private static let length = 60

  package init(_ song: Timeline) {
    let pause = Int64(Self.pause * Double(song.sampleRate))
    var (line, last) = (Line(), Int64(0))
    for word in song.words where word.kind == .lyric {
      let isLong = line.text.count >= Self.length && line.text.last?.isWhitespace == true
      if word.lineBreak != nil || word.frame - last > pause || isLong { end(&line) }
      last = word.frame
      line.syllables.append(Syllable(frame: word.frame, text: word.text))
    }
    end(&line)
  }

  package var isEmpty: Bool { lines.isEmpty }

  private mutating func end(_ line: inout Line) {
    if line.text.contains(where: { !$0.isWhitespace }) { lines.append(line) }
    line = Line()
  }

  /// Returns the line at a frame: what has been sung of it, and the rest. A line is shown before it begins, when the one
  /// before is over.
  package func line(at frame: Int64) -> (sung: String, rest: String) {
    let index = lines.firstIndex { $0.syllables.last.map { $0.frame > frame } ?? false }
    guard let line = index.map({ lines[$0] }) ?? lines.last else { return ("", "") }
    let sung = line.syllables.prefix { $0.frame <= frame }
    return (
      sung.map(\.text).joined(), line.syllables.dropFirst(sung.count).map(\.text).joined()
    )
  }
}
