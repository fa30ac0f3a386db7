import LocalSystem
import RenderCore

/// The units and limits of the fields of messages, beside what their types express.
///
/// ``ReceivedMessage`` checks what it decodes against them, and `Schemas/protocol.schema.json` is made from them.
package enum MessageLimits {
  /// Units and limits of numbers, and the fields that have them: fields of one type (`Type.field`), or of any type.
  package static let numbers: [(unit: String, limits: NumberLimits, fields: String)] = [
    ("identifier", .range(0...Int(UInt32.max)), "id"),
    ("process", .any, "processID"),
    ("version", .atLeast(1), "protocol VersionRange.minimum VersionRange.maximum"),
    ("version", .oneOf([UnitState.currentVersion]), "UnitState.version"),
    (
      "that of the field", .any,
      "ProtocolError.AllowedRange.minimum ProtocolError.AllowedRange.maximum"
    ),
    (
      "count", .atLeast(0),
      "offset total count setListCount notes malformedEvents lateEvents droppedEvents lateCycles"
    ),
    ("count", .atLeast(2), "hostCount"),
    (
      "count", .range(0...ParameterTree.maximumCount), "parameterCount GetParameters.Response.total"
    ),
    ("count", .range(Format.inputChannelCounts), "InitializePort.inputChannels"),
    ("count", .range(Format.outputChannelCounts), "InitializePort.outputChannels"),
    ("count", .any, "UnitStatus.value"),
    ("index", .atLeast(0), "index"),
    (
      "bytes", .atLeast(0),
      "GetTake.offset LoadSong.offset SaveStatePart.offset LoadStatePart.offset"
    ),
    ("bytes", .range(1...UnitState.longest), "SaveStatePart.Response.total LoadStatePart.total"),
    ("bytes", .range(0...GetTake.longestFile), "GetTake.Response.total"),
    ("bytes", .range(1...LoadSong.longestFile), "LoadSong.total"),
    ("count", .atLeast(0), "wordCount"),
    ("bars", .atLeast(1), "bars bar lastBar SongLoopBars.first SongLoopBars.last"),
    ("bars", .range(0...16), "countIn"),
    ("beats", .atLeast(1), "NodeSong.beat"),
    ("number", .any, "revision"),
    ("percent", .range(10...1000), "tempoPercent"),
    ("decibels", .range(-60...12), "level"),
    ("decibels", .range(-60...6), "SongChannel.level SongChannelChange.level"),
    ("port of the song", .atLeast(1), "SongChannel.port SongChannelChange.port"),
    ("channel", .range(1...16), "SongChannel.channel SongChannelChange.channel"),
    ("bank", .range(0...128), "bank"), ("program", .range(0...127), "program"),
    ("seconds", .any, "position"), ("seconds", .atLeast(0), "length CommandSong.position"),
    ("semitones", .range(-36...36), "ChangeSong.transposition"),
    ("hertz", .any, "sampleRate"),
    ("hertz", .range(Format.sampleRates), "InitializePort.sampleRate"),
    ("hertz", .atLeast(0), "TakeProperties.sampleRate"),
    ("frames", .range(0...Format.longestLatency), "latency"),
    ("frames", .range(0...Int(Int32.max)), "tail"), ("frames", .atLeast(0), "firstNote"),
    ("frames", .any, "maximumFrames"),
    ("frames", .range(Format.frameCounts), "InitializePort.maximumFrames"),
    ("samples", .atLeast(0), "invalidSamples invalidInputSamples"),
    ("cycles", .atLeast(0), "cycles"),
    ("ratio", .any, "load left right"),
    ("microseconds", .atLeast(0), "median longest"),
    ("seconds", .atLeast(0), "limit"),
    ("seconds", NumberLimits(minimum: 0, below: 1_000_000_000), "GetTake.seconds"),
    (
      "seconds", NumberLimits(above: 0, maximum: LearnControl.longestWait),
      "LearnControl.seconds"
    ),
    ("quarter notes", .any, "beat"),
    ("quarter notes per minute", .any, "tempo"),
    ("SCHED_FIFO priority", .range(0...99), "InitializePort.priority"),
    ("render unit", .any, "InitializePort.takeUnit"),
    ("host of the port", .atLeast(1), "DescribePort.host"),
    ("render unit", .atLeast(0), "TakeProperties.PlayedPort.unit"),
    ("channel", .range(1...16), "ControlReport.channel"),
    ("controller, key or program", .range(0...127), "ControlReport.number"),
    ("semitones", .any, "transposition"), ("semitones", .range(-36...36), "Transpose.semitones"),
    ("semitones", .range(-12...12), "Transpose.step"),
    ("scenes", .oneOf([-1, 1]), "ChooseScene.step"),
  ]

  /// The greatest lengths of texts in bytes of UTF-8.
  package static let lengths: [(limit: Int, fields: String)] = [
    (PortDescription.maximumNameLength, "Peer.name"), (1024, "Peer.icon Peer.url"),
    (4096, "FileReference.path ShowPage.link"),
  ]

  /// The greatest numbers of elements of lists.
  package static let counts: [(limit: Int, fields: String)] = [
    (128, "PeerNodeNames.names"), (16, "roundTrips"),
  ]

  private static let numberLimits = table(numbers.map { ($0.limits, $0.fields) })
  private static let lengthLimits = table(lengths)
  private static let countLimits = table(counts)

  private static func table<Limit>(_ rows: [(limit: Limit, fields: String)]) -> [String: Limit] {
    Dictionary(
      uniqueKeysWithValues: rows.flatMap { limit, fields in
        fields.split(separator: " ").map { (String($0), limit) }
      })
  }

  /// Checks the fields of a message and of the structures in it.
  ///
  /// - Parameter path: The path of the value in the packet, such as `result`.
  /// - Throws: `badMessage` with the path of the first field that is out of its limits.
  package static func check(_ value: Any, at path: String) throws(ProtocolError) {
    // They have no limits, and can be long.
    if value is [Float] || value is [String: Float] || value is [String] { return }
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .struct:
      // Without the module.
      let owner = String(reflecting: mirror.subjectType).drop { $0 != "." }.dropFirst()
      for (label, field) in mirror.children {
        guard let label else { continue }
        try check(field, of: String(owner), label, at: "\(path).\(label)")
      }
    case .optional:
      for child in mirror.children { try check(child.value, at: path) }
    case .collection:
      for (index, child) in mirror.children.enumerated() {
        try check(child.value, at: "\(path)[\(index)]")
      }
    default: break
    }
  }

  private static func check(
    _ value: Any, of owner: String, _ name: String, at path: String
  ) throws(ProtocolError) {
    if let optional = Mirror(reflecting: value).optionalValue {
      guard let value = optional else { return }
      return try check(value, of: owner, name, at: path)
    }
    func limit<Limit>(_ table: [String: Limit]) -> Limit? {
      table["\(owner).\(name)"] ?? table[name]
    }
    if let number = (value as? any BinaryInteger).map({ Double($0) })
      ?? (value as? any BinaryFloatingPoint).map({ Double($0) })
    {
      guard let limits = limit(numberLimits), !limits.contains(number) else { return }
      throw ProtocolError(
        .badMessage, "'\(path)' must be \(limits), but is \(value)", field: path)
    }
    if let text = value as? String {
      let count = text.utf8.count
      guard let longest = limit(lengthLimits), count > longest else { return }
      throw ProtocolError(
        .badMessage, "'\(path)' has at most \(longest) bytes, but this one has \(count)",
        field: path)
    }
    if let list = value as? [Any], let most = limit(countLimits), list.count > most {
      throw ProtocolError(
        .badMessage, "'\(path)' has at most \(most) elements, but this one has \(list.count)",
        field: path)
    }
    try check(value, at: path)
  }
}

