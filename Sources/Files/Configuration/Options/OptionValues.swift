package import LocalSystem

/// Functions that parse the values of options. Numbers have a decimal point in every locale. Errors name the invalid
/// value and the valid ones.
package enum OptionValue {
  /// Parses a whole number within a range.
  package static func whole(
    _ text: String, of option: String, in range: ClosedRange<Int>
  ) throws(Failure) -> Int {
    guard let number = Int(text), range.contains(number) else {
      throw .usage(
        "\(option) must be a whole number from \(range.lowerBound) to \(range.upperBound), "
          + "but was '\(text)'")
    }
    return number
  }

  /// Parses a decimal number within a range.
  package static func number(
    _ text: String, of option: String, in range: ClosedRange<Double>
  ) throws(Failure) -> Double {
    guard let number = plainNumber(text), range.contains(number) else {
      throw .usage(
        "\(option) must be a number from \(brief(range.lowerBound)) to "
          + "\(brief(range.upperBound)), but was '\(text)'")
    }
    return number
  }

  /// Parses a time in seconds, `minutes:seconds` or `hours:minutes:seconds`. Only the first part may exceed 59.
  ///
  /// - Returns: The time in seconds, at most 100 hours.
  package static func time(_ text: String, of option: String) throws(Failure) -> Double {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let numbers = parts.map { plainNumber(String($0)) ?? -1 }
    let last = numbers.count - 1
    let isTime =
      numbers.count <= 3
      && numbers.enumerated().allSatisfy { index, number in
        number >= 0 && (index == 0 || number < 60) && (index == last || parts[index].allDigits)
      }
    let seconds = numbers.reduce(0) { $0 * 60 + $1 }
    guard isTime, seconds <= 360_000 else {
      throw .usage(
        "\(option) must be a time as 83.5, 1:23.5 or 0:01:23.5, up to 100 hours, "
          + "but was '\(text)'")
    }
    return seconds
  }

  /// Parses one of the raw values of an enumeration.
  package static func choice<Choice: RawRepresentable & CaseIterable>(
    _ text: String, of option: String
  ) throws(Failure) -> Choice where Choice.RawValue == String {
    if let choice = Choice(rawValue: text) { return choice }
    let words = Choice.allCases.map(\.rawValue)
    throw .usage("\(option) must be one of \(words.joined(separator: ", ")), but was '\(text)'")
  }

  /// Parses `on` or `off`.
  package static func onOff(_ text: String, of option: String) throws(Failure) -> Bool {
    switch text {
    case "on": return true
    case "off": return false
    default: throw .usage("\(option) must be on or off, but was '\(text)'")
    }
  }

  /// Returns the value of a decimal number without an exponent; `nil` for any other text. `Double.init` would also
  /// accept `nan` and `0x1p4`.
  package static func plainNumber(_ text: String) -> Double? {
    let isPlain = text.utf8.allSatisfy { (48...57).contains($0) || "+-.".utf8.contains($0) }
    return isPlain ? Double(text) : nil
  }

  /// Returns a number as text, without a decimal point if it is whole.
  package static func brief(_ number: Double) -> String {
    number == number.rounded() && abs(number) < 1e15 ? String(Int(number)) : String(number)
  }
}

extension Substring {
  fileprivate var allDigits: Bool { !isEmpty && utf8.allSatisfy { (48...57).contains($0) } }
}
