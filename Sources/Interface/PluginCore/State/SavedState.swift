import FoundationEssentials
import NodeProtocol

/// The state of an instance that a host saves besides the values of control ports: a string in JSON.
///
/// The string has no backslash: hosts save states with serd, whose version 0.30.16 cannot read a backslash directly behind
/// a quote, so that the whole state would be lost. JSON with backslashes is percent-encoded behind a `%`.
package struct SavedState: Codable, Equatable, Sendable {
  /// The version of this format: ``currentVersion``.
  var version = Self.currentVersion
  /// The name of the port, for messages while it does not exist.
  var port: String
  /// The state of the port's unit.
  var unit: UnitState
  /// The values of the control ports that belong to the unit's state, by the parameters' identifiers.
  var controls: [String: Float]

  static let currentVersion = 1

  /// The reason why a saved string cannot be used.
  package enum Flaw: Error, Equatable, CustomStringConvertible {
    case malformed
    case version(Int)

    package var description: String {
      switch self {
      case .malformed: "the saved state is damaged"
      case .version(let version):
        "the saved state has version \(version), but this plugin reads version \(currentVersion): update Portative"
      }
    }
  }

  init(port: String, unit: UnitState, controls: [String: Float]) {
    self.port = port
    self.unit = unit
    self.controls = controls
  }

  /// Whether ``StateStore`` can read a string.
  package static func isReadable(_ text: String) -> Bool { (try? SavedState(text)) != nil }

  /// - Throws: ``Flaw``.
  init(_ text: String) throws(Flaw) {
    struct Header: Decodable { var version: Int }
    let json =
      text.hasPrefix("%")
      ? String(text.dropFirst()).replacing("%5C", with: "\\").replacing("%25", with: "%") : text
    let data = Data(json.utf8)
    guard let header = try? JSONDecoder().decode(Header.self, from: data) else { throw .malformed }
    guard header.version == Self.currentVersion else { throw .version(header.version) }
    guard let state = try? JSONDecoder().decode(Self.self, from: data) else { throw .malformed }
    self = state
  }

  var text: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let json = (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    if !json.contains("\\") { return json }
    return "%" + json.replacing("%", with: "%25").replacing("\\", with: "%5C")
  }
}
