/// Changes of whole values that keep the text of those parts that do not change.
extension JSON5Document {
  /// Returns a document whose value at a path has the meaning of other JSON. Fields and elements that mean the same keep
  /// their text, and comments remain. If there is no value at the path, it is added as
  /// ``setting(_:at:)`` does.
  ///
  /// - Parameter json: The value, as JSON.
  /// - Throws: ``JSON5File/Failure`` if the value cannot be added, or if `json` is invalid.
  package func merging(
    _ json: String, at path: [JSON5Step]
  ) throws(JSON5File.Failure) -> JSON5Document {
    try merging(JSON5Document(Array(json.utf8)).root, at: path)
  }

  private func merging(
    _ new: JSON5Value, at path: [JSON5Step]
  ) throws(JSON5File.Failure) -> JSON5Document {
    guard let old = root[path] else { return try setting(new.json, at: path) }
    var document = self
    switch (old.content, new.content) {
    case (.scalar(let before), .scalar(let after)) where before == after: return self
    case (.object(let before), .object(let after)):
      for field in after {
        document = try document.merging(field.value, at: path + [.field(field.name)])
      }
      for field in before where !after.contains(where: { $0.name == field.name }) {
        document = try document.removing(path + [.field(field.name)])
      }
    case (.list(let before), .list(let after)):
      for (index, value) in after.enumerated() {
        document = try document.merging(value, at: path + [.element(index)])
      }
      for index in before.indices.dropFirst(after.count).reversed() {
        document = try document.removing(path + [.element(index)])
      }
    default: return try setting(new.json, at: path)
    }
    return document
  }

  /// Returns a document without a field of an object or an element of a list. Comments around it remain.
  ///
  /// - Throws: ``JSON5File/Failure`` if there is no such value.
  package func removing(_ path: [JSON5Step]) throws(JSON5File.Failure) -> JSON5Document {
    guard let step = path.last, let container = root[path.dropLast()], let value = root[path]
    else { throw JSON5File.Failure(reason: "there is no '\(path.text)'") }
    let items: [(start: Int, end: Int)] =
      switch container.content {
      case .object(let fields): fields.map { ($0.start, $0.value.range.upperBound) }
      case .list(let values): values.map { ($0.range.lowerBound, $0.range.upperBound) }
      case .scalar: []
      }
    guard let index = items.firstIndex(where: { $0.end == value.range.upperBound }) else {
      throw JSON5File.Failure(reason: "'\([step].text)' cannot be removed")
    }
    let item = items[index]
    let limit = index + 1 < items.count ? items[index + 1].start : container.range.upperBound - 1
    let comma = firstComma(in: item.end..<limit)
    var removed: [Range<Int>] = []
    // Without a comma after it, the last item leaves the one before it as the last.
    if comma == nil, index > 0, let other = firstComma(in: items[index - 1].end..<item.start) {
      if text[(other + 1)..<item.start].allSatisfy(\.isBlank) {
        return try replacing([(other..<item.end, "")])
      }
      removed.append(other..<other + 1)
    }
    if let comma, text[item.end..<comma].contains(where: { !$0.isBlank }) {
      // A comment lies between the item and its comma.
      removed += [item.start..<item.end, comma..<comma + 1]
    } else {
      removed.append(widened(item.start..<(comma.map { $0 + 1 } ?? item.end)))
    }
    return try replacing(removed.map { ($0, "") })
  }

  /// Returns a range with the line that it leaves empty, or else with the blanks after it.
  private func widened(_ range: Range<Int>) -> Range<Int> {
    func isSpace(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\t" }
    let before = text[..<range.lowerBound].reversed().prefix(while: isSpace).count
    let after = text[range.upperBound...].prefix(while: isSpace).count
    let (start, end) = (range.lowerBound - before, range.upperBound + after)
    guard start > 0, text[start - 1].isLineEnd, end < text.count, text[end].isLineEnd else {
      return range.lowerBound..<end
    }
    let isPair = text[end] == "\r" && end + 1 < text.count && text[end + 1] == "\n"
    return start..<end + (isPair ? 2 : 1)
  }
}
