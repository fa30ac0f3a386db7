import Configuration
import LV2Host
import LocalSystem
import NodeProtocol
import PluginNodes
import RenderCore
import ServerTestSupport
import TestSupport
import Testing

@testable import PortativeServer

private let chain = #"unit: "chain", type: "instrument""#

/// Invalid configurations, and the part of the message that follows the file's path.
private let invalidConfigurations: [(configuration: String, message: String)] = [
  ("{ ports: [", ":1:11: the file ends before the ']' of the '[' at line 1, column 10"),
  ("{\n  ports: [] }", ":2:10: 'ports' is empty: add a port, or remove 'ports'"),
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
    ":1:71: 'ports[1].subtype' makes the component 'instrument one  Ptvo', which 'A: B' already has"
  ),
  (
    #"{ ports: [{ name: "A: B", subtype: "one " }, { name: "A: B", subtype: "two " }] }"#,
    ":1:54: 'ports[1].name' is 'A: B', which another port already has: rename one of them"
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
    #"{ ports: [{ name: "A: B", subtype: "one ", threads: 0 }] }"#,
    ":1:53: 'ports[0].threads' must be 1 to 64, but is 0"
  ),
  (
    #"{ ports: [{ name: "A: B", subtype: "one ", threads: 2, timing: "stock" }] }"#,
    ":1:53: 'ports[0].threads' must be 1 in stock timing, where one synth plays all notes, but is 2"
  ),
  (
    #"{ ports: [{ name: "A: B", subtype: "one ", preset: { bank: 0, program: 128 } }] }"#,
    ":1:72: 'ports[0].preset.program' must be 0 to 127, but is 128"
  ),
  (
    #"{ ports: [{ name: "A: B", subtype: "one ", preset: { bank: 999, program: 0 } }] }"#,
    ":1:52: 'ports[0].preset' does not exist: "
  ),
  (
    #"{ ports: [{ name: "A: B", subtype: "one ", timing: "exakt" }] }"#,
    ":1:52: 'ports[0].timing' must be one of exact, stock, but is 'exakt': did you mean 'exact'?"
  ),
  (
    #"{ ports: [{ name: "A: B", subtype: "one ", unit: "delay", parameters: { fedback: 1 } }] }"#,
    ":1:82: 'ports[0].parameters.fedback' is not a parameter: did you mean 'feedback'?"
  ),
  (
    "{ ports: [\(String(repeating: "{ name: 'A: B', subtype: 'one ' },", count: 129))] }",
    ":1:10: 'ports' has 129 ports, but a server can publish at most 128"
  ),
  (
    #"{ ports: [{ name: "A: B", subtype: "one ", \#(chain), nodes: ["b"] }] }"#,
    ":1:86: 'ports[0].nodes' contains a cycle: 'A: B' plays 'A: B'"
  ),
  (
    #"{ ports: [{ name: "A: B", subtype: "one ", \#(chain), nodes: ["two"] }, "#
      + #"{ name: "A: C", subtype: "two ", \#(chain), nodes: ["portative/A: B"] }] }"#,
    ":1:86: 'ports[0].nodes' contains a cycle: 'A: B' plays 'A: C' plays 'A: B'"
  ),
]

@Test(arguments: invalidConfigurations)
func `an invalid configuration is refused with the location of the error`(
  configuration: String, message: String
) throws {
  let user = TestUser()
  let log = TestLog()
  let error = try #require(throws: (any Error).self) {
    try user.plan(configuration, log).load()
  }
  #expect(Failure(error).kind == .inputUnusable)
  #expect(Failure(error).message.hasPrefix(user.file + message), "\(error)")
  #expect(!log.messages.contains { $0.hasPrefix("error: ") })
}

@Test func `the errors of all ports are reported, and the last one is thrown`() throws {
  let log = TestLog()
  let error = try #require(throws: ConfigurationError.self) {
    try TestUser().plan(
      #"{ ports: [{ name: "A: B", subtype: "x" }, { name: "A: C", subtype: "one ", gain: 99 }] }"#,
      log)
  }
  #expect(log.messages.count == 1)
  #expect(log.messages.first?.contains("'ports[0].subtype'") == true)
  #expect(error.description.contains("'ports[1].gain'"))
}

