import Glibc

/// Returns a number with a noun: `1 note`, `2 notes`.
///
/// - Parameter plural: The plural of the noun; `nil`: the singular with an `s`.
package func counted(_ number: Int, _ singular: String, _ plural: String? = nil) -> String {
  "\(number) \(number == 1 ? singular : plural ?? singular + "s")"
}

/// Returns a number in decimal notation.
///
/// - Parameter digits: The number of digits after the decimal point.
package func decimal(_ number: Double, digits: Int) -> String {
  let scale = pow(10, Double(digits))
  let whole = Int((abs(number) * scale).rounded())
  let sign = number < 0 && whole > 0 ? "-" : ""
  let fraction = String(whole % Int(scale))
  if digits == 0 { return "\(sign)\(whole)" }
  let zeros = String(repeating: "0", count: digits - fraction.count)
  return "\(sign)\(whole / Int(scale)).\(zeros)\(fraction)"
}

/// Returns a time as `minutes:seconds`, or as `hours:minutes:seconds` from one hour on.
package func clockText(_ seconds: Double) -> String {
  let whole = Int(max(0, min(seconds, 3_600_000)))
  func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
  let (minutes, rest) = (whole / 60, whole % 60)
  return minutes < 60
    ? "\(minutes):\(two(rest))" : "\(minutes / 60):\(two(minutes % 60)):\(two(rest))"
}

/// Returns a time as options take it, to the microsecond: `23.5`, `2:00` or `1:23.5`.
///
/// - Parameter seconds: The time in seconds, 0 or more.
package func timeText(_ seconds: Double) -> String {
  let minutes = Int(min(seconds, 3_600_000) / 60)
  if minutes == 0 { return OptionValue.brief(seconds) }
  let rest = ((seconds - Double(minutes) * 60) * 1e6).rounded() / 1e6
  return "\(minutes):\(rest < 10 ? "0" : "")\(OptionValue.brief(rest))"
}
