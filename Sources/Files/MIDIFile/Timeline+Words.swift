/// A word or name of a song at its frame.
public struct SongText: Equatable, Sendable {
  public var frame: Int64
  /// The index of the track.
  public let track: Int
  public let kind: Kind
  /// Without the characters that stand for breaks.
  public let text: String
  /// What precedes a syllable.
  public let lineBreak: LineBreak?

  public enum Kind: String, Sendable {
    case text, copyright, trackName, instrumentName, lyric, marker, cuePoint, programName
    /// The first title of a karaoke file, which is that of the song, and the others, such as its author.
    case title, credit
    /// The language, and other information, of a karaoke file.
    case language, information
  }

  public enum LineBreak: String, Sendable {
    case line, paragraph
  }
}

/// A key signature of a song.
public struct SongKey: Equatable, Sendable {
  public var frame: Int64
  /// The number of sharps if positive, of flats if negative: −7…7.
  public let sharps: Int
  public let isMinor: Bool

  func isSame(as other: SongKey) -> Bool { sharps == other.sharps && isMinor == other.isMinor }
}

extension Timeline {
  /// The words and names of the song: lyrics, markers, names and texts, in ascending order of frames.
  ///
  /// In a karaoke file, texts (FF 01) of the tracks with `@` lines, or of the track after them, are lyrics: `\` begins a
  /// paragraph and `/` a line. In lyrics (FF 05), a carriage return ends a line and a line feed a paragraph. If a
  /// file has both, the kind with more syllables is taken, and the other one is text.
  ///
  /// Source: the conventions of Tune 1000's Soft Karaoke; RP-017 for the breaks of FF 05.
  public var words: [SongText] {
    let karaoke = karaokeTracks
    let lyrics = texts.count { $0.kind == .lyric }
    let syllables = texts.count {
      $0.kind == .text && karaoke.contains($0.track) && !$0.text.hasPrefix("@")
    }
    let takesTexts = !karaoke.isEmpty && syllables >= lyrics
    var hasTitle = false
    var pending: SongText.LineBreak?
    return texts.compactMap { text in
      var content = text.text
      let kind: SongText.Kind
      var lineBreak: SongText.LineBreak?
      switch text.kind {
      case .text where content.hasPrefix("@") && !karaoke.isEmpty:
        let letter = content.dropFirst().first
        content = String(content.dropFirst(2))
        switch letter {
        case "T":
          kind = hasTitle ? .credit : .title
          hasTitle = true
        case "L": kind = .language
        default: kind = .information
        }
      case .text where takesTexts && karaoke.contains(text.track):
        kind = .lyric
        if content.hasPrefix("\\") { lineBreak = .paragraph }
        if content.hasPrefix("/") { lineBreak = .line }
        if lineBreak != nil { content.removeFirst() }
      case .lyric where !takesTexts:
        kind = .lyric
        lineBreak = Self.lineBreak(content.first) ?? pending
        pending = Self.lineBreak(content.last)
        content = content.filter { !$0.isNewline }
        if content.isEmpty {
          pending = pending ?? lineBreak
          return nil
        }
      case .text, .lyric: kind = .text
      case .copyright: kind = .copyright
      case .trackName: kind = .trackName
      case .instrumentName: kind = .instrumentName
      case .marker: kind = .marker
      case .cuePoint: kind = .cuePoint
      case .programName: kind = .programName
      // Names of ports.
      case .deviceName: return nil
      }
      return SongText(
        frame: text.frame, track: Int(text.track), kind: kind, text: content, lineBreak: lineBreak)
    }
  }

  private static func lineBreak(_ character: Character?) -> SongText.LineBreak? {
    switch character {
    case "\n": .paragraph
    case "\r", "\r\n": .line
    default: nil
    }
  }

  /// The tracks whose texts are syllables: those named "Words" or with a language or title, and if none of these has
  /// others, the next track with text.
  private var karaokeTracks: Set<Int32> {
    let marked = Set(texts.lazy.filter { $0.kind == .text && $0.text.hasPrefix("@") }.map(\.track))
    if marked.isEmpty { return [] }
    let words = Set(
      texts.lazy.filter { $0.kind == .trackName && $0.text.lowercased() == "words" }.map(\.track))
    if !words.isEmpty { return words }
    let own = texts.filter {
      $0.kind == .text && marked.contains($0.track) && !$0.text.hasPrefix("@")
    }
    if own.count > 8 { return marked }
    let others = Set(
      texts.lazy.filter { $0.kind == .text && !marked.contains($0.track) }.map(\.track))
    return others.min().map { [$0] } ?? marked
  }
}
