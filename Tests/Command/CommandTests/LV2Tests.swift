import Foundation
import LocalSystem
import ProgramTestSupport
import TestSupport
import Testing

@testable import portative

@Suite(.timeLimit(.minutes(5))) struct LV2Tests {
  private let user: TemporaryUser
  private let library: String

  init() throws {
    user = try TemporaryUser()
    library = try user.folder.createFile("prefix/portative.so", Data("library".utf8))
  }

  /// Writes a manifest with which hosts start the configured server.
  private func installNode(_ name: String = "portative") throws {
    let result = try user.run(
      "serve", "--install", "-q", "--midi", "none", "--audio", "none", "--name", name)
    #expect(result.exitCode == 0, "\(result.errors)")
  }

  private var clapLink: String { user.folder(".clap/portative.clap") }

  /// Whether the shared object of the CLAP plugins is built, which is then linked.
  private var hasCLAP: Bool {
    FileManager.default.fileExists(
      atPath: Program.path.deletingLastPathComponent().appending(path: "libportative-clap.so")
        .path())
  }

  private func install(_ nodes: String...) throws -> ProgramResult {
    try Program(["lv2", "install", "--library", library] + nodes, variables: user.variables)
      .result(within: 60)
  }

  private func end(_ node: String) throws {
    kill(try #require(user.process(of: node)), SIGTERM)
    #expect(eventually { user.ports(of: node) == nil })
  }

  private var bundles: [String] {
    (try? Folder.names(in: user.folder(".lv2"))) ?? []
  }

  private func contents(_ bundle: String) throws -> [String: Data] {
    let names = try #require(try Folder.names(in: user.folder(".lv2/\(bundle)")))
    return try Dictionary(
      uniqueKeysWithValues: names.map {
        ($0, try Data(contentsOf: URL(filePath: user.folder(".lv2/\(bundle)/\($0)"))))
      })
  }

  private func states() throws -> [String: String] {
    let entries = try user.run("lv2", "list", "--json").outputText.objects
    return Dictionary(
      uniqueKeysWithValues: entries.map {
        ($0["name"] as? String ?? "", $0["state"] as? String ?? "")
      })
  }

  @Test(.enabled(if: LV2Tools.isRequired))
  func `the built-in units are plugins with their presets, for every host`() throws {
    try installNode()
    let result = try install()
    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(result.errors == "starting the node 'portative'\n")
    #expect(
      result.outputText == "Wrote \(user.folder(".lv2/portative.lv2")): 10 plugins\n"
        + (hasCLAP ? "Wrote \(clapLink), the same plugins for CLAP hosts\n" : ""))
    #expect(try LV2Tools.faults(of: user.folder(".lv2/portative.lv2")) == "")
    let synth = try LV2Tools.description(
      of: "urn:portative:instrument:gmsy:Ptvo", in: user.folder(".lv2"))
    #expect(synth.contains("Name:              Portative: General MIDI\n"))
    #expect(synth.contains("Class:             Instrument Plugin\n"))
    #expect(synth.contains("\t         Grand Piano\n"), "\(synth)")
    #expect(synth.contains("Symbol:      reverb_room\n"))
    let multi = try LV2Tools.description(
      of: "urn:portative:instrument:gmmo:Ptvo", in: user.folder(".lv2"))
    #expect(multi.contains("Symbol:      channel_16_right\n"))
    #expect(multi.contains("Name:        Effects Left\n"), "\(multi)")
    let delay = try LV2Tools.description(
      of: "urn:portative:effect:dely:Ptvo", in: user.folder(".lv2"))
    #expect(delay.contains("Class:             Delay Plugin\n"))
    let selecting = try LV2Tools.description(
      of: "urn:portative:any:musicEffect", in: user.folder(".lv2"))
    #expect(selecting.contains("Name:              Portative: Any Music Effect\n"))
  }

  @Test func `a second installation changes nothing, and removal removes what it installed`() throws
  {
    try installNode()
    try user.folder.createFile(".lv2/other.lv2/manifest.ttl")
    #expect(try install().exitCode == 0)
    let before = try contents("portative.lv2")
    #expect(before.count == 5)
    let second = try install("portative")
    #expect(second.outputText == "\(user.folder(".lv2/portative.lv2")) is up to date\n")
    #expect(try contents("portative.lv2") == before)

    #expect(try user.run("lv2", "remove", "organ").exitCode == 2)
    let removed = try user.run("lv2", "remove")
    #expect(removed.exitCode == 0, "\(removed.errors)")
    #expect(
      removed.outputText == "Removed \(user.folder(".lv2/portative.lv2"))\n"
        + (hasCLAP ? "Removed \(clapLink)\n" : ""))
    #expect(!FileManager.default.fileExists(atPath: clapLink))
    #expect(bundles == ["other.lv2"])
    #expect(FileManager.default.fileExists(atPath: library))
    #expect(try user.run("lv2", "remove").errors.hasPrefix("there is no bundle in "))

    func states(_ words: String...) throws -> [String] {
      let result = try user.run(arguments: ["lv2"] + words + ["--json"])
      #expect(result.exitCode == 0, "\(result.errors)")
      return result.outputText.objects.compactMap { $0["state"] as? String }
    }
    #expect(try states("install", "--library", library).contains("installed"))
    #expect(try states("list") == states("install", "--library", library))
    #expect(try states("remove", "portative").contains("notInstalled"))
  }

  @Test func `changed ports are listed, and installed again`() throws {
    func configure(_ ports: String) throws {
      try user.configure("{ ports: [\(ports)] }")
      try installNode("organ")
    }
    let delay = #"unit: "delay", parameters: { feedback: 12.5 } }"#
    try configure(
      #"{ name: "Test: \"A\" \\ é", subtype: "aaaa", \#(delay), { name: "Test: B", subtype: "bbbb", \#(delay)"#
    )
    #expect(try states() == [#"Test: "A" \ é"#: "notInstalled", "Test: B": "notInstalled"])
    #expect(try install().exitCode == 0)
    #expect(bundles == ["portative-organ.lv2"])
    #expect(try states() == [#"Test: "A" \ é"#: "installed", "Test: B": "installed"])
    let turtle = try contents("portative-organ.lv2")["plugins.ttl"] ?? Data()
    #expect(String(decoding: turtle, as: UTF8.self).contains("lv2:default 12.5 ;"))

    try end("organ")
    try configure(
      #"{ name: "Test: New A", subtype: "aaaa", \#(delay), { name: "Test: C", subtype: "cccc", \#(delay)"#
    )
    #expect(
      try states() == [
        #"Test: "A" \ é"#: "outdated", "Test: B": "portMissing", "Test: C": "notInstalled",
      ])
    let result = try install()
    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(try states() == ["Test: New A": "installed", "Test: C": "installed"])
    try FileManager.default.removeItem(atPath: library)
    #expect(try Set(states().values) == ["libraryMissing"])
    let text = try user.run("lv2", "list").outputText
    #expect(text.hasPrefix("PLUGIN ") && text.contains(" its shared object is missing "))
  }

  @Test func `plugins whose SoundFont was changed are listed, and installed again`() throws {
    try user.configureOnePort()
    try installNode()
    #expect(try install().exitCode == 0)
    #expect(try states()["Portative: General MIDI"] == "installed")
    #expect(try !user.run("doctor").outputText.contains("they list other presets"))
    try end("portative")

    user.variables["PORTATIVE_SOUNDFONT"] = nil
    var bytes = try Data(contentsOf: URL(filePath: bundledSoundFont))
    let name = try #require(bytes.range(of: Data("Grand Piano".utf8)))
    bytes.replaceSubrange(name, with: Data("Other Piano".utf8))
    let font = try user.folder.put(bytes, "other.sf2")
    let changed = try user.run("config", "set", "soundfont=\(font)")
    #expect(changed.errors.contains("list the presets of another SoundFont"), "\(changed.errors)")
    #expect(try states()["Portative: General MIDI"] == "outdated")
    #expect(
      try user.run("doctor").outputText.contains(
        "they list other presets than those of \(font), which they play"))
    #expect(try install().exitCode == 0)
    #expect(try states()["Portative: General MIDI"] == "installed")
    let same = try user.run("config", "set", "soundfont=\(font)")
    #expect(!same.errors.contains("list the presets"))
  }

  @Test func `a port that a host plays is installed as well`() throws {
    try user.configureOnePort()
    try installNode()
    #expect(try install().exitCode == 0)
    let before = try contents("portative.lv2")
    let song = try user.folder.put(shortSong())
    let player = try user.start("play", "--audio", "none", "-n", "General", "--loop", song)
    try player.wait {
      (try? user.run("list", "--status", "--json").outputText.contains("\"sampleRate\"")) == true
    }
    let result = try install()
    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(try contents("portative.lv2") == before)
    #expect(bundles == ["portative.lv2"])
    player.send(SIGTERM)
    _ = try player.result()
  }

  @Test func `a node that cannot be started does not stop the others`() throws {
    try user.configure(#"{ ports: [{ name: "Test: A", subtype: "aaaa", unit: "delay" }] }"#)
    try installNode("works")
    let manifest = try String(
      contentsOfFile: user.folder("data/portative/nodes/works.json"), encoding: .utf8)
    _ = try user.folder.put(
      Data(
        manifest.replacing(#""works""#, with: #""fails""#)
          .replacing(Program.path.path(), with: "/nowhere/portative").utf8),
      "data/portative/nodes/fails.json")
    let result = try install()
    #expect(result.exitCode == 1)
    #expect(result.errors.contains("node 'fails': "), "\(result.errors)")
    #expect(result.errors.contains("/nowhere/portative"))
    #expect(bundles == ["portative-works.lv2"])
  }

  @Test func `a node without a manifest is skipped`() throws {
    try user.configure(#"{ ports: [{ name: "Test: A", subtype: "aaaa", unit: "delay" }] }"#)
    try user.serve(node: "manual")
    let all = try install()
    #expect(all.exitCode == 1)
    #expect(all.errors.contains("skipping the node 'manual', which has no manifest"))
    let named = try install("manual")
    #expect(named.exitCode == 1)
    #expect(named.errors.contains("the node 'manual' has no manifest"))
    let misspelt = try install("manul")
    #expect(misspelt.exitCode == 2)
    #expect(misspelt.errors.contains("did you mean 'manual'?"), "\(misspelt.errors)")
    #expect(bundles == [])
  }

  @Test func `a folder of another program is not replaced`() throws {
    try user.configure(#"{ ports: [{ name: "Test: A", subtype: "aaaa", unit: "delay" }] }"#)
    try installNode("organ")
    try user.folder.createFile(".lv2/portative-organ.lv2/manifest.ttl")
    let result = try install()
    #expect(result.exitCode == 4)
    #expect(result.errors.contains("was not written by portative"))
    #expect(try contents("portative-organ.lv2").keys.sorted() == ["manifest.ttl"])
  }

  @Test func `a missing shared object is reported with the paths that were tried`() throws {
    let result = try user.run("lv2", "install", "--library", "/nowhere/x.so")
    #expect(result.exitCode == 1)
    #expect(result.errors.contains("there is no file '/nowhere/x.so'"))
    // The program under test is not installed.
    if FileManager.default.fileExists(
      atPath: Program.path.deletingLastPathComponent().appending(path: "libportative-lv2.so").path()
    ) {
      return
    }
    let installed = try user.run("lv2", "install")
    #expect(installed.exitCode == 1)
    #expect(installed.errors.contains("/lib/portative/portative.so' and '"), "\(installed.errors)")
  }

  @Test
  func `packages get a bundle with a relative link, no SoundFont's presets and no running node`()
    throws
  {
    let root = user.folder("root/usr")
    try user.folder.createFile("root/usr/lib/portative/portative.so")
    let environment = try Program(
      ["root/usr", Program.path.path()], program: repositoryFile("tools/install-plugins"),
      variables: ["PATH": "/usr/bin:/bin", "TMPDIR": user.folder.path],
      through: ["/usr/bin/env", "--chdir", user.folder.path])
    let result = try environment.result(within: 60)
    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(result.outputText == "Wrote \(root)/lib/lv2/portative.lv2: 10 plugins\n")
    let link = "\(root)/lib/lv2/portative.lv2/portative.so"
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: link)
        == "../../portative/portative.so")
    #expect(FileManager.default.fileExists(atPath: link))
    if LV2Tools.isRequired {
      #expect(try LV2Tools.faults(of: "\(root)/lib/lv2/portative.lv2") == "")
    }
    // Hosts merge the presets of all bundles, so those here would appear beside those of a user's SoundFont.
    let presets = try String(
      contentsOfFile: "\(root)/lib/lv2/portative.lv2/presets.ttl", encoding: .utf8)
    #expect(presets.contains("effect:dely:Ptvo#preset-"))
    #expect(!presets.contains("pset:Bank") && !presets.contains("preset_program"))
    let descriptions = try String(
      contentsOfFile: "\(root)/lib/lv2/portative.lv2/plugins.ttl", encoding: .utf8)
    #expect(!descriptions.contains("Grand Piano"))
    #expect(result.errors == "")
    #expect(!user.folder.names.contains { $0.hasPrefix("portative-install") })
    let processes = try FileManager.default.contentsOfDirectory(atPath: "/proc")
    let arguments = processes.filter { Int($0) != nil }.compactMap { number in
      try? WholeFile.read("/proc/\(number)/cmdline", limit: 1 << 20)
    }
    #expect(
      !arguments.contains { String(decoding: $0, as: UTF8.self).contains(user.folder.path) })
  }

  @Test(arguments: [
    ([], "lv2 needs a command: list, install or remove"), (["instal"], "did you mean install?"),
    (["list", "x"], "lv2 list takes options only, but got 'x'"),
    (["remove", "--library", "x"], "--library is only for lv2 install"),
    (["list", "--no-soundfont"], "--no-soundfont is only for lv2 install"),
  ])
  func `wrong usage is refused with the remedy`(arguments: [String], sentence: String) throws {
    #expect {
      try LV2Options(arguments: arguments)
    } throws: {
      ($0 as? Failure)?.kind == .usage && ($0 as? Failure)?.message.contains(sentence) == true
    }
  }
}
