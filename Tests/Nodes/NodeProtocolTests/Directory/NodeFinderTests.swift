import LocalSystem
import NodeProtocol
import Testing

private func component(
  _ name: String, _ node: String, runs: Bool = false, subtype: String = "abcd"
) throws -> Component {
  Component(
    port: try PortDescription(
      component: ComponentDescription(
        type: .instrument, subtype: FourCharacterCode(subtype),
        manufacturer: FourCharacterCode("Test")),
      name: name, version: SemanticVersion("1.0.0")),
    node: node, processID: runs ? 1 : nil, manifest: nil, lastUse: nil)
}

private func finder() throws -> NodeFinder {
  NodeFinder([
    try component("Acme: Piano", "grand", subtype: "pian"), try component("Test: Flutes", "organ"),
    try component("Test: Reeds", "organ", subtype: "re  "),
    try component("Best: Piano", "band", runs: true),
  ])
}

private func refusal(of name: String) throws -> String {
  let failure = try #require(throws: Failure.self) { try finder().find(name) }
  #expect(failure.kind == .usage)
  return failure.message
}

@Test(arguments: [
  ("Acme: Piano", "grand"), ("flutes", "organ"), ("test: REEDS", "organ"), ("band", "band"),
  ("grand/piano", "grand"), ("band/Best: Piano", "band"), ("lut", "organ"), ("est: p", "band"),
  ("organ/ree", "organ"), ("instrument pian Test", "grand"),
  ("pian Test", "grand"), ("instrument pian", "grand"), ("grand/pian", "grand"), ("re", "organ"),
])
func `a port is found by its name, by part of it, or through its node`(
  name: String, node: String
) throws {
  #expect(try finder().find(name).node == node)
}

@Test func `without a name, a running port is preferred, then the last used one`() throws {
  #expect(try finder().find(nil).port.name == "Best: Piano")
  let idle = NodeFinder([try component("A: B", "x"), try component("C: D", "y")])
  #expect(try idle.find(nil).port.name == "A: B")
}

@Test func `a name of several ports is refused with the candidates`() throws {
  #expect(
    try refusal(of: "piano")
      == "'piano' is ambiguous: use 'grand/Acme: Piano' or 'band/Best: Piano'")
  #expect(
    try refusal(of: "organ")
      == "'organ' is ambiguous: use 'organ/Test: Flutes' or 'organ/Test: Reeds'")
}

@Test func `a part of several names means the one that all of them begin with`() throws {
  let ports = [
    try component("Test: Grand Wet", "a", subtype: "wetg"), try component("Test: Grand", "a"),
    try component("Test: Reeds", "a", subtype: "reed"),
  ]
  #expect(try NodeFinder(ports).find("gran") == ports[1])
  let twins = NodeFinder(ports + [try component("Test: Grand", "b")])
  #expect(throws: Failure.self) { try twins.find("gran") }
  #expect(try twins.find("b/gran").node == "b")
}

@Test func `a name of no port is refused with the nearest one, or with all`() throws {
  #expect(
    try refusal(of: "Fluts") == "no instrument is named 'Fluts': did you mean 'Flutes'?")
  #expect(
    try refusal(of: "trombone")
      == "no instrument is named 'trombone': use 'Acme: Piano', 'Test: Flutes', 'Test: Reeds' or "
      + "'Best: Piano'")
}

@Test func `an ambiguous code is refused with unambiguous paths`() throws {
  let ports = [
    try component("Test: Delay", "fx", subtype: "dely"),
    try component("Test: Delay", "fx", subtype: "del2"),
  ]
  let failure = try #require(throws: Failure.self) { try NodeFinder(ports).find("Test: Delay") }
  #expect(
    failure.message
      == "'Test: Delay' is ambiguous: use 'fx/instrument dely Test' or 'fx/instrument del2 Test'")
  #expect(try NodeFinder(ports).find("fx/instrument del2 Test") == ports[1])
}
