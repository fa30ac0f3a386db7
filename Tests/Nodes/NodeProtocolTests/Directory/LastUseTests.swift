import Glibc
import LocalSystem
import NodeProtocol
import TestSupport
import Testing

@Test func `remembers the time of each component of each node`() throws {
  let nodes = try TemporaryNodes()
  let lastUse = LastUse(nodes.directories)
  let organ = try component("org1")
  #expect(lastUse.time(of: organ, of: "organ") == nil)
  let before = Double(time(nil)) - 1
  try lastUse.record(organ, of: "organ")
  let first = try #require(lastUse.time(of: organ, of: "organ"))
  #expect(before...before + 60 ~= first)
  #expect(lastUse.time(of: organ, of: "other") == nil)
  #expect(lastUse.time(of: try component("org1", type: .effect), of: "organ") == nil)
  try wait {
    try lastUse.record(organ, of: "organ")
    return try #require(lastUse.time(of: organ, of: "organ")) > first
  }
}

@Test func `codes may contain slashes and dots`() throws {
  let nodes = try TemporaryNodes()
  let lastUse = LastUse(nodes.directories)
  try lastUse.record(component("/../"), of: "organ")
  #expect(lastUse.time(of: try component("/../"), of: "organ") != nil)
  #expect(lastUse.time(of: try component("...."), of: "organ") == nil)
}

@Test func `states why the time cannot be stored`() throws {
  let nodes = try TemporaryNodes()
  let organ = try component("org1")
  #expect(throws: NodeError.badName("../x", remedy: "do not start it with '.'")) {
    try LastUse(nodes.directories).record(organ, of: "../x")
  }
  let file = try nodes.system.add("file", "")
  nodes.system.environment.variables["XDG_STATE_HOME"] = file
  #expect(
    throws: NodeError.directory(
      .cannotCreate(path: "\(file)/portative", code: ENOTDIR))
  ) {
    try LastUse(nodes.directories).record(organ, of: "organ")
  }
}
