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
