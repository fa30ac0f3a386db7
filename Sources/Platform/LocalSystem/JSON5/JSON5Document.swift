import FoundationEssentials

/// A valid JSON5 text without duplicate fields, with the locations of its values.
package struct JSON5Document: Sendable {
  let root: JSON5Value
  let text: [Unicode.Scalar]

  /// Parses a text.
  ///
  /// - Throws: ``JSON5File/Failure`` with the location of the error.
  package init(_ bytes: [UInt8]) throws(JSON5File.Failure) {
    if let index = Self.firstBadByte(of: bytes) {
      // All bytes before the invalid one are valid UTF-8.
      let before = Array(String(decoding: bytes[..<index], as: UTF8.self).unicodeScalars)
      let byte = String(bytes[index], radix: 16, uppercase: true)
      throw JSON5File.Failure(
        reason: "the byte 0x\(byte) is not UTF-8: save the file as UTF-8",
        location: JSON5Location(of: before.count, in: before))
    }
    text = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
    do throws(JSON5Scanner.SyntaxError) {
      root = try JSON5Scanner.scan(text)
    } catch {
      throw JSON5File.Failure(
        reason: error.reason, location: JSON5Location(of: error.position, in: text))
    }
    if let (name, first, second) = root.duplicate {
      throw JSON5File.Failure(
        reason: "'\(name)' is a duplicate of the field at \(location(first)): remove one of them",
        location: location(second))
    }
  }

  func location(_ position: Int) -> JSON5Location { JSON5Location(of: position, in: text) }

  /// Returns the location of the value at a path, or of the innermost existing value that would contain it.
  package func location(of path: [JSON5Step]) -> JSON5Location {
    location(root.nearest(to: path).range.lowerBound)
  }

  /// Returns the source text of the value at a path if it is short, otherwise its kind; `nil` if there is no value.
  package func found(at path: [JSON5Step]) -> String? {
    guard let value = root[path] else { return nil }
    switch value.content {
    case .object: return "an object"
    case .list: return "a list"
    case .scalar:
      let source = text[value.range]
      let isShort = source.count <= 40 && !source.contains(where: \.isLineEnd)
      return isShort ? String(String.UnicodeScalarView(source)) : "a long text"
    }
  }

  /// Decodes the root value.
  ///
  /// - Throws: ``JSON5File/Failure`` with the missing or invalid field and its location.
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
