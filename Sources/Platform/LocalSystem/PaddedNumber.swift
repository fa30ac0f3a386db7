extension String {
  /// A number with leading zeros.
  ///
  /// - Parameters:
  ///   - number: Not negative.
  ///   - digits: The minimum number of digits.
  package init(
    _ number: some BinaryInteger, digits: Int, radix: Int = 10, uppercase: Bool = false
  ) {
    let text = String(number, radix: radix, uppercase: uppercase)
    self = String(repeating: "0", count: Swift.max(0, digits - text.count)) + text
  }
}
