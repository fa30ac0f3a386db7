import RenderCore

/// The part of a song that its file marks for repetition.
///
/// These conventions are read, the first that a file has: markers or texts `loopStart` and `loopEnd`, in any case
/// (Final Fantasy VII); controllers 110 and 111 (LeapFrog); controller 111 as the start (RPG Maker); 118 and 119, or 116
/// and 117 (EMIDI, XMI); controllers 2 and 4 with value 0 (Touhou). Without an end, the song's end is it. Several
/// different ends, or an end that is not after the start, are no loop.
public struct LoopPoints: Equatable, Sendable {
  /// Ticks; the end is not played.
  public let start: Int64
  public let end: Int64
  /// The convention, such as `loopStart` or `CC 111`.
  public let convention: String
  /// Whether channels return to their settings at the start. With controllers, the song only jumps.
  let restoresSettings: Bool
}

extension StandardMIDIFile {
  /// The loop that the file marks; `nil` if it marks none, or has independent sequences.
  public var loopPoints: LoopPoints? {
    if format == .sequential { return nil }
    var marks: [Mark: [Int64]] = [:]
    for track in tracks {
      for event in track.events {
        if let mark = Mark(event.content) { marks[mark, default: []].append(event.tick) }
      }
    }
    let length = tracks.reduce(0) { max($0, $1.endTick) }
    func points(_ start: Mark, _ end: Mark?, _ convention: String) -> LoopPoints? {
      guard let first = marks[start]?.min() else { return nil }
      let ends = Set(end.flatMap { marks[$0] } ?? [length])
      guard ends.count == 1, let last = ends.first, last > first else { return nil }
      return LoopPoints(
        start: first, end: last, convention: convention, restoresSettings: start == .startText)
    }
    if marks[.startText] != nil {
      return points(.startText, marks[.endText] == nil ? nil : .endText, "loopStart")
    }
    if marks[.control(110)] != nil { return points(.control(110), .control(111), "CC 110") }
    if marks[.control(111)] != nil { return points(.control(111), nil, "CC 111") }
    for start in [UInt8(118), 116] where marks[.control(start)] != nil {
      return points(.control(start), .control(start + 1), "CC \(start)")
    }
    if marks[.control(2)] != nil, marks[.control(4)]?.count == 1 {
      return points(.control(2), .control(4), "CC 2")
    }
    return nil
  }

  private enum Mark: Hashable {
    case startText, endText
    case control(UInt8)

    init?(_ content: Content) {
      switch content {
      case .meta(let meta):
        guard [.text, .marker, .cuePoint].contains(meta.textKind), let text = meta.text else {
          return nil
        }
        switch text.lowercased().filter({ !$0.isWhitespace }) {
        case "loopstart": self = .startText
        case "loopend": self = .endText
        default: return nil
        }
      case .channel(let message) where message.kind == .controlChange:
        switch message.data1 {
        case 110, 111, 116...119: self = .control(message.data1)
        case 2, 4: if message.data2 == 0 { self = .control(message.data1) } else { return nil }
        default: return nil
        }
      case .channel, .sysEx, .escape: return nil
      }
    }
  }

  /// Returns the song with its loop played several times, and then its rest.
  ///
  /// At each jump, keys that are down are released; tempo and time signature are those of the start, and with markers
  /// also programs and controllers.
  ///
  /// - Parameter count: How often the loop is played: 1 or more.
  package func playing(_ loop: LoopPoints, times count: Int) -> StandardMIDIFile {
    let length = loop.end - loop.start
    let tracks = tracks.map { track -> Track in
      let head = track.events.prefix { $0.tick < loop.end }
      let body = head.drop { $0.tick < loop.start }
      let jump = Jump(head, body, restoresSettings: loop.restoresSettings)
      var events = Array(head)
      for turn in 1..<max(count, 1) {
        let tick = loop.start + Int64(turn) * length
        events += jump.contents.map { Event(tick: tick, $0) }
        events += body.map { Event(tick: $0.tick + Int64(turn) * length, $0.content) }
      }
      let added = Int64(count - 1) * length
      events += track.events.dropFirst(head.count).map { Event(tick: $0.tick + added, $0.content) }
      let end = track.endTick < loop.start ? track.endTick : max(track.endTick, loop.end) + added
      return Track(unchecked: events, endTick: max(end, events.last?.tick ?? 0))
    }
    var repeated = StandardMIDIFile(
      format: format, division: division, tracks: tracks, repairs: RepairLog())
    repeated.embeddedSoundFont = embeddedSoundFont
    return repeated
  }
}

/// The end of a track's loop.
private struct Jump {
  /// The releases of keys that are down, and the settings of the start that differ.
  private(set) var contents: [StandardMIDIFile.Content] = []

  init(
    _ head: ArraySlice<StandardMIDIFile.Event>, _ body: ArraySlice<StandardMIDIFile.Event>,
    restoresSettings: Bool
  ) {
    var held = HeldNotes()
    var (start, end) = (Settings(), Settings())
    for (index, event) in zip(head.indices, head) {
      if case .channel(let message) = event.content { held.follow(message) }
      if index < body.startIndex { start.follow(event.content) }
      end.follow(event.content)
    }
    while let message = held.popRelease() { contents.append(.channel(message)) }
    for (kind, content) in start.last.sorted(by: { $0.key < $1.key })
    where end.last[kind] != content && (restoresSettings || kind < 0) {
      contents.append(content)
    }
    // A tempo that the loop sets is not known before it: the initial one returns.
    if start.last[Settings.tempo] == nil, end.last[Settings.tempo] != nil {
      contents.append(.meta(.tempo(TempoMap.defaultTempo)))
    }
  }

  /// The last settings of a track, by kind.
  private struct Settings {
    static let tempo = -2
    private(set) var last: [Int: StandardMIDIFile.Content] = [:]

    mutating func follow(_ content: StandardMIDIFile.Content) {
      switch content {
      case .meta(let meta) where meta.tempo != nil: last[Self.tempo] = content
      case .meta(let meta) where meta.timeSignature != nil: last[-1] = content
      case .channel(let message):
        switch message.kind {
        // Bank select precedes the program, by its number; parameters, and messages that end notes, are not repeated.
        case .controlChange where message.data1 < 120 && !Self.isParameter(message.data1):
          last[Int(message.channel) << 8 | Int(message.data1)] = content
        case .programChange: last[Int(message.channel) << 8 | 128] = content
        case .channelPressure: last[Int(message.channel) << 8 | 129] = content
        case .pitchBend: last[Int(message.channel) << 8 | 130] = content
        default: break
        }
      case .sysEx, .escape, .meta: break
      }
    }

    private static func isParameter(_ controller: UInt8) -> Bool {
      controller == 6 || controller == 38 || 96...101 ~= controller
    }
  }
}
