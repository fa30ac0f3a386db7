import LV2Atoms
import RenderCore

/// A parameter of a plugin: where its values go, and what they are there.
struct LV2Control: Sendable {
  let target: Target
  let parameter: Parameter
  /// The plugin's values of a parameter that chooses one of them; empty if the values are the same.
  let values: [Float]

  enum Target: Equatable, Sendable {
    /// A control port, by its index.
    case port(Int)
    /// A property, which messages set, and whether its value is a whole number, off or on, or any number.
    case property(String, Form)
  }

  enum Form: UInt8, Sendable { case int, long, float, double, bool }

  /// Returns the parameter's value of a plugin's value, the nearest one.
  func parameterValue(_ native: Float) -> Float {
    if let index = values.indexOfNearest(to: native) { return Float(index) }
    return native.isNaN
      ? parameter.defaultValue : min(parameter.maximum, max(parameter.minimum, native))
  }
}

extension LV2Plugin {
  /// The parameters and their groups. Ports that are for the host itself, and those without a range, have none.
  func controls(sampleRate: Int) -> (controls: [LV2Control], groups: [ParameterTree.Group]) {
    var names = IdentifierList()
    var controls: [LV2Control] = []
    var groups: [ParameterTree.Group] = []
    func add(_ control: LV2Control?) {
      guard let control, controls.count < ParameterTree.maximumCount else { return }
      controls.append(control)
    }
    for port in ports where port.kind == .controlInput && !port.isForHost {
      let group = port.group.map { $0.symbol.asIdentifier }.flatMap { $0.isEmpty ? nil : $0 }
      let identifier = names.add(
        (group.map { $0 + "." } ?? "") + (port.symbol.asIdentifier.nonEmpty ?? "port"))
      guard
        let control = LV2Control(
          .port(port.index), identifier, port.name, port.values, sampleRate: sampleRate)
      else { continue }
      add(control)
      if let group, let name = port.group?.name, !groups.contains(where: { $0.identifier == group })
      {
        groups.append(ParameterTree.Group(group, name.nonEmpty ?? group))
      }
    }
    if eventPort != nil {
      for property in properties {
        guard let form = property.form else { continue }
        let identifier = names.add(property.identifier)
        add(
          LV2Control(
            .property(property.uri, form), identifier, property.name, property.values,
            sampleRate: sampleRate))
      }
    }
    return (controls, groups)
  }
}

extension LV2Control {
  /// - Returns: `nil` if the range has no width, or is wider than parameters may be.
  init?(
    _ target: Target, _ identifier: String, _ name: String, _ range: LV2Values, sampleRate: Int
  ) {
    let factor: Float = range.isRelativeToRate ? Float(sampleRate) : 1
    let minimum = (range.minimum ?? 0) * factor
    let maximum = range.isToggle && range.maximum == nil ? 1 : (range.maximum ?? 1) * factor
    guard minimum < maximum else { return nil }
    let middle = range.standard.map { $0 * factor } ?? minimum
    let standard = middle.isNaN ? minimum : min(maximum, max(minimum, middle))
    self.target = target
    let points = range.points.filter { $0.value >= minimum && $0.value <= maximum }
    let isCounted =
      points.indices.allSatisfy { points[$0].value == minimum + Float($0) }
      && points.last?.value == maximum
    var (values, names): ([Float], [String]) = ([], [])
    var (low, high, start) = (minimum, maximum, standard)
    var unit = range.unit.flatMap(Parameter.Unit.init(lv2:)) ?? .none
    var scale = Parameter.Scale.linear
    if range.isToggle, minimum == 0, maximum == 1 {
      (unit, names, start) = (.toggle, ["off", "on"], standard > 0 ? 1 : 0)
    } else if isCounted, range.isEnumeration || range.isInteger {
      (unit, names, start) = (.index, points.map(\.name), standard.rounded())
    } else if range.isEnumeration, points.count > 1 {
      (values, names) = (points.map(\.value), points.map(\.name))
      let nearest = values.indexOfNearest(to: standard) ?? 0
      (unit, low, high, start) = (.index, 0, Float(points.count - 1), Float(nearest))
    } else if range.isInteger || range.isToggle {
      (unit, low, high, start) = (
        .index, minimum.rounded(.up), maximum.rounded(.down), standard.rounded()
      )
    } else if range.isLogarithmic, minimum > 0 {
      scale = .logarithmic
    }
    self.values = values
    guard
      let parameter = Parameter(
        checked: identifier, name, low...max(low, high), default: start, unit: unit, scale: scale,
        valueNames: names)
    else { return nil }
    self.parameter = parameter
  }
}

extension [Float] {
  /// Returns the index of the nearest value; `nil` without values.
  fileprivate func indexOfNearest(to value: Float) -> Int? {
    indices.min { abs(self[$0] - value) < abs(self[$1] - value) }
  }
}

extension LV2Port {
  /// Whether the port is for the host, which sets it: whether the plugin is on, the position of the song, and the like.
  fileprivate var isForHost: Bool {
    guard let designation else { return false }
    return [LV2URI.enabled, LV2URI.freeWheeling].contains(designation)
      || designation.hasPrefix(LV2URI.time)
  }
}

extension LV2Property {
  /// `nil` for values that are no numbers.
  fileprivate var form: LV2Control.Form? {
    switch range {
    case LV2URI.atom + "Int": .int
    case LV2URI.atom + "Long": .long
    case LV2URI.atom + "Float": .float
    case LV2URI.atom + "Double": .double
    case LV2URI.atom + "Bool": .bool
    default: nil
    }
  }
}

extension Parameter.Unit {
  fileprivate init?(lv2 uri: String) {
    guard uri.hasPrefix(LV2URI.units) else { return nil }
    switch uri.dropFirst(LV2URI.units.count) {
    case "db": self = .decibels
    case "ms": self = .milliseconds
    case "s": self = .seconds
    case "beat": self = .beats
    case "hz": self = .hertz
    case "pc": self = .percent
    case "cent": self = .cents
    case "semitone12TET": self = .semitones
    default: return nil
    }
  }
}
