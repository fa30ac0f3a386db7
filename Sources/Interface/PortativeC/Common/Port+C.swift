import CPortative
import NodeProtocol

extension portative_port {
  init(_ port: PortDescription, in memory: CMemory) {
    self = .make()
    type = portative_port_type(port.component.type)
    subtype = memory.string(port.component.subtype.description)
    manufacturer = memory.string(port.component.manufacturer.description)
    name = memory.string(port.name)
    version = memory.string(port.version.description)
    icon = memory.string(orNil: port.icon)
    tags = memory.strings(port.tags)
    tag_count = UInt32(port.tags.count)
    if let channels = port.channels {
      minimum_inputs = UInt32(channels.inputs.lowerBound)
      maximum_inputs = UInt32(channels.inputs.upperBound)
      minimum_outputs = UInt32(channels.outputs.lowerBound)
      maximum_outputs = UInt32(channels.outputs.upperBound)
    }
  }
}

extension PortDescription {
  /// - Throws: ``Reason`` for an invalid field.
  init(_ port: UnsafePointer<portative_port>) throws {
    let port = portative_port(port)
    try self.init(
      component: ComponentDescription(port), name: Self.required(port.name, "name"),
      version: SemanticVersion(Self.required(port.version, "version")), icon: String(port.icon),
      tags: [String](port.tags, count: port.tag_count), channels: PortChannels(port))
  }

  private static func required(
    _ text: UnsafePointer<CChar>?, _ field: String
  ) throws(Reason) -> String {
    guard let text = String(text) else {
      throw .badArgument("the port has no \(field): set it")
    }
    return text
  }
}

extension PortChannels {
  /// - Returns: `nil` if the port names none.
  /// - Throws: ``Reason`` or ``DescriptionError`` for invalid numbers.
  fileprivate init?(_ port: portative_port) throws {
    if port.maximum_outputs == 0 { return nil }
    func range(_ minimum: UInt32, _ maximum: UInt32, _ field: String) throws -> ClosedRange<Int> {
      guard minimum <= maximum else {
        throw Reason.badArgument(
          "minimum_\(field) is \(minimum), above maximum_\(field), \(maximum)")
      }
      return Int(minimum)...Int(maximum)
    }
    try self.init(
      inputs: range(port.minimum_inputs, port.maximum_inputs, "inputs"),
      outputs: range(port.minimum_outputs, port.maximum_outputs, "outputs"))
  }
}

extension ComponentDescription {
  init(_ port: portative_port) throws {
    guard let type = PortType(port.type) else {
      throw Reason.badArgument(
        "\(port.type.rawValue) is not the type of a port: use 1 to 4 (portative_port_type)")
    }
    try self.init(
      type: type, subtype: FourCharacterCode(String(port.subtype) ?? ""),
      manufacturer: FourCharacterCode(String(port.manufacturer) ?? ""))
  }
}

extension PortType {
  /// - Returns: `nil` for `PORTATIVE_ANY_TYPE` and unknown values.
  init?(_ type: portative_port_type) {
    switch type {
    case PORTATIVE_INSTRUMENT: self = .instrument
    case PORTATIVE_EFFECT: self = .effect
    case PORTATIVE_MUSIC_EFFECT: self = .musicEffect
    case PORTATIVE_GENERATOR: self = .generator
    default: return nil
    }
  }
}

extension portative_port_type {
  init(_ type: PortType) {
    self =
      switch type {
      case .instrument: PORTATIVE_INSTRUMENT
      case .effect: PORTATIVE_EFFECT
      case .musicEffect: PORTATIVE_MUSIC_EFFECT
      case .generator: PORTATIVE_GENERATOR
      }
  }
}
