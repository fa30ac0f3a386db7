import Foundation
import ProgramTestSupport
import TestSupport
import Testing

/// Renders songs with LV2 plugins of the tests, and with the SoundFont of the tests without effects.
private struct Renderer {
  let user: TemporaryUser
  let song: String

  init() throws {
    user = try NodeUser().user
    user.variables["LV2_PATH"] = try TestPlugins.path()
    user.variables["PORTATIVE_SOUNDFONT"] = bundledSoundFont
    song = try user.folder.put(shortSong())
  }

  func result(_ file: String, _ options: String...) throws -> ProgramResult {
    try user.run(
      arguments: ["render", song, "--bits", "32f", "--tail", "0.1", "-o", user.folder(file)]
        + options)
  }

  /// - Parameter isDry: Whether the SoundFont plays without effects.
  func callAsFunction(_ file: String, _ options: String..., isDry: Bool = false) throws -> [Float] {
    let result = try user.run(
      arguments: ["render", song, "--bits", "32f", "--tail", "0.1", "-o", user.folder(file)]
        + options + (isDry ? ["--reverb", "off", "--chorus", "off"] : []))
    #expect(result.exitCode == 0, "\(result.errors)")
    return samples(user.folder(file))
  }

  func lines(_ file: String) throws -> [[String]] {
    try String(contentsOfFile: user.folder(file), encoding: .utf8).split(separator: "\n")
      .map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
  }
}

/// Compares samples, which a failed expectation would print.
private func same(_ first: [Float], _ second: [Float]) -> Bool { first == second }

private let probe = "lv2:\(TestPlugins.probe)#Deep"

