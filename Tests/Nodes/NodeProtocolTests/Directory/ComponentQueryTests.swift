import NodeProtocol
import Testing

private func ports() throws -> [PortDescription] {
  [
    try port("org1", name: "Maker: Organ"), try port("org2", name: "Other: organ"),
    try port("pno1", name: "Other: Piano"), try port("rev1", type: .effect, name: "Maker: Room"),
  ]
}

private func found(_ query: ComponentQuery) throws -> [String] {
  query.select(from: try ports(), by: \.self).map { $0.component.subtype.description }
}

@Test func `a missing field matches anything`() throws {
  #expect(try found(.any) == ["org1", "org2", "pno1", "rev1"])
  #expect(try found(ComponentQuery(type: .effect)) == ["rev1"])
  #expect(try found(ComponentQuery(type: .instrument)) == ["org1", "org2", "pno1"])
  #expect(try found(ComponentQuery(subtype: FourCharacterCode("org2"))) == ["org2"])
  #expect(try found(ComponentQuery(manufacturer: FourCharacterCode("none"))) == [])
  #expect(try found(ComponentQuery(type: .effect, subtype: FourCharacterCode("org2"))) == [])
  #expect(try found(ComponentQuery(component("pno1"))) == ["pno1"])
}

@Test func `a name may be the part after the colon, in upper or lower case`() throws {
  #expect(try found(ComponentQuery(name: "PIANO")) == ["pno1"])
  #expect(try found(ComponentQuery(name: "other: piano")) == ["pno1"])
  #expect(try found(ComponentQuery(name: "Other")) == [])
  #expect(try found(ComponentQuery(type: .effect, name: "piano")) == [])
}

@Test func `an ambiguous name matches several components, the whole name one`() throws {
  #expect(try found(ComponentQuery(name: "Organ")) == ["org1", "org2"])
  #expect(try found(ComponentQuery(name: "Maker: Organ")) == ["org1"])
  #expect(try found(ComponentQuery(name: "maker: organ")) == ["org1"])
}
