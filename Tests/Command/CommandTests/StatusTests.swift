import Foundation
import NodeProtocol
import ProgramTestSupport
import RenderCore
import TestSupport
import Testing
import portative

@Test func `who plays what, and how it is doing, fits a hundred columns`() throws {
  let user = try TemporaryUser()
  try user.configureOnePort()
  let none = try user.run("list", "--status")
  #expect(none.exitCode == 0)
  #expect(none.outputText == "No node is running: start one, such as portative serve.\n")

  let song = try user.folder.put(endlessSong())
  let server = try user.serve()
  let (node, player) = (
    server.process.processIdentifier,
    try user.start("play", "--node", "last", "-o", user.folder("x.wav"), song)
  )
  try server.wait { server.errors.contains(": initialized, 48000 Hz") }
  let text = try user.run("list", "--status").outputText
  let lines = text.split(separator: "\n")
  #expect(lines.count == 2)
  #expect(lines.allSatisfy { $0.count <= 100 })
  let row =
    #"Portative: General MIDI  portative \(\#(node)\)\s+portative play \(\#(player.process.processIdentifier)\)\s+48000\s+[0-9.]+ %\s+[0-9]+ notes?.*"#
  #expect(try String(lines[1]).wholeMatch(of: Regex(row)) != nil, "\(text)")

  let report = try #require(try user.run("list", "--status", "--json").outputText.objects.first)
  let port = try #require((report["ports"] as? [[String: Any]])?.first)
  #expect((port["host"] as? [String: Any])?["name"] as? String == "portative play")
  #expect((port["rendering"] as? [String: Any])?["sampleRate"] as? Int == 48000)

  player.send(SIGKILL)
  try server.wait { server.errors.contains(": left by") }
  #expect(try user.run("list", "--status").outputText.contains("  -          -     -     -"))
}

@Test(arguments: [["list", "--status"], ["list", "--status", "--json"], ["panic"], ["scene"]])
func `a runtime folder that others can read is an error, and not an empty list`(
  arguments: [String]
) throws {
  let user = try TemporaryUser()
  let folder = user.folder("run/portative")
  try FileManager.default.createDirectory(
    atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
  let result = try user.run(arguments: arguments)
  #expect(result.exitCode == 1)
  #expect(!result.outputText.contains("No node is running"))
  #expect(result.errors.contains("the folder '\(folder)' has mode 0755, but must be accessible"))
}

@Test func `a node that does not answer is named, with how to end it`() throws {
  let user = try TemporaryUser()
  let server = try user.serve()
  server.send(SIGSTOP)
  let result = try user.run("list", "--status")
  #expect(result.exitCode == 1)
  #expect(result.outputText == "")
  let process = server.process.processIdentifier
  #expect(
    result.errors
      == "portative: the node 'portative' (process \(process)) does not answer: if that does not change, end "
      + "it with 'kill -9 \(process)'\n")
}
