import Foundation
import ProgramTestSupport
import TestSupport
import Testing
import portative

/// Returns what `portative config --json` says about a setting.
private func setting(
  _ name: String, _ user: TemporaryUser, _ arguments: String..., variables: [String: String] = [:]
) throws -> [String: Any] {
  let result = try Program(
    ["config", "--json"] + arguments,
    variables: user.variables.merging(variables) { $1 }
  ).result()
  let object = try #require(result.outputText.objects.first, "\(result.errors)")
  let settings = try #require(object["settings"] as? [[String: Any]])
  return try #require(settings.first { $0["name"] as? String == name })
}

@Suite(.timeLimit(.minutes(5))) struct ConfigTests {
  private let user: TemporaryUser

  init() throws { user = try TemporaryUser() }

  @Test func `a SoundFont comes from the option, the variable, the file or a search`() throws {
    try user.configure("{\n  soundfont: '\(bundledSoundFont)' }")
    let file = user.folder("config/portative/config.json")
    let variables = ["PORTATIVE_SOUNDFONT": ""]
    let configured = try setting("soundfont", user, variables: variables)
    #expect(configured["origin"] as? String == "file")
    #expect(configured["file"] as? String == file)
    #expect(configured["line"] as? Int == 2)
    #expect(configured["value"] as? String == bundledSoundFont)

    let other = try user.folder.put(try Data(contentsOf: URL(filePath: bundledSoundFont)), "a.sf2")
    let named = try setting("soundfont", user, variables: ["PORTATIVE_SOUNDFONT": other])
    #expect(named["origin"] as? String == "environment")
    #expect(named["variable"] as? String == "PORTATIVE_SOUNDFONT")
    #expect(named["value"] as? String == other)

    let given = try setting(
      "soundfont", user, "--soundfont", bundledSoundFont,
      variables: ["PORTATIVE_SOUNDFONT": other])
    #expect(given["origin"] as? String == "option")

    try user.configure("{}")
    let found = try setting("soundfont", user, variables: variables)
    #expect(found["origin"] as? String == "search")
    #expect((found["place"] as? String)?.isEmpty == false)
  }

  @Test func `settings without a file are the defaults, in text and JSON`() throws {
    try user.configure("{}")
    let minutes = try setting("takes.minutes", user)
    #expect(minutes["origin"] as? String == "default")
    #expect(minutes["value"] as? Int == 30)
    #expect(try setting("setList", user)["value"] is NSNull)
    let text = try user.run("config").outputText
    #expect(text.contains("\nports            one for each built-in unit  "))
    #expect(text.contains("\ntakes.minutes    30  "))
  }

  @Test func `another file replaces the user's and the system's`() throws {
    try user.configure("{ setList: [] }")
    let file = try user.folder.createFile(
      "other.json", Data("{ ports: [{ name: 'A: B', subtype: 'abcd' }] }".utf8))
    let ports = try setting("ports", user, "--config", file)
    #expect(ports["value"] as? [String] == ["A: B"])
    #expect(ports["file"] as? String == file)
    #expect(try setting("setList", user, "--config", file)["origin"] as? String == "default")
  }

  @Test func `set and unset change the file, and keep its comments`() throws {
    try user.configure(
      """
      {
        // My piano.
        takes: { minutes: 10 }, // enough
      }
      """)
    func change(_ arguments: String...) throws {
      let result = try user.run(arguments: ["config"] + arguments)
      #expect(result.exitCode == 0, "\(result.errors)")
      #expect(result.errors == "changed \(user.folder("config/portative/config.json"))\n")
    }
    try change("set", "soundfont=\(bundledSoundFont)", "takes.minutes=20", "midi.connect=none")
    let variables = ["PORTATIVE_SOUNDFONT": ""]
    #expect(
      try setting("soundfont", user, variables: variables)["value"] as? String == bundledSoundFont)
    #expect(try setting("takes.minutes", user)["value"] as? Int == 20)
    #expect(try setting("midi.connect", user)["value"] as? String == "none")
    try change("unset", "takes.minutes", "midi")
    #expect(try setting("takes.minutes", user)["origin"] as? String == "default")
    let text = try String(
      contentsOfFile: user.folder("config/portative/config.json"), encoding: .utf8)
    #expect(text.contains("// My piano."))
    #expect(text.contains("// enough"))
  }

  @Test func `set makes the file if there is none, and paths of the folder it is used in`() throws {
    let path = try user.folder.put(
      Data(contentsOf: URL(filePath: bundledSoundFont)), "Piano.sf2")
    user.wrapper = ["/usr/bin/env", "-C", user.folder.path]
    #expect(try user.run("config", "set", "soundfont=Piano.sf2").exitCode == 0)
    user.wrapper = []
    #expect(
      try setting("soundfont", user, variables: ["PORTATIVE_SOUNDFONT": ""])["value"] as? String
        == path)
  }

  @Test(arguments: [
    (["set", "prots=[]"], 2, "there is no setting 'prots': did you mean 'ports'?"),
    (["set", "takes.minute=3"], 2, "did you mean 'minutes'?"),
    (["set", "takes.minutes=many"], 3, "config.json:"),
    (["set", "soundfont=/nowhere.sf2"], 5, "/nowhere.sf2"),
    (["set", "soundfont"], 2, "NAME=VALUE"), (["set"], 2, "needs settings"),
    (["unset", "ports"], 2, "'ports' is not set in the file"),
    (["set", "--json", "takes.minutes=3"], 2, "--json"),
  ])
  func `an impossible change has no effect`(
    arguments: [String], code: Int32, reason: String
  ) throws {
    let before = "{ takes: { minutes: 10 } }"
    try user.configure(before)
    let result = try user.run(arguments: ["config"] + arguments)
    #expect(result.exitCode == code)
    #expect(result.errors.contains(reason), "\(result.errors)")
    #expect(
      try String(contentsOfFile: user.folder("config/portative/config.json"), encoding: .utf8)
        == before)
  }

  @Test func `a folder names the variable that sets it`() throws {
    let runtime = try setting("folders.runtime", user)
    #expect(runtime["variable"] as? String == "XDG_RUNTIME_DIR")
  }

  @Test func `an unusable file, an unknown field and a missing SoundFont are reported`() throws {
    try user.configure("{ ports: 3 }")
    let broken = try user.run("config")
    #expect(broken.exitCode == 3)
    #expect(broken.errors.contains("config.json:1:10: "), "\(broken.errors)")
    try user.configure("{ prots: [] }")
    let unknown = try user.run("config")
    #expect(unknown.exitCode == 0)
    #expect(unknown.errors.contains("did you mean 'ports'?"))
    let missing = try user.run("config", "--json", "-s", "/nowhere.sf2")
    #expect(missing.exitCode == 5)
    #expect(missing.errors.contains("/nowhere.sf2"))
    #expect(
      (missing.outputText.objects.first?["problem"] as? String)?.contains("/nowhere.sf2") == true)
    #expect(try user.run("config", "x").exitCode == 2)
  }
}
