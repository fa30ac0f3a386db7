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

  /// Returns a table that is shown once.
  static func text(_ rows: [[String]]) -> OutputText {
    var columns = Columns()
    return columns.lines(rows).map { "\($0)\n" }.joined()
  }
}
