/// How a list that changes is shown.
protocol ListDisplay {
  /// - Parameter list: What there is now.
  /// - Returns: What to write, after all that was written before.
  mutating func text(for list: ComponentList) -> String
}

/// Each state of the list as a line, for programs.
struct JSONListDisplay: ListDisplay {
  func text(for list: ComponentList) -> String { list.jsonLine }
}

/// In a file or a pipe: the list, then a line for each port that comes, changes or goes.
struct LineListDisplay: ListDisplay {
  private var columns = Columns()
  private var rows: [ComponentList.Row] = []
  private var problems: [String] = []
  private var hasBegun = false

  mutating func text(for list: ComponentList) -> String {
    let now = list.rows
    let changed = now.filter { !rows.contains($0) }
    let gone = rows.filter { row in !now.contains { $0.isSamePort(as: row) } }.map(\.gone)
    let head = hasBegun ? [] : [list.head]
    let news = list.problems.filter { !problems.contains($0) }
    (rows, problems, hasBegun) = (now, list.problems, true)
    return (columns.lines(head + (changed + gone).map(\.cells)) + news).map { "\($0)\n" }.joined()
  }
}

/// On a terminal: the list, drawn over the one before.
struct TerminalListDisplay: ListDisplay {
  private let size: () -> (columns: Int, rows: Int)
  private var height = 0

  init(size: @escaping () -> (columns: Int, rows: Int) = { Terminal.outputSize }) {
    self.size = size
  }

  mutating func text(for list: ComponentList) -> String {
    let size = size()
    var columns = Columns()
    var lines =
      list.components.isEmpty
      ? ComponentList.none.split(separator: "\n").map(String.init)
      : columns.lines([list.head] + list.rows.map(\.cells))
    lines += list.problems
    // What has scrolled away could not be drawn over.
    let room = max(1, size.rows - 1)
    if lines.count > room {
      lines = lines.prefix(room - 1) + ["and \(lines.count - room + 1) more"]
    }
    let up = height > 0 ? "\u{1B}[\(height)A" : ""
    height = lines.count
    return "\r\(up)\u{1B}[J" + lines.map { "\($0.prefix(size.columns))\n" }.joined()
  }
}
