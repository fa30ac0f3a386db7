import LocalSystem

/// Text for standard output or standard error.
///
/// A literal is written as it is, with its line ends and control sequences. What is interpolated into it, such as a name,
/// stays in its line and is made printable. No verb can therefore send a name to a terminal that obeys it.
struct OutputText: ExpressibleByStringInterpolation, Equatable, Sendable {
  private(set) var text: String

  /// - Parameter text: Text of this program only, such as a manual page.
  init(verbatim text: String) { self.text = text }

  /// - Parameter text: JSON or JSON5, with line ends.
  init(json text: String) { self.text = text.printableJSON }

  init(stringLiteral text: String) { self.text = text }

  init(stringInterpolation parts: StringInterpolation) { text = parts.text }

  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    init(literalCapacity: Int, interpolationCount: Int) {}

    mutating func appendLiteral(_ literal: String) { text += literal }

    mutating func appendInterpolation(_ value: some Any) { text += "\(value)".printable }

    mutating func appendInterpolation(_ output: OutputText) { text += output.text }
  }

  mutating func append(_ more: OutputText) { text += more.text }
}

extension Sequence<OutputText> {
  func joined() -> OutputText { OutputText(verbatim: map(\.text).joined()) }
}
