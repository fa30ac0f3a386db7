import RenderCore

/// The ports of a file, each with sixteen channels of its own, and the port of each track.
///
/// A port is a number (FF 21) or, in a track without one, a device name (FF 09). The first of a track applies from its
/// start, later ones from their place. Only ports with notes count. They are numbered from 0: first the numbers in
/// ascending order, then the names in their order in the file. A track without such a port has that of the next track
/// that has one, or else of the last.
///
/// Source: FF 21 as Cakewalk introduced it; RP-019 for FF 09.
struct SongPorts {
  enum Name: Hashable {
    case number(UInt8)
    case device(String)
  }

  let list: [Timeline.Port]
  /// For each track, the index of its first port.
  let first: [UInt8]
  private let encoding: TextEncoding
  private let indices: [Name: UInt8]
  /// For each track, whether a number names its port.
  private let hasNumber: [Bool]

  static let maximumCount = 256

  /// - Throws: ``TimelineError/tooManyPorts(_:)``.
  init(_ tracks: [StandardMIDIFile.Track], _ encoding: TextEncoding) throws(TimelineError) {
    self.encoding = encoding
    hasNumber = tracks.map { $0.events.contains { $0.content.portNumber != nil } }
    var (noted, names) = (Set<Name>(), [Name]())
    var ports: [[Name]] = []
    for (track, hasNumber) in zip(tracks, hasNumber) {
      let named = track.events.lazy.compactMap {
        Self.name($0.content, hasNumber: hasNumber, encoding)
      }
      var present = named.first
      ports.append(Array(named))
      if present == nil { continue }
      for event in track.events {
        if let name = Self.name(event.content, hasNumber: hasNumber, encoding) { present = name }
        if event.content.startsNote, let present, noted.insert(present).inserted {
          names.append(present)
        }
      }
    }
    guard names.count <= Self.maximumCount else { throw .tooManyPorts(names.count) }
    names = names.enumerated()
      .sorted { ($0.element.number, $0.offset) < ($1.element.number, $1.offset) }.map(\.element)
    let numbered = Dictionary(
      uniqueKeysWithValues: names.enumerated().map { ($0.element, UInt8($0.offset)) })
    indices = numbered
    list = names.isEmpty ? [Timeline.Port()] : names.map(Timeline.Port.init)
    let own = ports.map { $0.lazy.compactMap { numbered[$0] }.first }
    var next = own.last { $0 != nil } ?? nil
    var first: [UInt8] = []
    for port in own.reversed() {
      next = port ?? next
      first.append(next ?? 0)
    }
    self.first = first.reversed()
  }

  /// Returns the port that an event of a track selects; `nil` if it selects none.
  func port(_ meta: MetaEvent, track: Int) -> UInt8? {
    if indices.count < 2 { return nil }
    return Self.name(.meta(meta), hasNumber: hasNumber[track], encoding).flatMap { indices[$0] }
  }

  /// Returns the port without notes that an event of a track names; `nil` if it names none.
  func unused(_ meta: MetaEvent, track: Int) -> Timeline.Port? {
    guard let name = Self.name(.meta(meta), hasNumber: hasNumber[track], encoding),
      indices[name] == nil
    else {
      return nil
    }
    return Timeline.Port(name)
  }

  private static func name(
    _ content: StandardMIDIFile.Content, hasNumber: Bool, _ encoding: TextEncoding
  ) -> Name? {
    if hasNumber { return content.portNumber.map(Name.number) }
    guard case .meta(let meta) = content, meta.textKind == .deviceName,
      let text = meta.text(in: encoding),
      !text.allSatisfy(\.isWhitespace)
    else { return nil }
    return .device(text)
  }
}

extension StandardMIDIFile {
  /// Returns the ports of the file, each with sixteen channels of its own: at least one.
  ///
  /// - Throws: ``TimelineError/tooManyPorts(_:)``.
  package func ports() throws(TimelineError) -> [Timeline.Port] {
    try SongPorts(tracks, TextEncoding(of: tracks)).list
  }
}

extension SongPorts.Name {
  /// The number; for a name more than any number.
  fileprivate var number: Int {
    if case .number(let number) = self { Int(number) } else { 256 }
  }
}

extension Timeline.Port {
  fileprivate init(_ name: SongPorts.Name) {
    switch name {
    case .number(let number): self.init(number: Int(number))
    case .device(let name): self.init(name: name)
    }
  }
}

extension StandardMIDIFile.Content {
  fileprivate var portNumber: UInt8? {
    if case .meta(let meta) = self { meta.port } else { nil }
  }

  fileprivate var startsNote: Bool {
    switch self {
    case .channel(let message): return message.startsNote
    case .escape(let bytes):
      var stream = EscapedStream(bytes)
      while let message = stream.next() {
        if case .channel(let message) = message, message.startsNote { return true }
      }
      return false
    case .sysEx, .meta: return false
    }
  }
}
