import RenderCore

extension Parameter {
  /// Returns a value as hosts show it: its name, or a number with at most three decimals and the unit.
  func text(of value: Double) -> String {
    let value = min(max(value, Double(minimum)), Double(maximum))
    if isStepped {
      let number = Int(value)
      let index = number - Int(minimum)
      return valueNames.indices.contains(index) ? valueNames[index] : "\(number)"
    }
    let thousandths = Int((value * 1000).rounded())
    var text = "\(thousandths < 0 ? "-" : "")\(thousandths.magnitude / 1000)"
    var decimals = String(thousandths.magnitude % 1000 + 1000).dropFirst()
    while decimals.last == "0" { decimals.removeLast() }
    if !decimals.isEmpty { text += ".\(decimals)" }
    return unit.symbol.isEmpty ? text : "\(text) \(unit.symbol)"
  }

  /// Reads a value as ``text(of:)`` writes it, also without its unit.
  ///
  /// - Returns: A value in the range; `nil` for another text.
  func value(ofText text: String) -> Double? {
    let words = text.split(whereSeparator: \.isWhitespace)
    let lowered = words.joined(separator: " ").lowercased()
    if let index = valueNames.firstIndex(where: { $0.lowercased() == lowered }) {
      return Double(minimum) + Double(index)
    }
    guard let first = words.first else { return nil }
    let number = first.prefix { $0.isNumber || "+-.eE".contains($0) }
    guard let value = Double(number), value.isFinite else { return nil }
    return min(
      max(isStepped ? value.rounded(.towardZero) : value, Double(minimum)), Double(maximum))
  }
}
