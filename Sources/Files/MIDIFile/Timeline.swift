public import RenderCore

/// The messages of a file with their frames, for rendering.
///
/// An event's frame is the one nearest to its tick's exact time, calculated in integers from the start, so that no
/// drift occurs. A time halfway between two frames is rounded to the later one. Events are sorted by tick, then by
/// track, then in file order, except for those in ``repairs``. Frame 0 is tick 0. The sequences of a format 2 file follow one another, each from the
/// end of the previous one, with its own tempo and time signatures, on one common count of ticks.
///
/// Realtime: `events` and `sysEx` can be read through `withUnsafeBufferPointer`; the computed members are not
/// realtime-safe.
public struct Timeline: Equatable, Sendable {
  /// Frames per second, 8 000…192 000.
  public let sampleRate: Int
  /// The events in ascending order of frames.
  public package(set) var events: [Event] = []
  /// The concatenated bytes of all SysEx messages, without F0 and F7.
  public internal(set) var sysEx: [UInt8] = []
  /// The texts of the file, in ascending order of frames.
  public internal(set) var texts: [Text] = []
  /// The key signatures of the file, each where it changes.
  public package(set) var keys: [SongKey] = []
  /// The tracks of the file, in its order.
  public package(set) var tracks: [Track] = []
  /// The ports of the file, each with sixteen channels of its own. At least one.
  public internal(set) var ports: [Port] = [Port()]
  /// The events that were moved within their tick, because they stood after a note that it must precede: note-offs of earlier notes, and
  /// settings in other tracks. At most one entry of each kind, with the first place.
  public internal(set) var repairs: [Repair] = []
  /// The events that ask for more than text but are neither sent to an instrument nor part of the timeline, by kind.
  package internal(set) var ignored: [Ignored] = []
  /// The numbers in the file of the notes that are played, if some are not; `nil`: all are.
  package var writtenNotes: [Int32]?
  /// The end of the last track, at or after the last event.
  public package(set) var endFrame: Int64 = 0
  /// The exact length in seconds: the time of `endFrame` before rounding.
  public internal(set) var seconds: Double = 0

  var tempoMap: TempoMap
  var barLines: BarLines?

  /// A message with its frame. Its size is 24 bytes.
  public struct Event: Equatable, Sendable, BitwiseCopyable {
    /// The frame from the start of the timeline, 0 or more.
    public let frame: Int64
    /// The index of the track in ``Timeline/tracks``.
    public let track: Int32
    public let message: Message
    /// The index of the port in ``Timeline/ports``.
    public let port: UInt8

    public init(frame: Int64, track: Int32, port: UInt8 = 0, _ message: Message) {
      self.frame = frame
      self.track = track
      self.port = port
      self.message = message
    }
  }

  /// A port, as the file names it; the file need not name a port that is the only one.
  public struct Port: Hashable, Sendable {
    /// The number (FF 21).
    public var number: Int?
    /// The name of the device (FF 09), if no number names the port.
    public var name: String?

    public init(number: Int? = nil, name: String? = nil) {
      (self.number, self.name) = (number, name)
    }
  }

  public enum Message: Equatable, Sendable, BitwiseCopyable {
    case channel(ChannelMessage)
    /// A SysEx message in ``Timeline/sysEx``.
    case sysEx(SysExRange)
  }

  /// The range of a SysEx message in ``Timeline/sysEx``.
  public struct SysExRange: Equatable, Sendable, BitwiseCopyable {
    public let start: UInt32
    public let count: UInt32

    public var indices: Range<Int> { Int(start)..<Int(start) + Int(count) }
  }

  /// A text of the file, such as a syllable, a marker or a name.
  public struct Text: Equatable, Sendable {
    public let frame: Int64
    /// The index of the track in ``Timeline/tracks``.
    public let track: Int32
    public let kind: TextKind
    public let text: String
  }

  /// Events of one kind without effect, and the place of the first.
  package struct Ignored: Equatable, Sendable {
    package let kind: Kind
    package internal(set) var count: Int
    package let frame: Int64
    package let track: Int32

    package enum Kind: Hashable, Sendable {
      /// A meta event.
      case meta(UInt8)
      /// A tempo in a file whose ticks are fractions of time code.
      case tempo
      /// An escape without a message for an instrument.
      case escape
      /// A port without notes.
      case port(Port)
    }
  }

  /// Properties of a track.
  public struct Track: Equatable, Sendable {
    /// The first track name.
    public internal(set) var name: String?
    /// Note-ons with a velocity above 0.
    public package(set) var noteCount = 0
    /// A bit for every channel with a message in this track: bit 0 is channel 0.
    public internal(set) var channels: UInt16 = 0
    /// The end of the track.
    public internal(set) var endFrame: Int64 = 0
  }

  /// Note-ons with a velocity above 0, in all tracks.
  public var noteCount: Int { tracks.reduce(0) { $0 + $1.noteCount } }

  /// The frame of the last event; `nil` if there is none.
  public var lastEventFrame: Int64? { events.last?.frame }

  /// The greatest frame of an event: over a thousand years at any rate, and exact as a `Double`.
  public static let maximumFrame: Int64 = 1 << 53
}

extension Timeline {
  /// Returns the bytes of a SysEx message, without F0 and F7.
  public func bytes(of range: SysExRange) -> ArraySlice<UInt8> { sysEx[range.indices] }

  /// Returns the frame nearest to a tick's exact time, the later of two equally near.
  ///
  /// - Parameter tick: 0 or more, counted through all sequences in format 2. After the end, the last
  ///   tempo continues. The result is clamped to the range of its type.
  public func frame(ofTick tick: Int64) -> Int64 {
    precondition(tick >= 0, "a tick is 0 or more")
    return tempoMap.frame(ofTick: tick)
  }

