import Foundation
import NodeHost
import NodeProtocol
import ProgramTestSupport
import RenderCore
import TestSupport
import Testing

/// A user with the LV2 plugins of the tests.
private func pluginUser() throws -> NodeUser {
  let nodes = try NodeUser()
  nodes.user.variables["LV2_PATH"] = try TestPlugins.path()
  return nodes
}

@Suite(.timeLimit(.minutes(5))) struct PluginTests {
  @Test func `the installed plugins are listed, with what prevents the others`() throws {
    let user = try pluginUser().user
    let plugins = try user.run("list", "--lv2", "--json").outputText.objects
    let manifest = try String(
      contentsOfFile: repositoryFile("Tests/Support/lv2plugins/manifest.ttl"), encoding: .utf8)
    #expect(
      plugins.count == manifest.split(separator: "\n").count { $0.contains(" a lv2:Plugin ") })
    let probe = try #require(plugins.first { $0["uri"] as? String == TestPlugins.probe })
    #expect(probe["type"] as? String == "instrument" && probe["problem"] == nil)
    #expect(probe["maker"] as? String == "Test" && probe["audioOutputs"] as? Int == 5)
    let sampler = try #require(plugins.first { $0["uri"] as? String == TestPlugins.sampler })
    #expect(sampler["files"] as? [String] == ["sample-file"])
    #expect(sampler["texts"] as? [String] == ["title"])
    #expect(
      try user.run("list", "--lv2").outputText.contains("files: sample-file; texts: title"))
    let text = try user.run("list", "--lv2", "--type", "effect").outputText
    #expect(text.contains("Factor") && !text.contains("Probe"))
    #expect(
      try user.run("list", "--lv2").outputText.contains("cannot be played: it needs the feature"))
    #expect(try user.run("list", "--lv2", "--watch").exitCode == 2)
  }

  @Test func `a song has the same bits through a plugin in each kind of process`() throws {
    let nodes = try pluginUser()
    let user = nodes.user
    let song = try user.folder.put(shortSong())
    func play(_ node: String, _ file: String) throws -> [Float] {
      let path = user.folder(file)
      let result = try user.run(
        "play", song, "--node", node, "--effect", "lv2:urn:portative:test:effect", "--bits", "32f",
        "--tail", "0.1", "-o", path)
      #expect(result.exitCode == 0, "\(result.errors)")
      return samples(path)
    }
    let own = try play("lv2:\(TestPlugins.probe)#Deep", "own.wav")
    #expect(own.contains { $0 != own[0] })
    try nodes.serve(
      "a",
      [
        "{ lv2: \"\(TestPlugins.probe)#Deep\" }",
        "{ name: \"Test: Shared\", subtype: \"shar\", isolation: \"shared\", lv2: \"\(TestPlugins.probe)#Deep\" }",
      ])
    #expect(try play("a/Probe", "isolated.wav") == own)
    #expect(try play("Shared", "shared.wav") == own)
  }

  @Test func `a port has an instrument for a channel, and a chain has plugins, with the same bits`()
    throws
  {
    let nodes = try pluginUser()
    let user = nodes.user
    let song = try user.folder.put(shortSong())
    user.variables["PORTATIVE_SOUNDFONT"] = bundledSoundFont
    let probe = "lv2:\(TestPlugins.probe)#Deep"
    let effect = "lv2:urn:portative:test:effect"
    try nodes.serve(
      "a",
      [
        "{ name: \"Test: Band\", subtype: \"band\", instruments: { \"1\": \"\(probe)\" } }",
        "{ name: \"Test: Chain\", subtype: \"chai\", unit: \"chain\", type: \"instrument\", nodes: [\"\(probe)\", \"\(effect)\"] }",
      ])
    func output(_ arguments: String...) throws -> [Float] {
      let path = user.folder("a.wav")
      let result = try user.run(
        arguments: arguments + [song, "--bits", "32f", "--tail", "0.1", "-o", path])
      #expect(result.exitCode == 0, "\(result.errors)")
      return samples(path)
    }
    let band = try output("play", "--node", "Band")
    let rendered = try output("render", "--instrument", "1=\(probe)")
    // Compared here, because an expectation would print all samples.
    let areSame = band == rendered && !band.isEmpty
    #expect(areSame)
    let chain = try output("play", "--node", "Test: Chain")
    let isSameChain = try chain == output("render", "--instrument", probe, "--effect", effect)
    #expect(isSameChain)
  }

  @Test func `a sampler plays its file, given to any verb, and another file when it is set`() throws
  {
    let nodes = try pluginUser()
    let user = nodes.user
    let song = try user.folder.put(shortSong())
    let half = try user.folder.createFile("sounds/half.txt", Data("0.5".utf8))
    let quarter = try user.folder.put(Data("0.25".utf8), "a quarter.txt")
    func play(_ words: String...) throws -> [Float] {
      let path = user.folder("\(UUID()).wav")
      let result = try user.run(arguments: words + ["--bits", "32f", "--tail", "0.1", "-o", path])
      #expect(result.exitCode == 0, "\(result.errors)")
      return samples(path)
    }
    let sampler = "lv2:\(TestPlugins.sampler)"
    let own = try play("play", song, "--node", "\(sampler)?sample-file=\(half)")
    #expect(own.max() ?? 0 > 0.4)
    #expect(try play("render", song, "--instrument", "\(sampler)?sample-file=\(half)") == own)
    #expect(try play("play", song, "--node", sampler, "--set", "sample-file=\(half)") == own)
    let other = try play("play", song, "--node", "\(sampler)#Kit?sample-file=\(quarter)")
    #expect(other == own.map { $0 / 2 })
    try nodes.serve(
      "a",
      [
        #"{ lv2: "\#(TestPlugins.sampler)", files: { "sample-file": "sounds/half.txt" } }"#,
        #"{ name: "Test: Shared", subtype: "shar", isolation: "shared", lv2: "\#(TestPlugins.sampler)", files: { "sample-file": "sounds/half.txt" } }"#,
      ])
    for port in ["a/Sampler", "Shared"] {
      #expect(try play("play", song, "--node", port) == own)
      #expect(try user.run("info", port).outputText.contains("sample-file: \(half)\n"))
      #expect(try user.run("set", port, "sample-file=\(quarter)").exitCode == 0)
      #expect(
        try user.run("info", port, "sample-file").outputText == "\(quarter)\n")
      let refused = try user.run("set", port, "sample-file=none.txt")
      #expect(refused.exitCode != 0 && refused.errors.contains("there is no such file"))
      #expect(try user.run("set", port, "sampl=none.txt").errors.contains("sample-file"))
    }
  }

  @Test func `a plugin that is started again has the file that was set last`() throws {
    let nodes = try pluginUser()
    let half = try nodes.user.folder.put(Data("0.5".utf8), "half.txt")
    let quarter = try nodes.user.folder.put(Data("0.25".utf8), "quarter.txt")
    let server = try nodes.serve(
      "a", [#"{ lv2: "\#(TestPlugins.sampler)", files: { "sample-file": "half.txt" } }"#])
    let connection = try nodes.connect("LV2: Sampler")
    try connection.initialize(Format(maximumFrames: 256), mode: .realtime)
    func level(after key: UInt8) throws -> Float {
      var level: Float = 0
      _ = connection.schedule(ChannelMessage(.noteOff, channel: 0, 60, 64), at: 0)
      _ = connection.schedule(ChannelMessage(.noteOn, channel: 0, key, 100), at: 1)
      try server.wait {
        _ = connection.render(frames: 256)
        level = connection.audio[0][255]
        return level > 0
      }
      return level
    }
    #expect(try level(after: 60) == 0.5)
    #expect(try connection.files().references.mapValues(\.path) == ["sample-file": half])
    try connection.setFile("sample-file", to: FileReference(path: quarter))
    #expect(try level(after: 60) == 0.25)
    #expect(try connection.saveState().files?["sample-file"]?.path == quarter)
    // Key 1 makes the plugin abort.
    _ = connection.schedule(ChannelMessage(.noteOn, channel: 0, 1, 100), at: 0)
    var wasSilent = false
    try server.wait {
      _ = connection.render(frames: 256)
      wasSilent = wasSilent || connection.audio[0][255] == 0
      _ = connection.schedule(ChannelMessage(.noteOff, channel: 0, 60, 64), at: 0)
      _ = connection.schedule(ChannelMessage(.noteOn, channel: 0, 60, 100), at: 1)
      return wasSilent && connection.audio[0][255] > 0
    }
    #expect(connection.audio[0][255] == 0.25)
  }

  @Test func `a song is rendered again when the plugin's file has changed`() throws {
    let user = try pluginUser().user
    let file = try user.folder.put(Data("0.5".utf8), "half.txt")
    try user.folder.createFile("songs/a.mid", shortSong())
    let words = [
      "render", "--instrument", "lv2:\(TestPlugins.sampler)?sample-file=\(file)", "-d",
      user.folder("audio"), "--report", user.folder("report.json"), user.folder("songs"),
    ]
    #expect(try user.run(arguments: words).exitCode == 0)
    #expect(
      try user.run(arguments: words + ["--resume"]).errors.contains("1 already rendered"))
    _ = try user.folder.put(Data("0.25".utf8), "half.txt")
    #expect(
      try !user.run(arguments: words + ["--resume"]).errors.contains("already rendered"))
  }

  @Test func `a library is rendered with a plugin, and a song that it cannot play costs no other`()
    throws
  {
    let user = try pluginUser().user
    let folder = user.folder("songs")
    try user.folder.createFile("songs/good.mid", shortSong())
    // Key 1 makes the plugin abort.
    try user.folder.createFile(
      "songs/bad.mid", songBytes([Note(tick: 0, key: 1, length: 480)]))
    let words = [
      "render", "--instrument", "lv2:\(TestPlugins.probe)#Deep", "--effect",
      "lv2:urn:portative:test:effect", "--bits", "32f", "--tail", "0.1", "-d", user.folder("audio"),
      "--report", user.folder("report.json"), folder,
    ]
    let result = try user.run(arguments: words)
    #expect(result.exitCode == 1 && result.errors.contains("signal 6"), "\(result.errors)")
    let rendered = samples(user.folder("audio/good.wav"))
    #expect(
      try user.run(
        "play", "\(folder)/good.mid", "--node", "lv2:\(TestPlugins.probe)#Deep", "--effect",
        "lv2:urn:portative:test:effect", "--bits", "32f", "--tail", "0.1", "-o",
        user.folder("played.wav")
      ).exitCode == 0)
    #expect(samples(user.folder("played.wav")) == rendered && !rendered.isEmpty)
    let again = try user.run(arguments: words + ["--resume"])
    #expect(again.errors.contains("1 already rendered"), "\(again.errors)")
    // Another version of the library.
    user.variables["LV2_PATH"] = user.folder("lv2")
    try FileManager.default.copyItem(atPath: TestPlugins.path(), toPath: user.folder("lv2"))
    let library = user.folder("lv2/test.lv2/plugins.so")
    let handle = try FileHandle(forWritingTo: URL(filePath: library))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data([0]))
    try handle.close()
    let other = try user.run(arguments: words + ["--resume"])
    #expect(!other.errors.contains("already rendered"), "\(other.errors)")
  }

  // Key 1 makes the plugin abort, key 2 makes it hang, and key 4 makes it abort in its work.
  @Test(arguments: [UInt8(1), 2, 4], [RenderMode.realtime, .offline])
  func `a plugin that crashes or hangs is silent, and then plays again with its parameters`(
    key: UInt8, mode: RenderMode
  ) throws {
    // Offline, a host waits for seconds until a node has hung.
    if key == 2, mode == .offline { return }
    let nodes = try pluginUser()
    let server = try nodes.serve(
      "a",
      [
        "{ lv2: \"\(TestPlugins.probe)\", parameters: { level: 0.25 } }",
        "{ name: \"Test: Other\", subtype: \"othr\", lv2: \"\(TestPlugins.probe)\" }",
      ])
    let connection = try nodes.connect("Test: Probe")
    let other = try nodes.connect("Test: Other")
    let format = Format(outputChannels: 5, maximumFrames: 256)
    try connection.initialize(format, mode: mode)
    try other.initialize(format, mode: .offline)
    func gain(_ connection: Connection) -> Float {
      _ = connection.render(frames: 256)
      return connection.audio[1][255]
    }
    try server.wait { gain(connection) == 21 }
    try connection.setParameters(["sound.the-gain": 0.5, "level": 0.75])
    try server.wait { gain(connection) == 20.5 }
    _ = connection.schedule(ChannelMessage(.noteOn, channel: 0, key, 100), at: 9)
    var wasSilent = false
    try server.wait {
      let now = gain(connection)
      if now == 0 { wasSilent = true }
      // The other port has a process of its own.
      #expect(gain(other) == 21)
      return wasSilent && now == 20.5
    }
    #expect(connection.audio[2][255] == 0.75)
    #expect(
      server.errors.contains(
        key == 2 ? "of the plugin hangs; it is" : "of the plugin was ended by signal 6; it is"),
      "\(server.errors)")
    // No process remains of the plugin that has been replaced.
    let process = try #require(
      server.errors.firstMatch(of: /the process (\d+) of the plugin/).flatMap { Int32($0.1) })
    try server.wait { kill(process, 0) != 0 && errno == ESRCH }
  }

  @Test func `a plugin that crashes when it saves or restores its state plays again`() throws {
    let nodes = try pluginUser()
    let server = try nodes.serve("a", ["{ lv2: \"\(TestPlugins.probe)\" }"])
    let connection = try nodes.connect("Test: Probe")
    try connection.initialize(Format(outputChannels: 5, maximumFrames: 256), mode: .offline)
    func sounds(_ level: Float) -> () -> Bool {
      {
        _ = connection.render(frames: 256)
        return connection.audio[1][255] == 21 && connection.audio[2][255] == level
      }
    }
    try server.wait(until: sounds(0))
    // With this level, the plugin ends its process when it is restored.
    try connection.setParameters(["level": 0.8125])
    try server.wait(until: sounds(0.8125))
    let deadly = try connection.saveState()
    // A state that the plugin has already is not restored.
    try connection.setParameters(["level": 0.5])
    try server.wait(until: sounds(0.5))
    let error = try #require(throws: ConnectionError.self) {
      try connection.restoreState(deadly)
    }
    #expect(error.description.contains("the plugin cannot restore this state: the process"))
    try server.wait {
      sounds(0.5)() && server.errors.contains("Probe plays without its saved state")
    }
    // With this one, when it is saved.
    try connection.setParameters(["level": 0.9375])
    try server.wait(until: sounds(0.9375))
    _ = try connection.saveState()
    try server.wait(until: sounds(0.9375))
  }

  @Test func `a plugin that is started again has the state that a host has restored`() throws {
    let nodes = try pluginUser()
    let server = try nodes.serve("a", ["{ lv2: \"\(TestPlugins.probe)\" }"])
    let format = Format(outputChannels: 5, maximumFrames: 256)
    let connection = try nodes.connect("Test: Probe")
    /// Sets a value that is in the state: what the plugin has already is not restored.
    func set(level: Float) throws {
      try connection.setParameters(["level": level])
      try server.wait {
        _ = connection.render(frames: 256)
        return connection.audio[2][255] == level
      }
    }
    try connection.initialize(format, mode: .offline)
    try set(level: 0.25)
    let state = try connection.saveState()
    connection.uninitialize()
    try connection.initialize(format, mode: .offline)
    try set(level: 0.5)
    try connection.restoreState(state)
    /// The number of states that the plugin has restored; `nil` while it is silent.
    func restores() -> Int? {
      _ = connection.render(frames: 256)
      return connection.audio[1][255] == 0 ? nil : Int(connection.audio[4][255]) / 1000
    }
    #expect(restores() == 1)
    // Key 1 makes the plugin abort.
    _ = connection.schedule(ChannelMessage(.noteOn, channel: 0, 1, 100), at: 9)
    try server.wait { restores() == nil }
    try server.wait { restores() == 1 }
  }

  @Test func `a plugin that is removed while it plays plays on, and cannot be started again`()
    throws
  {
    let nodes = try pluginUser()
    let folder = nodes.user.folder("lv2")
    try FileManager.default.copyItem(atPath: TestPlugins.path(), toPath: folder)
    nodes.user.variables["LV2_PATH"] = folder
    let server = try nodes.serve(
      "a",
      [
        "{ lv2: \"\(TestPlugins.probe)\" }",
        "{ name: \"Test: Other\", subtype: \"othr\", lv2: \"\(TestPlugins.probe)\" }",
      ])
    let connection = try nodes.connect("Test: Probe")
    try connection.initialize(Format(outputChannels: 5, maximumFrames: 256), mode: .offline)
    func plays() -> Bool {
      _ = connection.render(frames: 256)
      return connection.audio[1][255] == 21
    }
    try server.wait(until: plays)
    try FileManager.default.moveItem(atPath: "\(folder)/test.lv2", toPath: "\(folder)/test")
    for _ in 0..<10 { #expect(plays()) }
    let error = try #require(throws: ConnectionError.self) {
      try nodes.connect("Test: Other").initialize(Format(outputChannels: 5))
    }
    #expect(
      error.description.contains("'Probe' cannot be played: its library '\(folder)/test.lv2/")
        && error.description.contains("install the plugin again"), "\(error)")
    _ = connection.schedule(ChannelMessage(.noteOn, channel: 0, 1, 100), at: 9)
    try server.wait {
      #expect(connection.render(frames: 256) == .rendered)
      return server.errors.contains("Test: Probe: the LV2 plugin 'Probe' cannot be played")
    }
    #expect(!plays())
    try FileManager.default.moveItem(atPath: "\(folder)/test", toPath: "\(folder)/test.lv2")
    try server.wait(until: plays)
  }

  @Test func `a host hears of a latency that changes while the plugin plays`() throws {
    let nodes = try pluginUser()
    let server = try nodes.serve("a", ["{ lv2: \"\(TestPlugins.probe)\" }"])
    let connection = try nodes.connect("Test: Probe")
    try connection.initialize(Format(outputChannels: 5, maximumFrames: 64), mode: .offline)
    #expect(connection.latency == 17)
    // Key 5 changes it.
    _ = connection.schedule(ChannelMessage(.noteOn, channel: 0, 5, 100), at: 9)
    try server.wait {
      _ = connection.render(frames: 64)
      return connection.latency == 34
    }
  }

  @Test func `a host receives no NaN from a plugin`() throws {
    let nodes = try pluginUser()
    try nodes.serve("a", ["{ lv2: \"\(TestPlugins.probe)\" }"])
    let connection = try nodes.connect("Test: Probe")
    try connection.initialize(Format(outputChannels: 5, maximumFrames: 64), mode: .offline)
    // Key 3 makes the plugin write one.
    _ = connection.schedule(ChannelMessage(.noteOn, channel: 0, 3, 100), at: 9)
    #expect(connection.render(frames: 64) == .rendered)
    #expect(connection.audio[0][9] == 0)
  }

  @Test(arguments: [
    ("crashing", "'Crashing' cannot be played: its process was ended by signal 6: update it"),
    ("refusing", "'Refusing' cannot be played: it refuses to start at 48000 Hz: choose another"),
    ("greedy", "'Greedy' cannot be played: it needs more memory than the"),
    ("absent", "'Absent' cannot be played: its library"),
    ("damaged", "cannot be played: its description has no ports, or cannot be read: install"),
    ("unreadable", "'Unreadable' cannot be played: its library cannot be loaded"),
    ("broken", "the bundle of the LV2 plugin 'urn:portative:test:broken' is damaged: install"),
    ("window", "'urn:portative:test:window' is not an LV2 plugin, but the user interface of one"),
    ("nothing", "is installed"),
    ("sampler?sample-file=none.txt", "none.txt': there is no such file"),
    ("sampler?wave=none.txt", "has no file or text 'wave': it has sample-file, title"),
  ])
  func `a plugin that cannot be made is an error that says why`(name: String, reason: String) throws
  {
    let user = try pluginUser().user
    try TestPlugins.writeDamaged(to: user.folder("damaged"))
    user.variables["LV2_PATH", default: ""] += ":" + user.folder("damaged")
    let song = try user.folder.put(shortSong())
    let result = try user.run(
      "play", song, "--node", "lv2:\(TestPlugins.probe)", "--effect",
      "lv2:urn:portative:test:\(name)", "-o", user.folder("x.wav"))
    #expect(result.exitCode != 0 && result.errors.contains(reason), "\(result.errors)")
    // The others are listed and played.
    #expect(try user.run("list", "--lv2").outputText.contains("Probe"))
  }

  @Test func `a plugin that hangs ends a song that is written, with advice`() throws {
    let user = try pluginUser().user
    // Key 2 makes the plugin hang.
    let song = try user.folder.put(songBytes([Note(tick: 0, key: 2, length: 480)]))
    let result = try user.run(
      "play", song, "--node", "lv2:\(TestPlugins.probe)", "--timeout", "1", "-o",
      user.folder("x.wav"))
    #expect(result.exitCode == 1)
    #expect(
      result.errors.contains(
        "made no progress for 1 s: the plugin hangs; play the song again, use another plugin, or"),
      "\(result.errors)")
  }

  @Test func `of what a plugin writes, the first lines are shown, and the others are counted`()
    throws
  {
    let user = try pluginUser().user
    let song = try user.folder.put(shortSong())
    let result = try user.run(
      "play", song, "--node", "lv2:urn:portative:test:talking", "-o", user.folder("x.wav"))
    #expect(result.exitCode == 0)
    let lines = result.errors.split(separator: "\n").filter { $0.hasPrefix("Tone talking: ") }
    #expect(
      lines.prefix(5) == [
        "Tone talking: the rate is 48000 Hz", #"Tone talking: a bell: \u{07}"#,
        "Tone talking: cycle 1", "Tone talking: again", "Tone talking: end of 1",
      ], "\(result.errors)")
    #expect(lines.count == 21 && lines.count { $0.hasSuffix(": again") } == 1)
    let last = try #require(lines.last)
    #expect(
      last.hasPrefix("Tone talking: left out ")
        && last.hasSuffix(" more lines that the plugin has written"))
  }

  @Test func `serve publishes plugins by their URIs, and a broken one stops no other`() throws {
    let user = try pluginUser().user
    // What a configuration says of its own ports does not matter.
    try user.configure(
      #"{ ports: [{ name: "Test: Piano", subtype: "pian" }], scenes: [{ name: "A", ports: { "Test: Piano": {} } }], controls: [{ controller: 80, does: "scene", scene: "A" }] }"#
    )
    let server = try user.serve(
      "--lv2", "urn:portative:test:effect", "--lv2", "urn:none", "--lv2", TestPlugins.probe,
      node: "lv2")
    try server.wait { user.ports(of: "lv2")?.sorted() == ["LV2: Factor", "Test: Probe"] }
    #expect(try user.run("info", "Probe").outputText.contains("sound.the-gain"))
    #expect(try user.run("set", "Factor", "factor=2").exitCode == 0)
  }
}
