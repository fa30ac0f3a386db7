import NodeProtocol
import Testing

private func manifest() throws -> NodeManifest {
  try NodeManifest(
    name: "organ", command: ["organ"],
    ports: [port("org1", icon: "/i.png", tags: ["a", "b"]), port("org2")])
}

@Test func `any of the manifest's ports may be published, with tags in any order`() throws {
  try manifest().check(published: [])
  try manifest().check(published: [port("org2"), port("org1", icon: "/i.png", tags: ["b", "a"])])
}

@Test func `a port has the channels that its manifest promises, which need not name them`() throws {
  let (mono, stereo) = (
    try PortChannels(inputs: 0...0, outputs: 1...1), try PortChannels(inputs: 0...0, outputs: 2...2)
  )
  try manifest().check(published: [port("org2", channels: mono)])
  let precise = try NodeManifest(
    name: "organ", command: ["organ"], ports: [port("org2", channels: stereo)])
  try precise.check(published: [port("org2", channels: stereo)])
  for (channels, text) in [(mono, "0 inputs, 1 outputs"), (nil, "none")] {
    #expect(
      throws: PublishError.differs(
        try component("org2"), field: "channels", published: text, promised: "0 inputs, 2 outputs",
        file: "organ.json")
    ) {
      try precise.check(published: [port("org2", channels: channels)])
    }
  }
}

@Test func `a port that is not in the manifest may not be published`() throws {
  let error = #expect(throws: PublishError.self) {
    try manifest().check(published: [port("org2"), port("org2", type: .generator)])
  }
  #expect(
    error?.description
      == "the component 'generator org2 Ptvo' is published, but the manifest 'organ.json' lists only "
      + "'instrument org1 Ptvo', 'instrument org2 Ptvo': list it there, or do not publish it")
}

@Test func `a port that differs from the manifest is reported with the field and both values`()
  throws
{
  for (port, field, published, promised) in [
    (try port("org2", name: "Maker: organ"), "name", "Maker: organ", "Maker: Organ"),
    (try port("org2", version: "1.2.4"), "version", "1.2.4", "1.2.3"),
    (try port("org2", icon: "/x.png"), "icon", "/x.png", "none"),
    (try port("org1", tags: ["a", "b"]), "icon", "none", "/i.png"),
    (try port("org1", icon: "/i.png", tags: ["c", "a"]), "tags", "a, c", "a, b"),
    (try port("org1", icon: "/i.png", tags: ["a, b"]), "tags", "a, b", "a, b"),
    (try port("org1", icon: "/i.png"), "tags", "none", "a, b"),
  ] {
    #expect(
      throws: PublishError.differs(
        port.component, field: field, published: published, promised: promised, file: "organ.json")
    ) {
      try manifest().check(published: [port])
    }
  }
  let error = PublishError.differs(
    try component("org1"), field: "name", published: "A: B", promised: "A: C", file: "/organ.json")
  #expect(
    error.description
      == "'instrument org1 Ptvo' is published with the name 'A: B', but the manifest '/organ.json' has 'A: C': "
      + "make them the same")
}
