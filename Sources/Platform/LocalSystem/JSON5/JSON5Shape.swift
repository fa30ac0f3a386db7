/// The fields that a document may have, to find misspelt ones.
package indirect enum JSON5Shape: Sendable {
  /// Any value; its fields are not checked.
  case anything
  case list(of: JSON5Shape)
  case object([String: JSON5Shape])
  /// An object whose fields have names that the user chooses.
  case dictionary(of: JSON5Shape)

  /// Returns the shape of an object with the fields of `keys`. Fields without a shape in `inner` may have any value.
  package static func object<Key: CodingKey & CaseIterable>(
    _ keys: Key.Type, _ inner: [Key: JSON5Shape] = [:]
  ) -> JSON5Shape {
    .object(
      Dictionary(
        uniqueKeysWithValues: keys.allCases.map { ($0.stringValue, inner[$0] ?? .anything) }))
  }
}

/// A field that is not part of the shape.
package struct JSON5UnknownField: Equatable, Sendable {
  package let path: [JSON5Step]
  package let location: JSON5Location
  package let name: String
  /// The fields that the object may have.
  package let known: [String]
}

extension JSON5Document {
  /// Returns the fields that are not part of a shape, in the order of the text.
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
    case (.dictionary(let shape), .object(let fields)):
      fields.flatMap { unknownFields(of: $0.value, at: path + [.field($0.name)], in: shape) }
    case (.object(let shapes), .object(let fields)):
      fields.flatMap { field in
        let path = path + [.field(field.name)]
        if let shape = shapes[field.name] {
          return unknownFields(of: field.value, at: path, in: shape)
        }
        return [
          JSON5UnknownField(
            path: path, location: location(field.start), name: field.name,
            known: shapes.keys.sorted())
        ]
      }
    default: []
    }
  }
}
