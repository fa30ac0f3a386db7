import Configuration
import NodeDirectory
import Options

extension ServePlan {
  /// Returns warnings about fields that have no effect on the unit of their port.
  static func idleFields(_ ports: [PortSettings], _ configuration: Configuration) -> [String] {
    ports.enumerated().flatMap { index, port -> [String] in
      // An error in the port is reported later.
      guard let kind = try? UnitPlan.kind(port) else { return [] }
      var fields = kind.usesSoundFont ? [] : port.soundFontFields
      if kind != .chain, port.nodes != nil { fields.append("nodes") }
      if let type = try? UnitPlan.type(port), !type.takesMIDI, port.keyboards != nil {
        fields.append("keyboards")
      }
      return fields.map { field in
        configuration.error(
          inPort: index, field: field,
          reason: "'ports[\(index)].\(field)' is ignored: it means nothing to a \(kind.rawValue)"
        ).description
      }
    }
  }
}

extension Configuration.UnknownField {
  /// A sentence, with the closest known name or else all known names.
  var warning: String {
    let hint = closest(to: name.lowercased(), among: known).map { "did you mean '\($0)'?" }
    let list = known.joined(separator: ", ")
    return "\(location): '\(path)' is unknown and ignored: \(hint ?? "there are \(list)")"
  }
}
