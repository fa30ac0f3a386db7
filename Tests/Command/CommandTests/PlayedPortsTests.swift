import Testing

@testable import LocalSystem
@testable import NodeProtocol
@testable import portative

private func port(
  _ name: String, by host: Int32?, takes commands: RemoteCommand.Kind...
) throws -> PlayedPorts.Port {
  let description = try PortDescription(
    component: ComponentDescription(
      type: .instrument, subtype: FourCharacterCode("abcd"),
      manufacturer: FourCharacterCode("Test")),
    name: "Test: \(name)", version: SemanticVersion("1.0.0"))
  return PlayedPorts.Port(
    component: Component(port: description, node: "n", processID: 1, manifest: nil, lastUse: nil),
    host: host.map { Peer(name: "host", processID: $0) }, commands: commands)
}

@Test func `a host is commanded through the port for which it takes the command`() throws {
  let ports = PlayedPorts(
    [
      try port("A", by: 1), try port("B", by: 2, takes: .stop),
      try port("C", by: 2, takes: .stop, .jump),
    ], named: nil)
  #expect(try ports.port(for: .stop).name == "Test: B")
  #expect(try ports.port(for: .jump).name == "Test: C")
  // The host's response lists the commands that it accepts instead.
  #expect(try ports.port(for: .loop).name == "Test: B")
}

@Test func `several hosts that accept commands must be distinguished by --node`() throws {
  let ports = [try port("A", by: 1, takes: .stop), try port("B", by: 2, takes: .jump)]
  #expect(
    throws: Failure.usage(
      "several hosts accept commands: host (process 1) plays 'n/Test: A', host (process 2) plays 'n/Test: B'; "
        + "select one with --node NAME"
    )
  ) {
    try PlayedPorts(ports, named: nil).port(for: .stop)
  }
}

@Test func `a host has priority over the transport that other ports follow`() throws {
  let (followers, host) = (
    [try port("A", by: nil, takes: .stop), try port("B", by: nil, takes: .stop)],
    try port("C", by: 2, takes: .stop)
  )
  #expect(try PlayedPorts(followers, named: nil).port(for: .stop).receiver == "the transport of n")
  #expect(try PlayedPorts(followers + [host], named: nil).port(for: .stop).name == "Test: C")
  let silent = try port("D", by: 3)
  #expect(try PlayedPorts(followers + [silent], named: nil).port(for: .stop).name == "Test: A")
}
