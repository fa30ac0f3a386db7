import RenderCore

/// The ports of a file, each with sixteen channels of its own, and the port of each track.
///
/// A port is a number (FF 21) or, in a track without one, a device name (FF 09). The first of a track applies from its
/// start, later ones from their place, and a number to the tracks after it that have neither, as in the songs that Yamaha
/// made for its modules. Tracks before them have port 0. Only ports with notes count. They are numbered from 0: first the
/// numbers in ascending order, then the names in their order in the file. What is sent to another port goes to the first.
///
/// A song with several ports is for a module with several inputs, or for several modules. A reset is also for the ports
/// that have none of their own, and no notes before it.
///
/// Source: FF 21 as Cakewalk introduced it; RP-019 for FF 09.
struct SongPorts {
  fileprivate enum Name: Hashable {
    case number(UInt8)
    case device(String)

    /// The number; for a name more than any number.
    var order: Int {
      if case .number(let number) = self { Int(number) } else { 256 }
    }
  }

  let list: [Timeline.Port]
  /// For each track, the index of its first port.
  let first: [UInt8]
  /// The ports that no reset is sent to, if they are not all.
  let withoutReset: Set<UInt8>
  private let encoding: TextEncoding
  private let indices: [Name: UInt8]
  /// For each track, whether a number names its port.
  private let hasNumber: [Bool]

  static let maximumCount = 256

  /// - Throws: ``TimelineError/tooManyPorts(_:)``.
  init(_ tracks: [StandardMIDIFile.Track], _ encoding: TextEncoding) throws(TimelineError) {
    self.encoding = encoding
    hasNumber = tracks.map { $0.events.contains { $0.content.portNumber != nil } }
    var (noted, names, reset) = (Set<Name>(), [Name](), Set<Name>())
    var starts: [Name] = []
    var number: UInt8 = 0
    for (track, hasNumber) in zip(tracks, hasNumber) {
      let named = track.events.lazy.compactMap {
        Self.name($0.content, hasNumber: hasNumber, encoding)
      }
      var present = named.first ?? .number(number)
      starts.append(present)
      var isNoted = false
      for event in track.events {
        if let name = Self.name(event.content, hasNumber: hasNumber, encoding) {
          (present, isNoted) = (name, false)
        }
        if !isNoted, event.content.startsNote {
          isNoted = true
          if noted.insert(present).inserted { names.append(present) }
        }
        if event.content.resets { reset.insert(present) }
      }
      if case .number(let last) = present { number = last }
    }
    guard names.count <= Self.maximumCount else { throw .tooManyPorts(names.count) }
    names = names.enumerated()
      .sorted { ($0.element.order, $0.offset) < ($1.element.order, $1.offset) }.map(\.element)
    let numbered = Dictionary(
      uniqueKeysWithValues: names.enumerated().map { ($0.element, UInt8($0.offset)) })
    indices = numbered
    first = starts.map { numbered[$0] ?? 0 }
    let missing = names.filter { !reset.contains($0) }
    withoutReset = reset.isEmpty ? [] : Set(missing.compactMap { numbered[$0] })
    // A file without names of ports has one, which needs none.
    let isNamed = names.count > 1 || hasNumber.contains(true)
    list =
      names.isEmpty || names == [.number(0)] && !isNamed
      ? [Timeline.Port()] : names.map(Timeline.Port.init)
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

  /// Whether this is a SysEx message that resets a module.
  fileprivate var resets: Bool {
    guard case .sysEx(let bytes) = self else { return false }
    return bytes.withUnsafeBufferPointer { SystemExclusive.resets($0) }
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
