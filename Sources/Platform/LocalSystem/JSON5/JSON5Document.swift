import FoundationEssentials

/// A JSON5 text that is whole, has no field twice, and knows where its values stand.
package struct JSON5Document: Sendable {
  let root: JSON5Value
  private let text: [Unicode.Scalar]

  /// - Throws: With the place of what is wrong.
  package init(_ bytes: [UInt8]) throws(JSON5File.Failure) {
    if let index = Self.firstBadByte(of: bytes) {
      // What is before it is text.
      let before = Array(String(decoding: bytes[..<index], as: UTF8.self).unicodeScalars)
      let byte = String(bytes[index], radix: 16, uppercase: true)
      throw JSON5File.Failure(
        reason: "the byte 0x\(byte) is not UTF-8: save the file as UTF-8",
        place: JSON5Place(of: before.count, in: before))
    }
    text = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
    do throws(JSON5Scanner.SyntaxError) {
      root = try JSON5Scanner.scan(text)
    } catch {
      throw JSON5File.Failure(
        reason: error.reason, place: JSON5Place(of: error.position, in: text))
    }
    if let (name, first, second) = root.duplicate {
      throw JSON5File.Failure(
        reason: "'\(name)' is here a second time, after \(place(first)): remove one of them",
        place: place(second))
    }
  }

  func place(_ position: Int) -> JSON5Place { JSON5Place(of: position, in: text) }

  /// Where the value stands that a path leads to, or the nearest around it that there is.
  package func place(of path: [JSON5Step]) -> JSON5Place {
    place(root.nearest(to: path).range.lowerBound)
  }

  /// A value as it is written, if it is short; else what it is.
  package func found(at path: [JSON5Step]) -> String? {
    guard let value = root[path] else { return nil }
    switch value.content {
    case .object: return "an object"
    case .list: return "a list"
    case .scalar:
      let written = text[value.range]
      let isShort = written.count <= 40 && !written.contains(where: \.isLineEnd)
      return isShort ? String(String.UnicodeScalarView(written)) : "a long text"
    }
  }

  /// - Throws: With the field that is missing or wrong, and its place.
  package func decode<Value: Decodable>(_: Value.Type) throws(JSON5File.Failure) -> Value {
    do {
      return try JSONDecoder().decode(Value.self, from: Data(root.json.utf8))
    } catch let error as DecodingError {
      throw JSON5File.Failure(error, in: self)
    } catch {
      throw JSON5File.Failure(reason: "it cannot be decoded: \(error)")
    }
  }

  private static func firstBadByte(of bytes: [UInt8]) -> Int? {
    var parser = UTF8.ForwardParser()
    var input = bytes.makeIterator()
    var position = 0
    while true {
      switch parser.parseScalar(from: &input) {
      case .valid(let units): position += units.count
      case .error: return position
      case .emptyInput: return nil
      }
    }
  }
}
