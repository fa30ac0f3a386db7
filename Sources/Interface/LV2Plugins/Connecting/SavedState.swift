import FoundationEssentials
import NodeDirectory
import NodeProtocol

/// What a host saves of an instance besides the values of control ports: a string in JSON.
struct SavedState: Codable, Equatable, Sendable {
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
  enum Flaw: Error, Equatable, CustomStringConvertible {
    case malformed
    case version(Int)

    var description: String {
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

  /// - Throws: ``Flaw``.
  init(_ text: String) throws(Flaw) {
    struct Header: Decodable { var version: Int }
    let data = Data(text.utf8)
    guard let header = try? JSONDecoder().decode(Header.self, from: data) else { throw .malformed }
    guard header.version == Self.currentVersion else { throw .version(header.version) }
    guard let state = try? JSONDecoder().decode(Self.self, from: data) else { throw .malformed }
    self = state
  }

  var text: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }
}
