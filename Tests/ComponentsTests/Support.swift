import Components

func component(
  _ subtype: String, type: PortType = .instrument
) throws -> ComponentDescription {
  ComponentDescription(
    type: type, subtype: try FourCharacterCode(subtype), manufacturer: try FourCharacterCode("Ptvo")
  )
}

func port(
  _ subtype: String, type: PortType = .instrument, name: String = "Maker: Organ",
  version: String = "1.2.3", icon: String? = nil, tags: [String] = []
) throws -> PortDescription {
  try PortDescription(
    component: component(subtype, type: type), name: name, version: SemanticVersion(version),
    icon: icon, tags: tags)
}
