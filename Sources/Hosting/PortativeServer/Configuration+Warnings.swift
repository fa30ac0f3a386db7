package import Configuration
import LocalSystem
import NodeProtocol

extension Configuration {
  /// Returns warnings about fields that have no effect on the unit of their port.
  func unusedFields(of ports: [PortSettings]) -> [String] {
    ports.enumerated().flatMap { index, port -> [String] in
      // An error in the port is reported later.
      guard let unit = try? UnitKind(port) else { return [] }
      var fields = unit.usesSoundFont ? [] : port.soundFontFields
      if unit != .chain, port.nodes != nil { fields.append("nodes") }
      if unit != .split, port.instruments != nil { fields.append("instruments") }
      if unit != .lv2, port.lv2 != nil { fields.append("lv2") }
      if unit != .lv2, unit != .split, port.isolation != nil { fields.append("isolation") }
      if unit != .lv2 { fields += port.pluginFields }
      if let type = try? unit.type(port), !type.takesMIDI, port.keyboards != nil {
        fields.append("keyboards")
      }
      return fields.map { field in
        error(
          inPort: index, field: field,
          reason: "'ports[\(index)].\(field)' is ignored: a \(unit.rawValue) does not use it"
        ).description
      }
    }
  }
}

extension Configuration.UnknownField {
  /// A sentence, with the closest known name or else all known names.
  package var warning: String {
    let hint = closest(to: name.lowercased(), among: known).map { "did you mean '\($0)'?" }
    let list = known.joined(separator: ", ")
    return "\(location): '\(path)' is unknown and ignored: \(hint ?? "known fields are \(list)")"
  }
}
