import Foundation
import Glibc
import ProgramTestSupport
import TestSupport
import Testing

@Test func `an invalid configuration is refused before anything is published`() throws {
  let user = try TemporaryUser()
  try user.configure(
    #"{ ports: [{ name: "A: B", subtype: "x" }, { name: "A: C", subtype: "one ", gain: 99 }] }"#)
  for arguments in [["serve", "--audio", "none", "--midi", "none"], ["serve", "--check"]] {
    let result = try Program(arguments, variables: user.variables).result()
    #expect(result.exitCode == 3)
    let file = user.folder("config/portative/config.json")
    let lines = result.errors.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.first?.hasPrefix("portative: \(file):1:36: 'ports[0].subtype' must be") == true)
    #expect(lines.last?.hasPrefix("portative: \(file):1:82: 'ports[1].gain' must be") == true)
    #expect(result.output.isEmpty)
  }
  #expect(user.files == [])
}

@Test func `a server with an unknown field in its configuration warns and continues`() throws {
  let user = try TemporaryUser()
  try user.configure(#"{ prots: [], ports: [{ name: "A: B", subtype: "one " }] }"#)
  let server = try user.serve()
  let file = user.folder("config/portative/config.json")
  #expect(
    server.errors.hasPrefix(
      "warning: \(file):1:3: 'prots' is unknown and ignored: did you mean 'ports'?\n"))
}

@Test func `a check lists the ports and publishes nothing`() throws {
  let user = try TemporaryUser()
  try user.configureOnePort()
  let result = try user.run("serve", "--check")
  #expect(result.exitCode == 0)
  #expect(result.outputText.contains("config/portative/config.json: valid\n"))
  #expect(result.outputText.contains("\nPortative: General MIDI  instrument gmsy Ptvo  synth\n"))
  #expect(user.files == [])
  #expect(try user.run("serve", "--check", "--install").exitCode == 2)
}

@Test(arguments: ["FIFO", "folder", "large", "none"])
func `a configuration that is not a regular file is refused at once`(kind: String) throws {
  let user = try TemporaryUser()
  let file = user.folder("odd.json")
  switch kind {
  case "FIFO": #expect(mkfifo(file, 0o600) == 0)
  case "folder": #expect(mkdir(file, 0o700) == 0)
  case "large":
    _ = try user.folder.put(Data(), "odd.json")
    #expect(truncate(file, 100 << 20) == 0)
  default: break
  }
  let result = try user.run("serve", "--check", "--config", file)
  #expect(result.exitCode == 3)
  #expect(result.errors.hasPrefix("portative: cannot use the configuration '\(file)': "))
}
