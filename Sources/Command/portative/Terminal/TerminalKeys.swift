/// A key that was pressed in a terminal.
package enum TerminalKey: Equatable, Sendable {
  case character(Character)
  case left, right, up, down, home, end
  case escape
}

/// Decodes the bytes that a terminal sends for keys.
///
/// Source: ECMA-48, "Control Sequences"; the key sequences of xterm and rxvt.
package struct TerminalKeys {
  private var bytes: [UInt8] = []

  package init() {}

  /// Returns the keys that the input completes.
  ///
  /// - Parameter input: The bytes since the last call. An incomplete key is kept for the next call. If the input is
  ///   empty, an incomplete sequence is discarded, and a lone escape byte is the escape key.
  package mutating func keys(from input: some Sequence<UInt8>) -> [TerminalKey] {
    let before = bytes.count
    bytes += input
    let isQuiet = bytes.count == before
    var keys: [TerminalKey] = []
    while let first = bytes.first {
      let taken: Int?
      if first == 0x1B {
        taken = takeEscape(isQuiet, &keys)
      } else {
        taken = takeCharacter(first, isQuiet, &keys)
      }
      guard let taken else { break }
      bytes.removeFirst(taken)
    }
    return keys
  }

  /// - Returns: The number of bytes of the sequence, which may be unknown; `nil` if it is incomplete.
  private func takeEscape(_ isQuiet: Bool, _ keys: inout [TerminalKey]) -> Int? {
    guard bytes.count > 1 else {
      if isQuiet { keys.append(.escape) }
      return isQuiet ? 1 : nil
    }
    guard bytes[1] == UInt8(ascii: "[") || bytes[1] == UInt8(ascii: "O") else {
      keys.append(.escape)
      return 1
    }
    // Parameter and intermediate bytes, then a final byte.
    guard let end = bytes.dropFirst(2).firstIndex(where: { !(0x20...0x3F ~= $0) }) else {
      return isQuiet ? bytes.count : nil
    }
    let number = bytes[2..<end].prefix { 0x30...0x39 ~= $0 }
    if let key = Self.key(bytes[end], Array(number)) { keys.append(key) }
    return end + 1
  }

  private static func key(_ last: UInt8, _ number: [UInt8]) -> TerminalKey? {
    switch (Character(Unicode.Scalar(last)), number) {
    case ("A", _): .up
    case ("B", _): .down
    case ("C", _): .right
    case ("D", _): .left
    case ("H", _), ("~", [0x31]), ("~", [0x37]): .home
    case ("F", _), ("~", [0x34]), ("~", [0x38]): .end
    default: nil
    }
  }

  private func takeCharacter(
    _ first: UInt8, _ isQuiet: Bool, _ keys: inout [TerminalKey]
  ) -> Int? {
    let count = first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    guard bytes.count >= count else { return isQuiet ? bytes.count : nil }
    if let text = String(validating: bytes[..<count], as: UTF8.self), let key = text.first {
      keys.append(.character(key))
      return count
    }
    return 1
  }
}
