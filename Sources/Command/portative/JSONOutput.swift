import BatchRenderer
import FoundationEssentials

/// The kinds of JSON that the program writes. Each line of a verb's `--json`, and each report, names its schema in the
/// field `schema`; the schemas are in `share/portative/schemas`.
///
/// Within a version, fields may be added, but no field changes its meaning and no required field is removed.
enum JSONOutput: String, CaseIterable {
  /// The output of `--report` and `render --merge`.
  case report
  /// Each line of the file of `--labels`, in JSON Lines.
  case labels
  case render, play, info, port, presets, serve, list, status, scene, take, learn, connect, devices
  case lv2, doctor, error
  case config, version
  case latency
  /// Each line of `list --watch`.
  case listWatch = "list-watch"
  /// Each line of `list --lv2`.
  case plugins
  case check

  /// The value of the field `schema`.
  var identifier: String { "portative/\(rawValue)/1" }

  /// Returns one line, with its newline.
  ///
  /// - Parameter content: A value that is encoded as a JSON object.
  func line(_ content: some Encodable) -> OutputText {
    OutputText(json: RenderReport.encode(Tagged(schema: identifier, content: content), []) + "\n")
  }
}

/// An object with its schema as one of its fields.
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
