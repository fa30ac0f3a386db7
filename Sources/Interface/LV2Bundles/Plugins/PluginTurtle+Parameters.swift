import PluginBundle
import RenderCore

// A control port for each parameter.
extension PluginTurtle {
  var parameterPorts: [TurtleProperties] {
    zip(ports.parameters, plugin.parameters.parameters).map(parameterPort)
  }

  private func parameterPort(_ index: Int, _ parameter: Parameter) -> TurtleProperties {
    var port = port(index, parameter.title, ["lv2:InputPort", "lv2:ControlPort"])
    port.add("lv2:default", .number(parameter.defaultValue))
    port.add("lv2:minimum", .number(parameter.minimum))
    port.add("lv2:maximum", .number(parameter.maximum))
    port.add("lv2:portProperty", Self.properties(of: parameter))
    port.add("lv2:scalePoint", Self.scalePoints(of: parameter).map(TurtleTerm.resource))
    if let unit = parameter.unit.term { port.add("units:unit", unit) }
    if let group = parameter.group.flatMap({ names.parameterGroups[$0] }) {
      port.add("pg:group", .iri(uri(of: group)))
    }
    return port
  }

  private static func properties(of parameter: Parameter) -> [TurtleTerm] {
    var properties: [TurtleTerm] = []
    if parameter.unit == .toggle {
      properties.append("lv2:toggled")
    } else if parameter.isStepped {
      properties.append("lv2:integer")
      if !parameter.valueNames.isEmpty { properties.append("lv2:enumeration") }
    }
    if parameter.scale == .logarithmic { properties.append("pprops:logarithmic") }
    return properties
  }

  private static func scalePoints(of parameter: Parameter) -> [TurtleProperties] {
    if parameter.unit == .toggle { return [] }
    return parameter.valueNames.enumerated().map { offset, name in
      var point = TurtleProperties()
      point.add("rdfs:label", .text(name))
      point.add("rdf:value", .number(parameter.minimum + Float(offset)))
      return point
    }
  }
}

extension Parameter {
  /// The name, which LV2 requires.
  fileprivate var title: String { name.isEmpty ? identifier : name }
}

extension Parameter.Unit {
  /// The unit in LV2; `nil` if LV2 has none.
  fileprivate var term: TurtleTerm? {
    switch self {
    case .decibels: "units:db"
    case .milliseconds: "units:ms"
    case .seconds: "units:s"
    case .beats: "units:beat"
    case .hertz: "units:hz"
    case .percent: "units:pc"
    case .cents: "units:cent"
    case .semitones: "units:semitone12TET"
    case .none, .index, .toggle: nil
    }
  }
}
