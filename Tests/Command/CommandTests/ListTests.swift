import Foundation
import LocalSystem
import ProgramTestSupport
import TestSupport
import Testing

private func lines(_ text: String) -> [String] { text.split(separator: "\n").map(String.init) }

@Test func `ports that run and ports that can be started are listed, in columns`() throws {
  let user = try TemporaryUser()
  try user.configureOnePort()
  let empty = try user.run("list")
  #expect(empty.exitCode == 0)
  #expect(empty.outputText.hasPrefix("There is no port: start a node, such as portative serve"))

  #expect(try user.run("serve", "--install", "-q").exitCode == 0)
  try user.configure(#"{ ports: [{ name: "Test: Flutes", subtype: "flut" }] }"#)
  let server = try user.serve(node: "organ")
  let result = try user.run("list")
  let version = portativeVersion.padding(toLength: 7, withPad: " ", startingAt: 0)
  #expect(
    lines(result.outputText) == [
      "PORT                     COMPONENT             VERSION  NODE       STATE",
      "Portative: General MIDI  instrument gmsy Ptvo  \(version)  portative  starts when used",
      "Test: Flutes             instrument flut Ptvo  \(version)  organ      running "
        + "(\(server.process.processIdentifier))",
    ])
  #expect(result.errors == "")
  #expect(
    try lines(user.run("list", "--type", "effect").outputText).first?.contains("no port") == true)

  let entries = try user.run("list", "--json").outputText.objects
  #expect(
    entries.map { ($0["node"] as? [String: Any])?["name"] as? String } == ["portative", "organ"])
  #expect(entries.map { ($0["node"] as? [String: Any])?["processID"] is Int } == [false, true])
  #expect(entries.map { $0["manifest"] is String } == [true, false])
  #expect((entries[1]["port"] as? [String: Any])?["name"] as? String == "Test: Flutes")
}

@Test func `the last used comes first, with how long ago that was`() throws {
  let user = try TemporaryUser()
  let song = try user.folder.put(shortSong())
  try user.configure(
    #"{ ports: [{ name: "Test: A", subtype: "tesa" }, { name: "Test: B", subtype: "tesb" }] }"#)
  try user.serve()
  let played = try user.run("play", "-q", "-o", user.folder("x.wav"), "--node", "b", song)
  #expect(played.exitCode == 0, "\(played.errors)")
  let rows = try lines(user.run("list", "--recent").outputText)
  try #require(rows.count == 3)
  #expect(rows[0].hasSuffix("  LAST USED"))
  #expect(rows[1].hasPrefix("Test: B ") && rows[1].hasSuffix(" just now"))
  #expect(rows[2].hasPrefix("Test: A ") && rows[2].hasSuffix(" never"))
}

@Test func `a manifest that is of no use is told beside the list`() throws {
  let user = try TemporaryUser()
  try Data("{".utf8).write(to: URL(filePath: user.folder("data/portative/nodes/bad.json")))
  let result = try user.run("list")
  #expect(result.exitCode == 0)
  #expect(result.errors.contains("bad.json' is unusable"))
  #expect(result.outputText.contains("no port"))
}

@Test func `what changes is written as it happens, into a file as new lines`() throws {
  let user = try TemporaryUser()
  try user.configureOnePort()
  let watcher = try user.start("list", "--watch")
  try watcher.wait { watcher.output.contains("STATE") }
  let server = try user.serve()
  let process = server.process.processIdentifier
  try watcher.wait { watcher.output.contains("running (\(process))") }
  server.send(SIGKILL)
  try watcher.wait { watcher.output.contains("gone") }
  let written = lines(watcher.output)
  #expect(written.count == 3, "\(written)")
  #expect(written[1].hasPrefix("Portative: General MIDI  "))
  #expect(written[2].hasPrefix("Portative: General MIDI  "))
  watcher.send(SIGINT)
  #expect(try watcher.result().signal == SIGINT)
}

@Test func `programs get each state of the list as a line`() throws {
  let user = try TemporaryUser()
  try user.configureOnePort()
  let watcher = try user.start("list", "--watch", "--json")
  try watcher.wait { watcher.output.objects.count == 1 }
  let server = try user.serve()
  try watcher.wait { (watcher.output.objects.last?["ports"] as? [Any])?.count == 1 }
  server.send(SIGTERM)
  try watcher.wait { (watcher.output.objects.last?["ports"] as? [Any])?.isEmpty == true }
  watcher.send(SIGTERM)
  #expect(try watcher.result().signal == SIGTERM)
}

@Test func `a watcher whose reader is gone ends by itself`() throws {
  let user = try TemporaryUser()
  let shell = Process()
  shell.executableURL = URL(filePath: "/bin/bash")
  shell.environment = user.variables
  shell.arguments = [
    "-c", #""$0" list --watch | head -1 >/dev/null; exit ${PIPESTATUS[0]}"#, Program.path.path(),
  ]
  try shell.run()
  shell.waitUntilExit()
  #expect(shell.terminationStatus == 128 + SIGPIPE)
}
