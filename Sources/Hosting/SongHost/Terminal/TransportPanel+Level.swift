import Glibc

extension TransportPanel {
  /// The number of columns of a level's bar. Each stands for 6 dB.
  private static let columns = 10

  /// Returns a bar from −60 to 0 dBFS with the held peak in it, and the held peak in decibels: `######|--- -12.3`.
  package static func meter(_ level: PeakLevel, _ isUnicode: Bool) -> String {
    let (peak, held) = (column(level.peak), column(level.held))
    let (full, empty, mark) = isUnicode ? ("\u{2588}", "\u{00B7}", "\u{2502}") : ("#", "-", "|")
    var bar = ""
    for column in 1...columns { bar += column <= peak ? full : column == held ? mark : empty }
    return "\(bar) \(decibels(level.held))"
  }

  /// Returns the last column that a level reaches; 0: none.
  private static func column(_ sample: Float) -> Int {
    guard sample > 0 else { return 0 }
    let part = (20 * log10(Double(min(sample, 1))) + 60) / 60
    return max(0, min(columns, Int((part * Double(columns)).rounded(.up))))
  }

  /// Returns five characters: `-12.3`, ` -inf`, or ` OVER` for a level that a device clips.
  private static func decibels(_ sample: Float) -> String {
    if sample.isNaN || sample > 1 { return " OVER" }
    let tenths = sample > 0 ? Int((200 * log10(Double(sample))).rounded()) : -1000
    if tenths <= -1000 { return " -inf" }
    let text = "\(tenths < 0 ? "-" : "")\(-tenths / 10).\(-tenths % 10)"
    return String(repeating: " ", count: max(0, 5 - text.count)) + text
  }
}
