extension Decoder {
  /// Returns an error that says why the value at the current coding path, or one of its fields, is invalid.
  func invalidValue(_ message: String, at key: (any CodingKey)? = nil) -> DecodingError {
    let path = codingPath + (key.map { [$0] } ?? [])
    return .dataCorrupted(DecodingError.Context(codingPath: path, debugDescription: message))
  }
}
