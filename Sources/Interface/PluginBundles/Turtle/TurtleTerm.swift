/// A value of a property in a Turtle file. A string literal in Swift is a name with a prefix, such as `lv2:Plugin`.
indirect enum TurtleTerm: Equatable, ExpressibleByStringLiteral {
  /// A name with a prefix of ``TurtleDocument``, or `a`.
  case name(String)
  case iri(String)
  case text(String)
  case number(Float)
  case decimal(Float)
  case integer(Int)
  /// A resource without a URI.
  case resource(TurtleProperties)

  init(stringLiteral name: String) { self = .name(name) }

  /// - Parameter indent: The indentation of the line on which the term begins.
  func text(indent: String) -> String {
    switch self {
    case .name(let name): name
    case .iri(let iri): Turtle.iri(iri)
    case .text(let text): Turtle.string(text)
    case .number(let value): Turtle.number(value)
    case .decimal(let value): Turtle.decimal(value)
    case .integer(let value): "\(value)"
    case .resource(let properties): "[\n\(properties.text(indent: indent + "  "))\n\(indent)]"
    }
  }
}

/// The properties of a resource in a Turtle file, in the order of their addition.
struct TurtleProperties: Equatable {
  private var entries: [Entry] = []

  private struct Entry: Equatable {
    var name: String
    var values: [TurtleTerm]
  }

  init() {}

  /// - Parameter types: The classes of the resource.
  init(types: [TurtleTerm]) { add("a", types) }

  /// Adds values of a property; nothing if there are none.
  mutating func add(_ name: String, _ values: [TurtleTerm]) {
    if !values.isEmpty { entries.append(Entry(name: name, values: values)) }
  }

  mutating func add(_ name: String, _ values: TurtleTerm...) { add(name, values) }

  /// The properties on separate lines, without an end.
  func text(indent: String) -> String {
    entries.map { entry in
      let values = entry.values.map { $0.text(indent: indent) }.joined(separator: " , ")
      return "\(indent)\(entry.name) \(values)"
    }.joined(separator: " ;\n")
  }
}
