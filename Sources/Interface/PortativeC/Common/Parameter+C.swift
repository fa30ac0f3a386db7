import CPortative
import RenderCore

extension portative_parameter {
  init(_ parameter: Parameter, in memory: CMemory) {
    self = .make()
    unit = portative_parameter_unit(parameter.unit)
    identifier = memory.string(parameter.identifier)
    name = memory.string(parameter.name)
    minimum = parameter.minimum
    maximum = parameter.maximum
    default_value = parameter.defaultValue
    scale = parameter.scale == .linear ? PORTATIVE_LINEAR : PORTATIVE_LOGARITHMIC
    value_names = memory.strings(parameter.valueNames)
    value_name_count = UInt32(parameter.valueNames.count)
  }
}

extension portative_preset {
  init(_ preset: Preset, in memory: CMemory) {
    self = .make()
    name = memory.string(preset.name)
    value_count = UInt32(preset.values.count)
    // Sorted, so that equal presets have equal lists.
    let values = preset.values.sorted { $0.key < $1.key }
    self.values = memory.array(
      values.map {
        portative_value(identifier: memory.string($0.key), value: $0.value, reserved: 0)
      })
  }
}

extension [String: Float] {
  init(_ values: UnsafePointer<portative_value>?, count: UInt32) {
    self.init()
    guard let values else { return }
    for index in 0..<Int(count) {
      guard let identifier = String(values[index].identifier) else { continue }
      self[identifier] = values[index].value
    }
  }
}

private let units: [(portative_parameter_unit, Parameter.Unit)] = [
  (PORTATIVE_UNIT_NONE, .none), (PORTATIVE_UNIT_DECIBELS, .decibels),
  (PORTATIVE_UNIT_MILLISECONDS, .milliseconds), (PORTATIVE_UNIT_SECONDS, .seconds),
  (PORTATIVE_UNIT_BEATS, .beats), (PORTATIVE_UNIT_HERTZ, .hertz),
  (PORTATIVE_UNIT_PERCENT, .percent), (PORTATIVE_UNIT_CENTS, .cents),
  (PORTATIVE_UNIT_SEMITONES, .semitones), (PORTATIVE_UNIT_INDEX, .index),
  (PORTATIVE_UNIT_TOGGLE, .toggle),
]

extension portative_parameter_unit {
  init(_ unit: Parameter.Unit) {
    self = units.first { $0.1 == unit }?.0 ?? PORTATIVE_UNIT_NONE
  }
}

extension Parameter.Unit {
  /// - Returns: `nil` for unknown values.
  init?(_ unit: portative_parameter_unit) {
    guard let pair = units.first(where: { $0.0 == unit }) else { return nil }
    self = pair.1
  }
}
