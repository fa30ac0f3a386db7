import Glibc
import LocalSystem
import TestSupport
import Testing

@testable import NodeProtocol

@Test func `the registry has the components of manifests and running nodes`() throws {
  let nodes = try TemporaryNodes()
  let folder = nodes.directories.manifests[0]
  try NodeManifest(
    name: "organ", command: ["organ"],
    ports: [port("org1", name: "Maker: A"), port("org2", name: "Maker: B")]
  ).write(to: folder)
  let organ = try RunningNode.claim("organ", in: nodes.directories)
  let leaveRecording = try RunningNode.claim("stray", in: nodes.directories)
  try organ.publish([port("org1", name: "Maker: A")])
  try leaveRecording.publish([port("org1", name: "Maker: C")])
  let components = ComponentRegistry(nodes.directories).components()
  #expect(components.map(\.port.name) == ["Maker: A", "Maker: B", "Maker: C"])
  #expect(components.map(\.node) == ["organ", "organ", "stray"])
  #expect(components.map(\.isRunning) == [true, false, true])
  #expect(components.map(\.processID) == [getpid(), nil, getpid()])
  #expect(components.map(\.canBeLaunched) == [true, true, false])
  #expect(components.map(\.manifest) == ["\(folder)/organ.json", "\(folder)/organ.json", nil])
  organ.close()
  leaveRecording.close()
  #expect(
    ComponentRegistry(nodes.directories).components().map(\.isRunning) == [false, false])
}

@Test func `components are listed by maker and name, or by their last use`() throws {
  let nodes = try TemporaryNodes()
  let node = try RunningNode.claim("organ", in: nodes.directories)
  try node.publish([
    port("org1", name: "maker: b"), port("org2", name: "Other: a"), port("org3", name: "Maker: a"),
    port("org4", name: "Zither: z"),
  ])
  let registry = ComponentRegistry(nodes.directories)
  func found(_ order: ComponentOrder) -> [String] {
    registry.components(sortedBy: order).map(\.port.name)
  }
  #expect(found(.makerAndName) == ["Maker: a", "maker: b", "Other: a", "Zither: z"])
  #expect(found(.lastUse) == found(.makerAndName))
  let lastUse = LastUse(nodes.directories)
  for subtype in ["org2", "org4"] {
    let now = try lastUse.time(of: component("org2"), of: "organ") ?? 0
    try wait {
      try lastUse.record(component(subtype), of: "organ")
      return try lastUse.time(of: component(subtype), of: "organ") ?? 0 > now
    }
  }
  #expect(found(.lastUse) == ["Zither: z", "Other: a", "Maker: a", "maker: b"])
  #expect(
    registry.components(sortedBy: .lastUse).map { $0.lastUse != nil } == [true, true, false, false])
  node.close()
}

@Test func `a query selects components, and an ambiguous name selects several`() throws {
  let nodes = try TemporaryNodes()
  let first = try RunningNode.claim("first", in: nodes.directories)
  let second = try RunningNode.claim("second", in: nodes.directories)
  try first.publish([port("org1"), port("rev1", type: .effect, name: "Maker: Room")])
  try second.publish([port("org1")])
  let registry = ComponentRegistry(nodes.directories)
  #expect(registry.components(matching: ComponentQuery(type: .effect)).map(\.node) == ["first"])
  #expect(
    registry.components(matching: ComponentQuery(name: "organ")).map(\.node) == ["first", "second"])
  #expect(registry.components(matching: ComponentQuery(name: "none")) == [])
  first.close()
  second.close()
}

@Test func `broken manifests are reported, and hide no others`() throws {
  let nodes = try TemporaryNodes()
  let registry = ComponentRegistry(nodes.directories)
  #expect(registry.contents() == ComponentRegistry.Contents(components: [], problems: []))
  let manifest = try nodes.system.add("home/.local/share/portative/nodes/broken.json", "{")
  let node = try RunningNode.claim("organ", in: nodes.directories)
  try node.publish([port("org1")])
  let broken = try RunningNode.claim("broken", in: nodes.directories)
  let file = try nodes.system.add("runtime/portative/broken.json", "{")
  #expect(registry.components().map(\.node) == ["organ"])
  #expect(registry.problems.map(\.path) == [manifest, file])
  node.close()
  broken.close()
}