@Test func `a field without effect is ignored, with a warning`() throws {
  let user = TestUser()
  let log = TestLog()
  let plan = try user.plan(
    #"""
    { prots: [],
      ports: [{ name: "A: B", subtype: "one ", prest: {} },
              { name: "A: C", subtype: "two ", unit: "delay", gain: 3, nodes: [], instruments: {} },
              { name: "A: D", subtype: "tre ", lv2: "urn:a", isolation: "shared", unit: "delay" }] }
    """#, log)
  #expect(
    log.messages == [
      "warning: \(user.file):1:3: 'prots' is unknown and ignored: did you mean 'ports'?",
      "warning: \(user.file):2:44: 'ports[0].prest' is unknown and ignored: did you mean 'preset'?",
      "warning: \(user.file):3:65: 'ports[1].gain' is ignored: a delay does not use it",
      "warning: \(user.file):3:75: 'ports[1].nodes' is ignored: a delay does not use it",
      "warning: \(user.file):3:92: 'ports[1].instruments' is ignored: a delay does not use it",
      "warning: \(user.file):4:49: 'ports[2].lv2' is ignored: a delay does not use it",
      "warning: \(user.file):4:69: 'ports[2].isolation' is ignored: a delay does not use it",
    ])
  #expect(plan.ports.map(\.unit) == [.synth, .delay, .delay])
}

@Test func `a cycle through the manifest of another node is refused`() throws {
  let user = TestUser()
  func port(_ name: String, _ nodes: String) -> String {
    #"{ ports: [{ name: "Test: \#(name)", subtype: "\#(name)", \#(chain), nodes: ["\#(nodes)"] }] }"#
  }
  user.settings.node = "other"
  _ = try NodeInstallation(
    user.settings, user.plan(port("away", "home")), in: user.system.environment
  ).run()
  user.settings.node = ServerSettings.defaultNode
  let error = try #require(throws: ConfigurationError.self) {
    try user.plan(port("home", "away"))
  }
  #expect(
    error.reason
      == "'ports[0].nodes' contains a cycle: 'Test: home' plays 'other/Test: away' plays "
      + "'Test: home'; remove one of them")
}

@Test func `a port that names a SoundFont does not need another one`() throws {
  let user = TestUser()
  user.system.environment.variables["PORTATIVE_SOUNDFONT"] = "/none.sf2"
  func port(_ fields: String) -> String {
    #"{ ports: [{ name: "A: B", subtype: "one "\#(fields) }] }"#
  }
  let plan = try user.plan(port(#", soundfont: "\#(bundledSoundFont)""#))
  #expect(plan.soundFont == nil)
  #expect(try plan.load().count == 1)
  #expect(try user.plan(port(#", unit: "metronome""#)).soundFont == nil)
  let error = try #require(throws: SoundFontError.self) { try user.plan(port("")) }
  #expect(error.failure.kind == .soundFontUnusable)
}

@Test func `keyboards play a port with 34 channels in stereo`() throws {
  let plan = try TestUser().plan(
    #"{ ports: [{ name: "A: B", subtype: "one ", unit: "multi-synth", parameters: { gain: -6 } }] }"#
  )
  let port = try #require(try plan.load().first)
  #expect(throws: FormatError.self) { try port.source.makeUnit(Format()) }
  let hosted = try port.source.makeUnit(Format(outputChannels: 34))
  let local = try port.localSource.makeUnit(Format())
  #expect(local.parameters?.tree == hosted.parameters?.tree)
  #expect(local.parameters?.all["gain"] == -6 && hosted.parameters?.all["gain"] == -6)
}

@Test func `units have the numbers of channels that the descriptions of their ports name`() throws {
  try TestPlugins.use()
  let user = TestUser()
  let chosen = try user.plan(
    #"{ ports: [{ name: "A: B", subtype: "one ", \#(chain), nodes: ["away"] }, { lv2: "\#(TestPlugins.sampler)", isolation: "shared" }] }"#
  )
  #expect(chosen.ports.first { $0.unit == .chain }?.description.channels == nil)
  let plugin = try chosen.load().filter { $0.plan.unit == .lv2 }
  #expect(plugin.count == 1)
  let other = TestUser()
  let standard = try ServerPlan(other.settings, in: other.system.environment, observer: TestLog())
  for port in try standard.load() + plugin {
    let channels = try #require(port.plan.description.channels)
    for inputs in channels.inputs {
      // Effects have at least as many outputs as inputs.
      for outputs in channels.outputs where outputs >= inputs {
        _ = try port.source.makeUnit(Format(inputChannels: inputs, outputChannels: outputs))
      }
    }
  }
}

@Test func `without a configuration there is a port for every unit except a chain`() throws {
  let user = TestUser()
  let plan = try ServerPlan(user.settings, in: user.system.environment, observer: TestLog())
  #expect(plan.files == [])
  #expect(
    Set(plan.ports.map(\.unit)) == Set(UnitKind.allCases).subtracting([.chain, .split, .lv2]))
  #expect(try plan.load().map(\.plan) == plan.ports)
}

@Suite(.timeLimit(.minutes(5))) struct PluginPlanTests {
  private func plan(_ fields: String) throws -> ServerPlan {
    try TestPlugins.use()
    let user = TestUser()
    try user.system.add("config/portative/sounds/a.txt", "0.5")
    return try user.plan("{ ports: [{ lv2: \"\(TestPlugins.sampler)\", \(fields) }] }")
  }

  @Test func `paths of plugins' files begin at the folder of the configuration`() throws {
    let source = try #require(
      plan(#"files: { "sample-file": "sounds/a.txt" }, texts: { title: "T" }"#).ports.first?.plugin
    )
    .source
    #expect(source.files.count == 1 && source.properties["title"] == "T")
    #expect(source.files[0].hasSuffix("/config/portative/sounds/a.txt"))
  }

  @Test(arguments: [
    (
      #"files: { "sample-file": "none.txt" }"#,
      "'ports[0].files.sample-file' cannot be used: 'sample-file' of Sampler cannot be '"
    ),
    (
      #"files: { sample: "sounds/a.txt" }"#,
      "'ports[0].files.sample' cannot be used: Sampler has no file or text 'sample': it has sample-file, title"
    ),
    (
      #"texts: { "sample-file": "a" }"#,
      "'ports[0].texts.sample-file' is a file: write it into files"
    ),
    (#"files: { title: "sounds/a.txt" }"#, "'ports[0].files.title' is a text: write it into texts"),
  ])
  func `an unusable file is an error at its place`(fields: String, message: String) throws {
    let error = try #require(throws: ConfigurationError.self) { try plan(fields) }
    #expect(error.description.contains(message) && error.line == 1, "\(error)")
    #expect((error.column ?? 0) > 40, "\(error)")
  }
}
