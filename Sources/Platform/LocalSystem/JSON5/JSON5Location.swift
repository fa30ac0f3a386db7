/// A line and column in a text, both counted from 1 as in editors.
package struct JSON5Location: Hashable, Comparable, Sendable, CustomStringConvertible {
  package let line: Int
  package let column: Int

  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// - Parameter position: The number of Unicode scalars before the location.
  init(of position: Int, in text: [Unicode.Scalar]) {
    let before = text[..<min(position, text.count)]
    var line = 1
    var start = 0
    for index in before.indices where before[index].isLineEnd {
      // A carriage return and a line feed are one line end.
      if before[index] == "\n", index > 0, before[index - 1] == "\r" {
        start = index + 1
        continue
      }
      line += 1
      start = index + 1
    }
    self.line = line
    column = before.count - start + 1
  }

  package static func < (a: Self, b: Self) -> Bool { (a.line, a.column) < (b.line, b.column) }

  package var description: String { "line \(line), column \(column)" }
}
