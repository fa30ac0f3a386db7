import LocalSystem
import Options

/// The text of the progress bar: position, speed and remaining time.
struct ProgressLine: Equatable {
  /// The song's name, or a text such as "12 of 100 songs".
  var name: String
  /// The seconds of audio that are done, and the total.
  var done: Double
  var total: Double
  /// The seconds since the start.
  var elapsed: Double

  /// Returns the text with at most `columns` columns; the least important parts are omitted first.
  func text(columns: Int) -> String {
    let part = total > 0 ? max(0, min(1, done / total)) : 0
    var line = "\(clockText(done)) / \(clockText(total))"
    if elapsed >= 0.5, done > 0 {
      let speed = done / elapsed
      line += "  \(decimal(min(speed, 99_999), digits: speed < 9.95 ? 1 : 0))x"
      line += "  \(clockText((total - min(done, total)) / speed)) left"
    }
    let width = min(30, columns - line.count - 6)
    if width >= 5 {
      let full = Int(part * Double(width))
      let bar = String(repeating: "#", count: full) + String(repeating: ".", count: width - full)
      line = "[\(bar)] \(line)"
    }
    let name = name.printable
    let room = columns - line.count - 3
    if room >= name.count {
      line = "\(name)  \(line)"
    } else if room >= 8 {
      line = "\(name.prefix(room - 1))…  \(line)"
    }
    return String(line.prefix(max(0, columns - 1)))
  }
}
