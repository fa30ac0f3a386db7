/// Decodes integers in this module. Foundation's own method loses the coding path if a number is not an integer.
extension KeyedDecodingContainer {
  func decode(_: Int.Type, forKey key: Key) throws -> Int {
    let number = try decode(Double.self, forKey: key)
    guard let whole = Int(exactly: number) else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: codingPath + [key],
          debugDescription: "it must be a whole number, but is \(number)"))
    }
    return whole
  }

  func decodeIfPresent(_: Int.Type, forKey key: Key) throws -> Int? {
    guard contains(key), try !decodeNil(forKey: key) else { return nil }
    return try decode(Int.self, forKey: key)
  }
}

extension KeyedDecodingContainer {
  func integer(_ key: Key, in range: ClosedRange<Int>) throws -> Int? {
    guard let value = try decodeIfPresent(Int.self, forKey: key) else { return nil }
    if range.contains(value) { return value }
    throw DecodingError.invalid(
      "it must be \(range.lowerBound) to \(range.upperBound), but is \(value)",
      at: codingPath + [key])
  }

  func number(_ key: Key, in range: ClosedRange<Double>) throws -> Double? {
    guard let value = try decodeIfPresent(Double.self, forKey: key) else { return nil }
    if range.contains(value) { return value }
    throw DecodingError.invalid(
      "it must be \(Int(range.lowerBound)) to \(Int(range.upperBound)), but is \(value)",
      at: codingPath + [key])
  }
}

extension DecodingError {
  static func invalid(_ reason: String, at path: [any CodingKey]) -> DecodingError {
    .dataCorrupted(.init(codingPath: path, debugDescription: reason))
  }
}
