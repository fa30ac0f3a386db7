import FoundationEssentials
package import Glibc

/// Files that people write, in JSON5: JSON with comments, trailing commas and bare keys.
package enum JSON5File {
  /// Far more than anyone writes by hand, and little enough to be read in one go.
  package static let maximumLength = 1 << 20

  /// Reads a file whose fields are those of `Value`. Others are ignored.
  ///
  /// - Returns: `nil` where there is no such file.
  /// - Throws: With what is wrong and its place, or the system's reason.
  package static func read<Value: Decodable>(
    _ type: Value.Type, at path: String
  ) throws(Failure) -> Value? {
    try document(at: path)?.decode(type)
  }

  /// Reads a file without decoding its values.
  ///
  /// - Returns: `nil` where there is no such file.
  package static func document(at path: String) throws(Failure) -> JSON5Document? {
    let bytes: [UInt8]?
    do {
      bytes = try WholeFile.read(path, limit: maximumLength)
    } catch {
      throw switch error.code {
      case EFBIG: Failure(reason: "it has more than \(maximumLength) bytes")
      case EINVAL: Failure(reason: "it is not a regular file")
      default: Failure(reason: "it cannot be read: \(errnoDescription(error.code))")
      }
    }
    return try bytes.map { bytes throws(Failure) in try JSON5Document(bytes) }
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
