import FoundationEssentials
package import Glibc

/// Files that people write, in JSON5: JSON with comments, trailing commas and bare keys.
package enum JSON5File {
  /// What is wrong with a file, as the second half of a sentence about it.
  package struct Failure: Error, Equatable, Sendable {
    package let reason: String
  }

  /// Far more than anyone writes by hand, and little enough to be read in one go.
  package static let maximumLength = 1 << 20

  /// Reads a file whose fields are those of `Value`. Others are ignored.
  ///
  /// - Returns: `nil` where there is no such file.
  /// - Throws: With the field that is missing or wrong, or the system's reason.
  package static func read<Value: Decodable>(
    _: Value.Type, at path: String
  ) throws(Failure) -> Value? {
    let bytes: [UInt8]?
    do {
      bytes = try WholeFile.read(path, limit: maximumLength)
    } catch {
      throw switch error.code {
      case EFBIG: Failure(reason: "it has more than \(maximumLength) bytes")
      case EINVAL: Failure(reason: "it is no ordinary file")
      default: Failure(reason: "it cannot be read: \(systemMessage(error.code))")
      }
    }
    guard let bytes else { return nil }
    let decoder = JSONDecoder()
    decoder.allowsJSON5 = true
    do {
      return try decoder.decode(Value.self, from: Data(bytes))
    } catch let error as DecodingError {
      throw Failure(error)
    } catch {
      throw Failure(reason: "it is not JSON5")
    }
  }

  /// Writes plain JSON, for people to read too, in place of what is at `path`.
  ///
  /// - Parameter mode: The new file's permissions, less the umask.
  package static func write(
    _ value: some Encodable, to path: String, mode: mode_t = 0o666
  ) throws(WholeFile.Failure) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    // Refused are only numbers that are not finite.
    guard let data = try? encoder.encode(value) else { throw WholeFile.Failure(code: EINVAL) }
    try WholeFile.write(Array(data) + [UInt8(ascii: "\n")], to: path, mode: mode)
  }
}

extension JSON5File.Failure {
  fileprivate init(_ error: DecodingError) {
    switch error {
    case .typeMismatch(let type, let context):
      let kind = Self.kind(type)
      reason = context.codingPath.isEmpty ? "it is not \(kind)" : "\(context.field) is not \(kind)"
    case .keyNotFound(let key, let context):
      reason = "'\(DecodingError.name(context.codingPath + [key]))' is missing"
    case .valueNotFound(_, let context):
      reason = "\(context.field) is null"
    case .dataCorrupted(let context):
      // With a path, it is what a type said of its own text.
      reason =
        context.codingPath.isEmpty
        ? "it is not JSON5" : "\(context.field): \(context.debugDescription)"
    @unknown default:
      reason = "it is not JSON5"
    }
  }

  private static func kind(_ type: Any.Type) -> String {
    switch type {
    case is String.Type: "a text"
    case is any FixedWidthInteger.Type, is any BinaryFloatingPoint.Type: "a number"
    case is Bool.Type: "true or false"
    case is [Any].Type: "a list"
    default: "an object"
    }
  }
}

extension DecodingError {
  /// The way to a field, as a programmer would write it: `ports[0].name`.
  fileprivate static func name(_ path: [any CodingKey]) -> String {
    path.reduce("") { name, key in
      if let index = key.intValue { return "\(name)[\(index)]" }
      return name.isEmpty ? key.stringValue : "\(name).\(key.stringValue)"
    }
  }
}

extension DecodingError.Context {
  fileprivate var field: String { "'\(DecodingError.name(codingPath))'" }
}
