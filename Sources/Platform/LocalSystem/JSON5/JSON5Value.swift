/// A value of a JSON5 text, and its range in the text.
package struct JSON5Value: Sendable {
  package enum Content: Sendable {
    case object([Field])
    case list([JSON5Value])
    /// A string, a number, `true`, `false` or `null`, in JSON syntax.
    case scalar(json: String)
  }

  package struct Field: Sendable {
    package let name: String
    /// The position of the name: the number of Unicode scalars before it.
    package let start: Int
    package let value: JSON5Value
  }

  /// The range of the value in the Unicode scalars of the text.
  package let range: Range<Int>
  package let content: Content
}

/// One step of a path to a value.
package enum JSON5Step: Hashable, Sendable {
  case field(String)
  case element(Int)
}

extension [JSON5Step] {
  /// The path in source notation: `ports[0].name`.
  package var text: String {
    reduce("") { text, step in
      switch step {
      case .element(let index): "\(text)[\(index)]"
      case .field(let name): text.isEmpty ? name : "\(text).\(name)"
      }
    }
  }
}

extension JSON5Value {
  /// The value at a path; `nil` if there is none.
  package subscript(path: some Collection<JSON5Step>) -> JSON5Value? {
    guard let step = path.first else { return self }
    let next: JSON5Value? =
      switch (step, content) {
      case (.field(let name), .object(let fields)): fields.first { $0.name == name }?.value
      case (.element(let index), .list(let values)):
        values.indices.contains(index) ? values[index] : nil
      default: nil
      }
    return next?[path.dropFirst()]
  }

  /// Returns the value at a path, or the innermost existing value that would contain it.
  package func nearest(to path: [JSON5Step]) -> JSON5Value {
    for count in stride(from: path.count, through: 0, by: -1) {
      if let value = self[path.prefix(count)] { return value }
    }
    return self
  }

  /// The first field whose name occurs twice in an object, with the positions of both names; `nil` if there is none.
  var duplicate: (name: String, first: Int, second: Int)? {
    switch content {
    case .scalar: return nil
    case .list(let values): return values.lazy.compactMap(\.duplicate).first
    case .object(let fields):
      var starts: [String: Int] = [:]
      for field in fields {
        if let first = starts[field.name] { return (field.name, first, field.start) }
        starts[field.name] = field.start
        if let duplicate = field.value.duplicate { return duplicate }
      }
      return nil
    }
  }

  /// The value in JSON, without white space.
  var json: String {
    var text = ""
    write(to: &text)
    return text
  }

  private func write(to text: inout String) {
    switch content {
    case .scalar(let json): text += json
    case .list(let values):
      text += "["
      for (index, value) in values.enumerated() {
        if index > 0 { text += "," }
        value.write(to: &text)
      }
      text += "]"
    case .object(let fields):
      text += "{"
      for (index, field) in fields.enumerated() {
        if index > 0 { text += "," }
        text += JSON5Scanner.json(field.name) + ":"
        field.value.write(to: &text)
      }
      text += "}"
    }
  }
}
