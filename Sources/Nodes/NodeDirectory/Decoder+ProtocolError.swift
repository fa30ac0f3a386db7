extension Decoder {
  /// An error that says why the text of this place, or of one of its fields, will not do.
  func refusal(_ message: String, at key: (any CodingKey)? = nil) -> DecodingError {
    let path = codingPath + (key.map { [$0] } ?? [])
    return .dataCorrupted(DecodingError.Context(codingPath: path, debugDescription: message))
  }
}