  /// Returns the first tick whose frame is `frame` or later.
  ///
  /// - Parameter frame: 0…``maximumFrame``.
  public func tick(atOrAfter frame: Int64) -> Int64 {
    precondition(0...Self.maximumFrame ~= frame, "a frame is in 0…2⁵³")
    return Int64(clamping: tempoMap.position(atOrAfter: frame, scale: 1))
  }

  /// Returns the place of a frame in another version of the song, with another tempo: the events before it are the same, and
  /// it is moved by less than a tick.
  package func frame(_ frame: Int64, in other: Timeline) -> Int64 {
    if tempoMap == other.tempoMap { return frame }
    guard 0...Self.maximumFrame ~= frame else {
      return other.beatMap.frame(ofBeat: beatMap.beat(at: frame))
    }
    return other.frame(ofTick: tick(atOrAfter: frame))
  }

  /// Returns the frame of the first bar line at or after `frame`.
  ///
  /// Bars continue after the end of the file. A time signature starts a bar at its own tick; 4/4 applies before the
  /// first one. In format 2, each sequence starts a bar.
  ///
  /// - Parameter frame: 0…``maximumFrame``.
  /// - Returns: `nil` if ticks are fractions of time code, because there are no beats then.
  public func barLine(atOrAfter frame: Int64) -> Int64? {
    precondition(0...Self.maximumFrame ~= frame, "a frame is in 0…2⁵³")
    return barLines?.barLine(atOrAfter: frame, tempoMap)
  }
}

/// A beat of a song: a note of the denominator of the time signature.
public struct SongBeat: Equatable, Sendable {
  public var frame: Int64
  /// The number of the bar, from 1.
  public let bar: Int
  /// The number of the beat in its bar, from 1.
  public let beat: Int
  /// The time signature.
  public let numerator: Int
  public let denominator: Int
}

/// A tempo of a song, and the frame from which it applies.
public struct SongTempo: Equatable, Sendable {
  public var frame: Int64
  public let microsecondsPerQuarter: Int
}

extension Timeline {
  /// The greatest number of beats that are listed.
  public static let maximumBeats = 1 << 20

  /// Returns the beats before a frame; empty if ticks are fractions of time code. A time signature starts a bar. After
  /// ``maximumBeats``, beats are left out.
  public func beats(before end: Int64) -> [SongBeat] {
    guard let barLines else { return [] }
    var beats: [SongBeat] = []
    let segments = barLines.segments
    for (index, segment) in segments.enumerated() {
      let scale = barLines.scale(of: segment.signature)
      let length = 4 * UInt128(barLines.ticksPerQuarter)
      let border =
        index + 1 < segments.count ? UInt128(segments[index + 1].tick) * scale : UInt128.max
      var position = UInt128(segment.tick) * scale
      let (numerator, power) = (
        Int(segment.signature.numerator), segment.signature.denominatorPower
      )
      var count = 0
      while position < border, beats.count < Self.maximumBeats {
        let frame = tempoMap.frame(ofPosition: position, scale: scale)
        if frame >= end { break }
        beats.append(
          SongBeat(
            frame: frame, bar: Int(segment.bars) + count / numerator + 1,
            beat: count % numerator + 1, numerator: numerator, denominator: 1 << Int(power)))
        count += 1
        position += length
      }
    }
    return beats
  }

  /// The tempos of the song in ascending order; empty if ticks are fractions of time code.
  public var tempos: [SongTempo] {
    if barLines == nil { return [] }
    return tempoMap.segments.map {
      SongTempo(
        frame: tempoMap.frame(ofTick: $0.tick),
        microsecondsPerQuarter: Int(tempoMap.microsecondsPerQuarter($0).rounded()))
    }
  }
}

extension Timeline.Ignored.Kind: CustomStringConvertible {
  package var isPort: Bool {
    if case .port = self { true } else { false }
  }

  package var description: String {
    switch self {
    case .meta(0x00): "FF 00 sequence number"
    case .meta(0x20): "FF 20 channel prefix"
    case .meta(0x54): "FF 54 SMPTE offset"
    case .meta(0x7F): "FF 7F for one sequencer"
    case .meta(let type):
      "FF \(type < 16 ? "0" : "")\(String(type, radix: 16, uppercase: true))"
    case .tempo: "FF 51 tempo, in a file with time code"
    case .escape: "system message"
    case .port(let port): "\(port) without notes"
    }
  }
}

extension Timeline.Port: CustomStringConvertible {
  /// As in `port 2` with the number in the file, or `port "Synth B"`.
  public var description: String {
    if let number { return "port \(number)" }
    return name.map { "port \"\($0)\"" } ?? "port"
  }
}

/// A word or name of a song at its frame.
public struct SongText: Equatable, Sendable {
  public var frame: Int64
  /// The index of the track.
  public let track: Int
  public let kind: Kind
  /// Without the characters that stand for breaks.
  public let text: String
  /// The break before a syllable.
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

  package init(frame: Int64, sharps: Int, isMinor: Bool) {
    self.frame = frame
    self.sharps = sharps
    self.isMinor = isMinor
  }

  func isSame(as other: SongKey) -> Bool { sharps == other.sharps && isMinor == other.isMinor }

  /// The key some semitones higher, with at most six accidentals unless it stays the same.
  package func transposed(by semitones: Int) -> SongKey {
    if semitones % 12 == 0 { return self }
    // A semitone is seven fifths.
    let fifths = ((sharps + 7 * semitones) % 12 + 12) % 12
    return SongKey(frame: frame, sharps: fifths > 6 ? fifths - 12 : fifths, isMinor: isMinor)
  }
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
