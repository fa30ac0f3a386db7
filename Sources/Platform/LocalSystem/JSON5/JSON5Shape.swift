/// Which fields a text may have, for the sake of misspelt ones.
package indirect enum JSON5Shape: Sendable {
  /// Whatever is in it is not looked at.
  case anything
  case list(of: JSON5Shape)
  case object([String: JSON5Shape])

  /// An object whose fields are not looked into.
  package static func object<Key: CodingKey & CaseIterable>(
    _ keys: Key.Type, _ inner: [Key: JSON5Shape] = [:]
  ) -> JSON5Shape {
    .object(
      Dictionary(
        uniqueKeysWithValues: keys.allCases.map { ($0.stringValue, inner[$0] ?? .anything) }))
  }
}

/// A field that nothing reads.
package struct JSON5UnknownField: Equatable, Sendable {
  package let path: [JSON5Step]
  package let place: JSON5Place
  package let name: String
  /// Those that are read in its place.
  package let known: [String]
}

extension JSON5Document {
  /// The fields that are not in a shape, in their order.
  package func unknownFields(in shape: JSON5Shape) -> [JSON5UnknownField] {
    unknownFields(of: root, at: [], in: shape)
  }

  private func unknownFields(
    of value: JSON5Value, at path: [JSON5Step], in shape: JSON5Shape
  ) -> [JSON5UnknownField] {
    switch (shape, value.content) {
    case (.list(let shape), .list(let values)):
      values.enumerated().flatMap {
        unknownFields(of: $0.element, at: path + [.element($0.offset)], in: shape)
      }
    case (.object(let shapes), .object(let fields)):
      fields.flatMap { field in
        let path = path + [.field(field.name)]
        if let shape = shapes[field.name] {
          return unknownFields(of: field.value, at: path, in: shape)
        }
        return [
          JSON5UnknownField(
            path: path, place: place(field.start), name: field.name, known: shapes.keys.sorted())
        ]
      }
    default: []
    }
  }
}
