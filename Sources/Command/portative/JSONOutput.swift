import BatchRenderer
import FoundationEssentials

/// What the program writes as JSON. Every line of a verb's `--json`, and every report, names its schema in `schema`;
/// the schemas are in `share/portative/schemas`.
///
/// Within a version fields may be added, but none change their meaning and no required one goes.
enum JSONOutput: String, CaseIterable {
  /// What `--report` and `merge` write.
  case report
  case render, play, list, describe, status, connect, doctor, latency
  /// Each line of `list --watch`.
  case listWatch = "list-watch"

  /// As it stands in the field `schema`.
  var identifier: String { "portative/\(rawValue)/1" }

  /// One line, with its newline.
  ///
  /// - Parameter content: Something that becomes a JSON object.
  func line(_ content: some Encodable) -> String {
    RenderReport.encode(Tagged(schema: identifier, content: content), []) + "\n"
  }
}

/// An object with its schema among its fields.
private struct Tagged<Content: Encodable>: Encodable {
  let schema: String
  let content: Content

  private enum Key: CodingKey { case schema }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(schema, forKey: .schema)
    try content.encode(to: encoder)
  }
}