@Suite(.timeLimit(.minutes(5))) struct ChannelInstrumentTests {
  @Test func `a song with an instrument for a channel is the sum of its parts`() throws {
    let render = try Renderer()
    let mix = try render("mix.wav", "--instrument", "1=\(probe)", isDry: true)
    let organ = try render("plugin.wav", "--instrument", "1=\(probe)", "--only", "1")
    let drums = try render("drums.wav", "--only", "10", isDry: true)
    #expect(mix.count == organ.count && mix.count == drums.count && drums.contains { $0 != 0 })
    #expect(same(mix, zip(organ, drums).map { $0 + $1 }))
    // An instrument for all other channels, and another SoundFont for one.
    let others = try render(
      "others.wav", "--instrument", probe, "--instrument", "10=sf2:\(bundledSoundFont)", isDry: true
    )
    #expect(same(others, mix))
    let port = try render("port.wav", "--instrument", "1:1=\(probe)", isDry: true)
    #expect(same(port, mix))
    let otherPort = try render(
      "otherport.wav", "--instrument", "2:1=\(probe)", isDry: true)
    #expect(try same(otherPort, render("plain.wav", isDry: true)))
  }

  @Test(arguments: ["channel", "track"])
  func `stems of plugins add up to the mix, and are named after them`(kind: String) throws {
    let render = try Renderer()
    let mix = try render(
      "mix.wav", "--instrument", "1=\(probe)", "--stems", kind, isDry: true)
    let folder = render.user.folder("mix.stems")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    // The song has one track.
    let count = kind == "channel" ? 2 : 1
    #expect(names.count == count && (kind == "track" || names[0] == "01 Probe, Deep.wav"))
    let stems = names.map { samples("\(folder)/\($0)") }
    #expect(stems.allSatisfy { $0.count == mix.count && $0.contains { $0 != 0 } })
    let sum = mix.indices.map { index in stems.reduce(0) { $0 + $1[index] } }
    #expect(same(sum, mix))
    #expect(
      try same(mix, render("plain.wav", "--instrument", "1=\(probe)", isDry: true)))
  }

  @Test func `labels say when the keys of a plugin are struck and released`() throws {
    let render = try Renderer()
    _ = try render("plugin.wav", "--instrument", probe, "--labels", render.user.folder("a.csv"))
    _ = try render("font.wav", "--labels", render.user.folder("b.csv"))
    let (plugin, font) = (try render.lines("a.csv"), try render.lines("b.csv"))
    #expect(plugin.count == font.count && plugin.count > 20 && plugin[0] == font[0])
    let head = plugin[0]
    for name in ["note", "channel", "key", "velocity", "onset", "keyRelease", "soundRelease"] {
      let column = try #require(head.firstIndex(of: name))
      #expect(plugin.map { $0[column] } == font.map { $0[column] }, "\(name)")
    }
    let silence = try #require(head.firstIndex(of: "silence"))
    #expect(plugin.dropFirst().allSatisfy { $0[silence].isEmpty })
  }

  /// A tone of the tests fades within 0.02 s.
  @Test
  func `labels say where a note of a plugin sounds that is alone, also if the range begins later`()
    throws
  {
    let render = try Renderer()
    let notes: [Note] = [(0, 60), (960, 62), (1920, 64), (1920, 67)].map {
      Note(tick: $0, key: $1, length: 480)
    }
    let song = try render.user.folder.put(songBytes(notes), "alone.mid")
    for (from, start) in [("0", 0), ("0.1", 4800)] {
      let labels = render.user.folder("a.csv")
      let result = try render.user.run(
        "render", song, "--instrument", "lv2:urn:portative:test:late", "--labels", labels, "-o",
        render.user.folder("a.wav"), "--overwrite", "--from", from)
      #expect(result.exitCode == 0, "\(result.errors)")
      let lines = try render.lines("a.csv")
      func column(_ name: String) throws -> [String] {
        let index = try #require(lines[0].firstIndex(of: name))
        return lines.dropFirst().map { $0[index] }
      }
      #expect(try column("audible") == ["\(47 - start)", "\(48_047 - start)", "", ""])
      #expect(try column("ending") == ["released", "released", "shared", "shared"])
      let silence = try column("silence").map { Int($0) }
      #expect(silence[2...] == [nil, nil])
      for (index, release) in [24_048, 72_048].enumerated() {
        #expect((release + 300..<release + 1500).contains(try #require(silence[index]) + start))
      }
    }
  }

  @Test(arguments: ["48000", "44100"])
  func `align moves a plugin that is late by a constant to its frames`(rate: String) throws {
    let render = try Renderer()
    let plain = try render(
      "plain.wav", "--instrument", "lv2:urn:portative:test:tone", "--rate", rate)
    let late = "lv2:urn:portative:test:late"
    let delayed = try render("late.wav", "--instrument", late, "--rate", rate)
    let aligned = try render("aligned.wav", "--instrument", late, "--align", "--rate", rate)
    #expect(same(aligned, plain) && aligned.contains { $0 != 0 })
    #expect(same(Array(delayed.dropFirst(2 * 47)), Array(plain.dropLast(2 * 47))))
    let grid = "lv2:urn:portative:test:grid"
    #expect(
      try same(
        render("grid.wav", "--instrument", grid, "--align", "--rate", rate),
        render("plaingrid.wav", "--instrument", grid, "--rate", rate)))
    #expect(try render.result("none.wav", "--align").exitCode == 2)
  }

  @Test func `a song without a SoundFont needs none`() throws {
    let render = try Renderer()
    let with = try render("with.wav", "--instrument", probe)
    render.user.variables["PORTATIVE_SOUNDFONT"] = render.user.folder("missing.sf2")
    #expect(
      try same(
        with,
        render("without.wav", "--instrument", probe, "--report", render.user.folder("r.json"))))
    let report = try String(contentsOfFile: render.user.folder("r.json"), encoding: .utf8)
    #expect(!report.contains("soundFont\"") && report.contains(TestPlugins.probe))
    #expect(try render.result("drums.wav", "--instrument", "1=\(probe)").exitCode == 5)
  }

  @Test func `a line of a manifest names instruments by their channels`() throws {
    let render = try Renderer()
    let user = render.user
    let manifest = try user.folder.put(
      Data(
        """
        {"input": "\(render.song)", "output": "a.wav", "instrument": {"1": "\(probe)"}, "reverb": false, "chorus": false}
        {"input": "\(render.song)", "output": "b.wav", "instrument": "\(probe)", "effect": ["lv2:urn:portative:test:effect", "lv2:urn:portative:test:effect"]}
        {"input": "\(render.song)", "output": "c.wav", "gain": [1, 2]}
        {"input": "\(render.song)", "output": "d.wav", "instrument": {"17": "\(probe)"}}

        """.utf8), "list.jsonl")
    let result = try user.run(
      "render", "--manifest", manifest, "--bits", "32f", "--tail", "0.1", "-d", user.folder("out"),
      "--instrument", "10=\(probe)")
    #expect(result.exitCode == 2, "\(result.errors)")
    #expect(result.errors.contains("'gain' must be one value, but was a list"))
    #expect(result.errors.contains("a channel is 1 to 16"))
    #expect(
      try same(
        samples(user.folder("out/a.wav")),
        render("x.wav", "--instrument", "1=\(probe)", isDry: true)))
    #expect(
      try same(
        samples(user.folder("out/b.wav")),
        render(
          "y.wav", "--instrument", probe, "--effect", "lv2:urn:portative:test:effect", "--effect",
          "lv2:urn:portative:test:effect")))
  }

  @Test func `a preset that is named stays when the song chooses programs`() throws {
    let render = try Renderer()
    let song = try render.user.folder.put(shortSong(program: 3), "program.mid")
    func sent(_ name: String) throws -> [Float] {
      let result = try render.user.run(
        "render", song, "--instrument", name, "--bits", "32f", "--tail", "0.1", "-o",
        render.user.folder("program.wav"))
      #expect(result.exitCode == 0, "\(result.errors)")
      return samples(render.user.folder("program.wav"))
    }
    // The plugin adds the number of a program to its gain.
    #expect(try sent("lv2:\(TestPlugins.probe)").contains { $0 >= 3000 })
    #expect(try !sent(probe).contains { $0 >= 3000 })
  }

  @Test(arguments: [
    (["--instrument", "1=\(probe)", "--instrument", "1,2=\(probe)"], "two instruments for"),
    (["--instrument", "0=\(probe)"], "a channel is 1 to 16"),
    (["--instrument", ""], "needs a name"),
    (["--instrument", "1=\(probe)", "--stems", "note"], "--stems note needs"),
    (["--instrument", probe, "--soundfont", "a.sf2"], "leave one out"),
    (["--instrument", probe, "--gain", "3"], "--gain is for SoundFonts"),
  ])
  func `instruments that contradict each other are refused`(options: [String], message: String)
    throws
  {
    let render = try Renderer()
    let result = try render.user.run(arguments: ["render", render.song] + options)
    #expect(result.exitCode == 2 && result.errors.contains(message), "\(result.errors)")
  }
}
