/// Results in rows, printed as Markdown and encoded as objects whose keys are the column heads.
struct Table: Encodable {
  let title: String
  /// A note printed after the title.
  var note = ""
  let columns: [String]
  var rows: [[Cell]] = []
  /// Whether the table is printed; otherwise it is only written to the file.
  var isPrinted = true

  var markdown: String {
    let heads = [columns, columns.map { _ in "---" }]
    let lines = (heads + rows.map { $0.map(\.text) }).map {
      "| " + $0.joined(separator: " | ") + " |"
    }
    return "**\(title)**" + (note.isEmpty ? "" : " \(note)") + "\n\n"
      + lines.joined(separator: "\n")
  }

  private enum Key: CodingKey { case title, note, rows }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(title, forKey: .title)
    try container.encode(note, forKey: .note)
    let objects = rows.map { row in
      Dictionary(zip(columns, row), uniquingKeysWith: { first, _ in first })
    }
    try container.encode(objects, forKey: .rows)
  }
}

/// A value in a table.
enum Cell: Encodable {
  case text(String)
  case count(Int)
  case number(Double, digits: Int)
  case runs(Runs, digits: Int)
  /// Whether a target was met.
  case met(Bool)

  var text: String {
    switch self {
    case .text(let text): text
    case .count(let count): "\(count)"
    case .number(let number, let digits): number.formatted(digits: digits)
    case .runs(let runs, let digits): runs.text(digits: digits)
    case .met(let isMet): isMet ? "yes" : "**no**"
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .text(let text): try container.encode(text)
    case .count(let count): try container.encode(count)
    case .number(let number, _):
      if number.isFinite { try container.encode(number) } else { try container.encodeNil() }
    case .runs(let runs, _): try container.encode(runs)
    case .met(let isMet): try container.encode(isMet)
    }
  }
}

/// A target with an upper or lower bound.
struct Target {
  let text: String
  let bound: Double
  let isUpperBound: Bool

  static func atMost(_ bound: Double, _ text: String) -> Target {
    Target(text: text, bound: bound, isUpperBound: true)
  }
  static func atLeast(_ bound: Double, _ text: String) -> Target {
    Target(text: text, bound: bound, isUpperBound: false)
  }

  func isMet(by value: Double) -> Bool { isUpperBound ? value <= bound : value >= bound }

  static let columns = ["target", "bound", "median", "min", "max", "met by median", "met by all"]

  /// Returns a row of a table with ``columns``.
  ///
  /// - Parameter values: One value for each case, such as a song with a SoundFont.
  func row(_ values: [Double], digits: Int = 2) -> [Cell] {
    let runs = Runs(values)
    return [
      .text(text), .text("\(isUpperBound ? "≤" : "≥") \(bound.formatted(digits: digits))"),
      .number(runs.median, digits: digits), .number(runs.minimum, digits: digits),
      .number(runs.maximum, digits: digits), .met(isMet(by: runs.median)),
      .met(values.allSatisfy(isMet)),
    ]
  }
}
