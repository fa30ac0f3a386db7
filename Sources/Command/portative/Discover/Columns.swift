import LivePlayer
import LocalSystem

/// Printable text in columns that grow to the widest cell so far.
struct Columns {
  private var widths: [Int] = []

  /// - Parameter rows: Rows with the same number of cells in every call.
  /// - Returns: One line for each row.
  mutating func lines(_ rows: [[String]]) -> [String] {
    let rows = rows.map { row in row.map(\.printable) }
    for row in rows {
      if widths.isEmpty { widths = row.map { _ in 0 } }
      for (index, cell) in row.enumerated() {
        widths[index] = max(widths[index], TerminalText.width(cell))
      }
    }
    return rows.map { row in
      var line = ""
      for (cell, width) in zip(row, widths) {
        line += cell + String(repeating: " ", count: width - TerminalText.width(cell) + 2)
      }
      while line.last == " " { line.removeLast() }
      return line
    }
  }

  /// Returns a table with a head that is shown once. On a terminal that is too narrow, each row is a list of its cells.
  ///
  /// - Parameter limit: The number of columns of the terminal; `nil`: any width fits.
  static func table(
    _ head: [String], _ rows: [[String]],
    within limit: Int? = Terminal.outputIsTerminal ? Terminal.outputSize.columns : nil
  ) -> OutputText {
    var columns = Columns()
    let lines = columns.lines([head] + rows)
    guard let limit, lines.contains(where: { TerminalText.width($0) > limit }) else {
      return lines.map { "\($0)\n" }.joined()
    }
    return rows.map { row -> OutputText in
      let rest = zip(head, row).dropFirst().filter { $1 != "-" && !$1.isEmpty }.map {
        name, cell -> OutputText in
        name.isEmpty ? "  \(cell)\n" : "  \(name.lowercased()): \(cell)\n"
      }
      return "\(row.first ?? "")\n\(rest.joined())"
    }.joined()
  }

  /// Returns columns without a head that are shown once.
  static func text(_ rows: [[String]]) -> OutputText {
    var columns = Columns()
    return columns.lines(rows).map { "\($0)\n" }.joined()
  }
}
