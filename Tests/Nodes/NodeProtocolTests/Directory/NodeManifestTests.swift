import Glibc
import NodeProtocol
import TestSupport
import Testing

@Test func `a manifest is the same after being written and read`() throws {
  let nodes = try TemporaryNodes()
  let manifest = try NodeManifest(
    name: "organ ♪", command: ["portative", "serve", "a \"b\""],
    ports: [port("org1"), port("org1", type: .musicEffect, icon: "/i.png", tags: ["a", "b"])])
  let folder = nodes.directories.manifests[0]
  for _ in 1...2 { try manifest.write(to: folder) }
  let read = try #require(try NodeManifest.read("\(folder)/organ ♪.json"))
  #expect(read.name == "organ ♪")
  #expect(read.command == manifest.command)
  #expect(read.ports == manifest.ports)
  #expect(read.file == "\(folder)/organ ♪.json")
}

@Test func `a manifest describes the ports of a chain`() throws {
  let nodes = try TemporaryNodes()
  let manifest = try NodeManifest(
    name: "organ", command: ["organ"], ports: [port("org1"), port("org2")],
    chains: [component("org2"): ["Echo", "piano/Grand"]])
  let folder = nodes.directories.manifests[0]
  try manifest.write(to: folder)
  let read = try #require(try NodeManifest.read("\(folder)/organ.json"))
  #expect(read.chains == manifest.chains)
  #expect(read.ports == manifest.ports)
}

@Test func `a manifest may have comments, and fields of later versions`() throws {
  let nodes = try TemporaryNodes()
  let file = try nodes.system.add(
    "organ.json",
    """
    { // mine
      manifest: 1, command: ['/opt/organ'], later: {},
      ports: [{type: 'instrument', subtype: 'org1', manufacturer: 'Ptvo', name: 'Maker: Organ',
               version: '1.2.3', later: 1,},],
    }
    """)
  #expect(try NodeManifest.read(file)?.ports == [port("org1")])
  #expect(try NodeManifest.read("\(nodes.system.root)/none.json") == nil)
}

private func reason(_ changes: (String, String)...) throws -> String? {
  var text = """
    {"manifest": 1, "command": ["organ"], "ports": [{"type": "instrument", "subtype": "org1",
      "manufacturer": "Ptvo", "name": "Maker: Organ", "version": "1.2.3"}]}
    """
  for (old, new) in changes { text.replace(old, with: new) }
  let nodes = try TemporaryNodes()
  let file = try nodes.system.add("organ.json", text)
  do {
    _ = try NodeManifest.read(file)
    return nil
  } catch {
    let (before, after) = ("the manifest '\(file)' is unusable: ", "; fix or remove it")
    #expect(error.description.hasPrefix(before) && error.description.hasSuffix(after))
    let reason = error.description.dropFirst(before.count).dropLast(after.count)
    // The tests of the JSON5 reader cover line and column.
    return String(reason.trimmingPrefix(#/line [0-9]+, column [0-9]+: /#))
  }
}

@Test func `names the field of a manifest that is wrong`() throws {
  #expect(try reason() == nil)
  #expect(
    try reason(("1,", "2,"), ("command", "program"))
      == "'manifest': version 2 is not supported, only version 1")
  #expect(try reason(("\"manifest\": 1,", "")) == "'manifest' is missing")
  #expect(try reason(("command", "program")) == "'command' is missing")
  #expect(try reason(("[\"organ\"]", "\"organ\"")) == "'command' must be a list, but is \"organ\"")
  #expect(
    try reason(("[\"organ\"]", "[]")) == "'command' is empty: write the program and its arguments")
  #expect(
    try reason(("[\"organ\"]", "[\"bin/organ\"]"))
      == "'command[0]' is 'bin/organ', which hosts in other folders would not find: write an "
      + "absolute path, or a name to look up in PATH")
  #expect(
    try reason(("\"org1\"", "\"org\""))
      == "'ports[0].subtype': 'org' is not a four-character code: it needs 4 printable ASCII "
      + "characters, but has 3")
  #expect(
    try reason(("instrument", "synth"))
      == "'ports[0].type': 'synth' is not a port type: write one of instrument, effect, "
      + "musicEffect, generator")
  #expect(
    try reason(("Maker: ", ""))
      == "'ports[0].name': the name cannot be 'Organ': write a maker and a name, as in 'Maker: Name'"
  )
  #expect(
    try reason(("1.2.3", "1.2"))
      == "'ports[0].version': the version cannot be '1.2': write three numbers, such as 1.0.0")
  #expect(try reason(("\"1.2.3\"", "1.2")) == "'ports[0].version' must be a text, but is 1.2")
  #expect(
    try reason(("manifest\": 1", "manifest\": 1 1")) == "a comma or '}' is missing after a field")
}

@Test func `a manifest lists at least one component, and each once`() throws {
  let error = #expect(throws: ManifestError.self) {
    try NodeManifest(name: "organ", command: ["organ"], ports: [])
  }
  #expect(
    error?.description
      == "the manifest 'organ.json' is unusable: 'ports' is empty: list at least one; fix or "
      + "remove it")
  #expect(
    throws: ManifestError.unusable(
      file: "organ.json",
      reason: "'ports[2]' repeats the component 'instrument org1 Ptvo': give it another type or "
        + "subtype")
  ) {
    try NodeManifest(
      name: "organ", command: ["organ"],
      ports: [port("org1"), port("org2"), port("org1", name: "M: Other")])
  }
  #expect(
    throws: ManifestError.unusable(
      file: "organ.json", reason: "'command[1]' contains a NUL character: remove it")
  ) {
    try NodeManifest(name: "organ", command: ["organ", "a\0b"], ports: [port("org1")])
  }
  #expect(throws: ManifestError.self) {
    try NodeManifest(name: "a/b", command: ["organ"], ports: [port("org1")])
  }
}

@Test func `states why a manifest cannot be written`() throws {
  let nodes = try TemporaryNodes()
  let file = try nodes.system.add("file", "")
  let manifest = try NodeManifest(name: "organ", command: ["organ"], ports: [port("org1")])
  let error = #expect(throws: ManifestError.self) { try manifest.write(to: file + "/nodes") }
  #expect(error?.description.contains("\(file)/nodes': Not a directory") == true)
  try nodes.system.add("nodes/organ.json/x", "")
  #expect(
    throws: ManifestError.notWritten(
      file: "\(nodes.system.root)/nodes/organ.json", reason: "Is a directory")
  ) {
    try manifest.write(to: "\(nodes.system.root)/nodes")
  }
}
