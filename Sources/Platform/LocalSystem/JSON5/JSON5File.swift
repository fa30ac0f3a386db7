import FoundationEssentials
package import Glibc

/// Reads and writes configuration files in JSON5: JSON with comments, trailing commas and unquoted keys.
package enum JSON5File {
  /// The maximum length of a file in bytes. It is far more than a file written by hand needs.
  package static let maximumLength = 1 << 20

  /// Reads and decodes a file. Fields that `Value` does not have are ignored.
  ///
  /// - Parameter followsLinks: Whether the file may be a symbolic link.
  /// - Returns: `nil` if the file does not exist.
  /// - Throws: ``Failure`` with the error and its location, or with the system's error.
  package static func read<Value: Decodable>(
    _ type: Value.Type, at path: String, followsLinks: Bool = true
  ) throws(Failure) -> Value? {
    try document(at: path, followsLinks: followsLinks)?.decode(type)
  }

  /// Reads a file without decoding its values.
  ///
  /// - Returns: `nil` if the file does not exist.
  package static func document(
    at path: String, followsLinks: Bool = true
  ) throws(Failure) -> JSON5Document? {
    let bytes: [UInt8]?
    do {
      bytes = try WholeFile.read(path, limit: maximumLength, followsLinks: followsLinks)
    } catch {
      throw switch error.code {
      case EFBIG: Failure(reason: "it has more than \(maximumLength) bytes")
      case EINVAL, ELOOP: Failure(reason: RegularFile.reason(error.code))
      default: Failure(reason: "it cannot be read: \(errnoDescription(error.code))")
      }
    }
    return try bytes.map { bytes throws(Failure) in try JSON5Document(bytes) }
  }

  /// Creates or replaces a file with indented plain JSON.
  ///
  /// - Parameter mode: The permissions of the new file, less the umask.
  /// - Throws: ``WholeFile/Failure``; also if the file would be longer than ``maximumLength``. There is no change then.
  package static func write(
    _ value: some Encodable, to path: String, mode: mode_t = 0o666
  ) throws(WholeFile.Failure) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    // Encoding only fails for numbers that are not finite.
    guard let data = try? encoder.encode(value) else { throw WholeFile.Failure(code: EINVAL) }
    try write(Array(data) + [UInt8(ascii: "\n")], to: path, mode: mode)
  }

  /// Creates or replaces a file with a document.
  ///
  /// - Parameter mode: The permissions of the new file, less the umask.
  /// - Throws: ``WholeFile/Failure``; also if the file would be longer than ``maximumLength``. There is no change then.
  package static func write(
    _ document: JSON5Document, to path: String, mode: mode_t
  ) throws(WholeFile.Failure) {
    try write(document.bytes, to: path, mode: mode)
  }

  private static func write(
    _ bytes: [UInt8], to path: String, mode: mode_t
  ) throws(WholeFile.Failure) {
    // Nothing could read the file again.
    if bytes.count > maximumLength {
      throw WholeFile.Failure(length: bytes.count, limit: maximumLength)
    }
    try WholeFile.write(bytes, to: path, mode: mode)
  }
}

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
