extension JSON5File {
  /// An error in a file. Its description is the second half of a sentence that begins with the file.
  package struct Failure: Error, Equatable, Sendable, CustomStringConvertible {
    package let reason: String
    /// The location in the file; `nil` if the error concerns the whole file.
    package let location: JSON5Location?
    /// The path of the missing or invalid field; `nil` if the error concerns no field.
    package let field: String?

    package init(reason: String, location: JSON5Location? = nil) {
      self.reason = reason
      self.location = location
      field = nil
    }

    package var description: String { location.map { "\($0): \(reason)" } ?? reason }
  }
}

extension JSON5File.Failure {
  package init(_ error: DecodingError, in document: JSON5Document) {
    var path: [JSON5Step]
    switch error {
    case .typeMismatch(let type, let context):
      path = context.steps
      reason = "\(path.subject) must be \(Self.kind(type)), but is \(document.found(path))"
    case .keyNotFound(let key, let context):
      path = context.steps
      let missing = path + [.field(key.stringValue)]
      reason = "'\(missing.text)' is missing"
      location = document.location(of: path)
      field = missing.text
      return
    case .valueNotFound(let type, let context):
      path = context.steps
      reason = "\(path.subject) must be \(Self.kind(type)), but is null"
    case .dataCorrupted(let context):
      path = context.steps
      reason = Self.reason(context, path)
    @unknown default:
      path = []
      reason = "it cannot be decoded"
    }
    location = document.location(of: path)
    field = path.isEmpty ? nil : path.text
  }

  private static func reason(_ context: DecodingError.Context, _ path: [JSON5Step]) -> String {
    if path.isEmpty { return "it cannot be decoded: \(context.debugDescription)" }
    // The description comes from a type that decodes its own text.
    return "\(path.subject): \(context.debugDescription)"
  }

  private static func kind(_ type: Any.Type) -> String {
    switch type {
    case is String.Type: "a text"
    case is any FixedWidthInteger.Type: "a whole number"
    case is any BinaryFloatingPoint.Type: "a number"
    case is Bool.Type: "true or false"
    case is [Any].Type: "a list"
    default: "an object"
    }
  }
}

extension JSON5Document {
  fileprivate func found(_ path: [JSON5Step]) -> String { found(at: path) ?? "something else" }
}

extension [JSON5Step] {
  fileprivate var subject: String { isEmpty ? "it" : "'\(text)'" }
}

extension DecodingError.Context {
  fileprivate var steps: [JSON5Step] {
    codingPath.map { key in
      key.intValue.map { .element($0) } ?? .field(key.stringValue)
    }
  }
}
