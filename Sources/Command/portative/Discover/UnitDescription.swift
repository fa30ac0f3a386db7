import Configuration
import NodeProtocol
import RenderCore

/// A port's unit, as a host sees it.
struct UnitDescription {
  var port: PortDescription
  /// The latency in frames.
  var latency: Int
  var parameters: ParameterTree
  /// The current values, in the order of the parameters.
  var values: [Float]
  var presets: [Preset]

  var json: OutputText {
    JSONOutput.describe.line(
      Entry(
        port: port, latency: latency,
        parameters: zip(parameters.parameters, values).map(Entry.Value.init),
        groups: parameters.groups, presets: presets))
  }

  private struct Entry: Encodable {
    var port: PortDescription
    var latency: Int
    var parameters: [Value]
    var groups: [ParameterTree.Group]
    var presets: [Preset]

    /// A parameter, with its current value as an additional field.
    struct Value: Encodable {
      var parameter: Parameter
      var value: Float

      private enum Key: CodingKey { case value }

      func encode(to encoder: any Encoder) throws {
        try parameter.encode(to: encoder)
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(value, forKey: .value)
      }
    }
  }

  /// Tables of the parameters and the presets, usually within 100 columns.
  var text: OutputText {
    var text: OutputText = "\(port.name): \(port.component)\n"
    if latency > 0 { text.append("latency: \(latency) frames\n") }
    if !parameters.parameters.isEmpty {
      text.append("\n\(Columns.text([["PARAMETER", "RANGE", "NOW", "NAME"]] + parameterRows))")
    }
    if !presets.isEmpty {
      text.append("\n\(Columns.text([["PRESET", "SETS"]] + PresetTable.settings(presets)))")
    }
    return text
  }

  private var parameterRows: [[String]] {
    zip(parameters.parameters, values).map { parameter, value in
      [
        parameter.identifier, Self.range(parameter),
        ParameterText(parameter: parameter).text(value),
        parameter.name,
      ]
    }
  }

  private static func range(_ parameter: Parameter) -> String {
    if !parameter.valueNames.isEmpty, parameter.valueNames.count <= 4 {
      return parameter.valueNames.joined(separator: ", ")
    }
    let ends = "\(parameter.minimum.shortestText)…\(parameter.maximum.shortestText)"
    return parameter.unit.symbol.isEmpty ? ends : "\(ends) \(parameter.unit.symbol)"
  }
}
