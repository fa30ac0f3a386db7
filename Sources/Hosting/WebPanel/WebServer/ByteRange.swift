/// The part of a file that a request asks for.
///
/// Source: RFC 9110, section 14. Several ranges of a request are not supported: the client gets the whole file then.
package struct ByteRange: Equatable, Sendable {
  package var offset: Int64
  package var count: Int64

  package enum Wanted: Equatable, Sendable {
    case all
    case part(ByteRange)
    /// The file has no such bytes.
    case none
  }

  /// Reads a `Range` header.
  ///
  /// - Parameters:
  ///   - header: Its value; `nil` without one. What is not understood is ignored, as the standard demands.
  ///   - size: The bytes of the file.
  package static func read(_ header: String?, size: Int64) -> Wanted {
    guard let header, header.lowercased().hasPrefix("bytes=") else { return .all }
    let parts = header.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ $0.utf8.allSatisfy(isDigit) }) else { return .all }
    // Numbers that are too large are beyond the end of every file.
    let (first, last) = (number(parts[0]), number(parts[1]))
    switch (first, last) {
    case (nil, nil): return .all
    case (nil, let count?):
      let count = min(count, size)
      return count > 0 ? .part(ByteRange(offset: size - count, count: count)) : .none
    case (let first?, let last):
      if let last, last < first { return .all }
      if first >= size { return .none }
      return .part(ByteRange(offset: first, count: min(last ?? size - 1, size - 1) - first + 1))
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }

  private static func number(_ digits: Substring) -> Int64? {
    digits.isEmpty ? nil : Int64(digits) ?? .max
  }
}
