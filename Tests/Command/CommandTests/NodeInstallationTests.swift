import Foundation
import ProgramTestSupport
import TestSupport
import Testing

@Test func `after its installation, hosts start a server with its options`() throws {
  let user = try TemporaryUser()
  user.variables["PORTATIVE_SOUNDFONT"] = nil
  let song = try user.folder.put(shortSong())
  let file = try user.folder.put(
    Data(#"{ ports: [{ name: "Test: Flutes", subtype: "flut", tags: ["organ"] }] }"#.utf8),
    "organ.json")
  let installed = try user.run(
    "serve", "--install", "--config", file, "--soundfont", bundledSoundFont, "--name", "organ")
  #expect(installed.exitCode == 0, "\(installed.errors)")
  #expect(installed.outputText.contains("Wrote \(user.folder("data/portative/nodes/organ.json")):"))
  #expect(installed.errors == "")
  #expect(user.files == [])

  let played = try user.run("play", "--node", "flutes", "-o", user.folder("x.wav"), song)
  #expect(played.exitCode == 0, "\(played.errors)")
  #expect(played.errors.hasPrefix("starting the node 'organ'\n"))
  #expect(user.ports(of: "organ") == ["Test: Flutes"])
  #expect(user.process(of: "organ").map { kill($0, SIGTERM) } == 0)
}

@Test func `ports that differ from the manifest are refused with the command to run`() throws {
  let user = try TemporaryUser()
  try user.configureOnePort()
  #expect(try user.run("serve", "--install", "-q").exitCode == 0)
  let server = try user.serve()
  let second = try user.run("serve", "--name", "portative")
  #expect(second.errors.contains("already running"))

  try user.configure(#"{ ports: [{ name: "Test: Other", subtype: "othr" }] }"#)
  server.send(SIGHUP)
  try server.wait { server.errors.contains("; the previous configuration stays in use") }
  #expect(
    server.errors.contains("'portative serve --audio none --midi none --install'"),
    "\(server.errors)")
  #expect(user.ports(of: "portative") == ["Portative: General MIDI"])

  // The server reads the manifest again when it reloads.
  #expect(try user.run("serve", "--install", "-q").exitCode == 0)
  server.send(SIGHUP)
  try server.wait { server.errors.contains("reloaded") }
  #expect(user.ports(of: "portative") == ["Test: Other"])
  server.send(SIGTERM)
  #expect(try server.result().exitCode == 0)

  try user.configure("{}")
  let refused = try user.run("serve")
  #expect(refused.exitCode == 1)
  #expect(refused.errors.contains("'portative serve --install'"))
  #expect(user.files == [])
}

@Test func `the manifest in the repository lists the built-in ports`() throws {
  let user = try TemporaryUser()
  try FileManager.default.copyItem(
    at: repositoryRoot.appending(path: "nodes/portative.json"),
    to: URL(filePath: user.folder("data/portative/nodes/portative.json")))
  let server = try user.serve()
  try server.wait { server.errors.contains("Portative: General MIDI: published") }
  #expect(try user.run("list").errors == "")
}
