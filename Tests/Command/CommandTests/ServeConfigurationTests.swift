import Foundation
import Glibc
import ProgramTestSupport
import Testing

private let chain = #"unit: "chain", type: "instrument""#

/// Configurations that a server rejects, and the part of the message that follows the file's path.
private let faults: [(configuration: String, complaint: String)] = [
  ("{ ports: [", ":1:11: the file ends before the ']' of the '[' at line 1, column 10"),
  ("{\n  ports: [] }", ":2:10: 'ports' is empty: list one, or leave 'ports' out"),
  (
    "{ ports: [{ name: \"A: B\"\n  subtype: \"x\" }] }",
    ":2:3: a comma or '}' is missing after a field"
  ),
  (
    #"{ ports: [{ name: "A: B", subtype: "one ", name: "A: C" }] }"#,
    ":1:44: 'name' is a duplicate of the field at line 1, column 13: remove one of them"
  ),
  (
    #"{ ports: [{ name: "A: B", subtype: "x" }] }"#,
    ":1:36: 'ports[0].subtype' must be a code: 'x' is not a four-character code"
  ),
  (
    #"{ ports: [{ name: "A: B", subtype: "one " }, { name: "A: C", subtype: "one " }] }"#,
    ":1:71: 'ports[1].subtype' makes it 'instrument one  Ptvo', which 'A: B' is too"
  ),
  (
    #"{ ports: [{ name: "A: B", subtype: "one " }, { name: "A: B", subtype: "two " }] }"#,
    ":1:54: 'ports[1].name' is 'A: B', like that of another port: rename one of them"
  ),
  (
    #"{ ports: [{ name: "A: B", subtype: "one ", gain: 99 }] }"#,
    ":1:50: 'ports[0].gain' must be -60 to 33.9 decibels, but is 99"
  ),
  (
    #"{ ports: [{ name: "A: B", subtype: "one ", gain: "loud" }] }"#,
    ":1:50: 'ports[0].gain' must be a number, but is \"loud\""
  ),
  (
    #"{ ports: [{ name: "A: B", subtype: "one ", polyphony: 0 }] }"#,
    ":1:55: 'ports[0].polyphony' must be 1 to 4096, but is 0"
  ),
  (
    #"{ ports: [{ name: "A: B", subtype: "one ", preset: { bank: 0, program: 128 } }] }"#,
    ":1:72: 'ports[0].preset.program' must be 0 to 127, but is 128"
  ),
  (
    #"{ ports: [{ name: "A: B", subtype: "one ", preset: { bank: 999, program: 0 } }] }"#,
    ":1:52: 'ports[0].preset' is not there: "
  ),
  (
    #"{ ports: [{ name: "A: B", subtype: "one ", timing: "exakt" }] }"#,
    ":1:52: 'ports[0].timing' must be one of exact, stock, but is 'exakt': did you mean 'exact'?"
  ),
  (
    #"{ ports: [{ name: "A: B", subtype: "one ", unit: "delay", parameters: { fedback: 1 } }] }"#,
    ":1:82: 'ports[0].parameters.fedback' is no parameter: did you mean 'feedback'?"
  ),
  (
    "{ ports: [\(String(repeating: "{ name: 'A: B', subtype: 'one ' },", count: 129))] }",
    ":1:10: 'ports' has 129 ports, of which a server takes 128 at most"
  ),
  (
    #"{ ports: [{ name: "A: B", subtype: "one ", \#(chain), nodes: ["b"] }] }"#,
    ":1:86: 'ports[0].nodes' lead back to their own port: 'A: B' plays 'A: B'"
  ),
  (
    #"{ ports: [{ name: "A: B", subtype: "one ", \#(chain), nodes: ["two"] }, "#
      + #"{ name: "A: C", subtype: "two ", \#(chain), nodes: ["portative/A: B"] }] }"#,
    ":1:86: 'ports[0].nodes' lead back to their own port: 'A: B' plays 'A: C' plays 'A: B'"
  ),
]

@Test(arguments: faults)
func `a configuration that will not do is refused at its place, before anything is published`(
  configuration: String, complaint: String
) throws {
  let user = try TemporaryUser()
  try user.configure(configuration)
  for arguments in [["serve", "--audio", "none", "--midi", "none"], ["serve", "--check"]] {
    let result = try Program(arguments, variables: user.variables).result()
    #expect(result.exitCode == 3)
    let file = user.folder("config/portative/config.json")
    let lines = result.errors.split(separator: "\n")
    #expect(lines.last?.hasPrefix("portative: \(file)\(complaint)") == true, "\(result.errors)")
    #expect(lines.count { $0.hasPrefix("portative: ") } == 1)
    #expect(result.output.isEmpty)
  }
  #expect(user.files == [])
}

@Test func `all ports that will not do are told of at once`() throws {
  let user = try TemporaryUser()
  try user.configure(
    #"{ ports: [{ name: "A: B", subtype: "x" }, { name: "A: C", subtype: "one ", gain: 99 }] }"#)
  let result = try user.run("serve", "--check")
  #expect(result.exitCode == 3)
  #expect(result.errors.contains("'ports[0].subtype'"))
  #expect(result.errors.contains("'ports[1].gain'"))
}

@Test func `a field that nothing reads is warned of with the nearest name, and served without`()
  throws
{
  let user = try TemporaryUser()
  try user.configure(
    #"""
    { prots: [],
      ports: [{ name: "A: B", subtype: "one ", prest: {} },
              { name: "A: C", subtype: "two ", unit: "delay", gain: 3, nodes: [] }] }
    """#)
  let server = try user.serve()
  let file = user.folder("config/portative/config.json")
  #expect(
    server.errors.hasPrefix(
      """
      warning: \(file):1:3: 'prots' is unknown and ignored: did you mean 'ports'?
      warning: \(file):2:44: 'ports[0].prest' is unknown and ignored: did you mean 'preset'?
      warning: \(file):3:65: 'ports[1].gain' is ignored: it means nothing to a delay
      warning: \(file):3:75: 'ports[1].nodes' is ignored: it means nothing to a delay

      """), "\(server.errors)")
}

@Test func `a check says what would be published, and publishes nothing`() throws {
  let user = try TemporaryUser()
  try user.configureOnePort()
  let result = try user.run("serve", "--check")
  #expect(result.exitCode == 0)
  #expect(result.outputText.contains("config/portative/config.json: usable\n"))
  #expect(result.outputText.contains("\nPortative: General MIDI  instrument gmsy Ptvo  synth\n"))
  #expect(user.files == [])
  #expect(try user.run("serve", "--check", "--install").exitCode == 2)
}

@Test func `a chain that comes back through another node's manifest is refused`() throws {
  let user = try TemporaryUser()
  func port(_ name: String, _ nodes: String) -> String {
    #"{ ports: [{ name: "Test: \#(name)", subtype: "\#(name)", \#(chain), nodes: ["\#(nodes)"] }] }"#
  }
  try user.configure(port("away", "home"))
  #expect(try user.run("serve", "--name", "other", "--install", "-q").exitCode == 0)
  try user.configure(port("home", "away"))
  let result = try user.run("serve", "--check")
  #expect(result.exitCode == 3)
  #expect(
    result.errors.contains(
      "'ports[0].nodes' lead back to their own port: 'Test: home' plays 'other/Test: away' plays "
        + "'Test: home'"), "\(result.errors)")
}

@Test(arguments: ["FIFO", "folder", "large", "none"])
func `a configuration that is no file to read is refused at once`(kind: String) throws {
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