extension Mirror {
  /// The content of an optional; `nil` if the value is not optional.
  fileprivate var optionalValue: Any?? {
    displayStyle == .optional ? .some(children.first?.value) : .none
  }
}

/// The values that a number in a message may have.
package struct NumberLimits: Sendable, CustomStringConvertible {
  package private(set) var minimum, maximum: Double?
  /// The greatest number that is too small, and the smallest that is too great.
  package private(set) var above, below: Double?
  /// `nil`: all numbers within the limits.
  package private(set) var values: [Int]?

  package init(
    minimum: Double? = nil, above: Double? = nil, maximum: Double? = nil, below: Double? = nil
  ) {
    (self.minimum, self.maximum) = (minimum, maximum)
    (self.above, self.below) = (above, below)
  }

  static let any = NumberLimits()

  static func atLeast(_ minimum: Int) -> NumberLimits { NumberLimits(minimum: Double(minimum)) }

  static func range(_ range: ClosedRange<Int>) -> NumberLimits {
    NumberLimits(minimum: Double(range.lowerBound), maximum: Double(range.upperBound))
  }

  static func oneOf(_ values: [Int]) -> NumberLimits {
    var limits = NumberLimits()
    limits.values = values
    return limits
  }

  package func contains(_ number: Double) -> Bool {
    if let values { return values.contains { Double($0) == number } }
    return number >= minimum ?? -.infinity && number <= maximum ?? .infinity
      && number > above ?? -.infinity && number < below ?? .infinity
  }

  /// As in `from 0 to 127`.
  package var description: String {
    if let values { return alternatives(values.map(String.init)) }
    func text(_ number: Double) -> String { Int(exactly: number).map(String.init) ?? "\(number)" }
    switch (minimum, maximum) {
    case (let minimum?, let maximum?): return "from \(text(minimum)) to \(text(maximum))"
    case (let minimum?, nil):
      return "at least \(text(minimum))" + (below.map { " and below \(text($0))" } ?? "")
    case (nil, let maximum?):
      return (above.map { "above \(text($0)) and " } ?? "") + "at most \(text(maximum))"
    case (nil, nil): return "a number"
    }
  }
}
