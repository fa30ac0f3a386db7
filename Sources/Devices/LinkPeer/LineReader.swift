import Glibc

/// Splits what a program writes into lines. Lines of more than 1000 bytes are left out.
struct LineReader {
  private var rest: [UInt8] = []

  /// Reads once from a descriptor.
  ///
  /// - Returns: The lines that are complete now; `nil` at the end.
  mutating func read(_ descriptor: CInt) -> [String]? {
    var bytes = [UInt8](repeating: 0, count: 512)
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    if count < 0, errno == EINTR || errno == EAGAIN { return [] }
    if count <= 0 { return nil }
    rest += bytes[..<count]
    var lines = rest.split(separator: 0x0A, omittingEmptySubsequences: false)
    rest = Array(lines.removeLast())
    if rest.count > 1000 { rest = [] }
    return lines.filter { $0.count <= 1000 }.map { String(decoding: $0, as: UTF8.self) }
  }
}
