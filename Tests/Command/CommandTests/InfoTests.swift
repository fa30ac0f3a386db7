import Foundation
import MIDIFile
import ProgramTestSupport
import RenderCore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct InfoTests {
  private let user: TemporaryUser

  init() throws { user = try TemporaryUser() }

  private func info(_ arguments: String...) throws -> [[String: Any]] {
    let result = try user.run(arguments: ["info", "--json"] + arguments)
    #expect(result.exitCode == 0, "\(result.errors)")
    return result.outputText.objects
  }

  /// A song of GS banks and kits, some of which no SoundFont has.
  private func song() throws -> String {
    var events: [StandardMIDIFile.Event] = [
      .init(tick: 0, .meta(.text("Strange", .trackName))),
      .init(tick: 0, .meta(.tempo(500_000))),
      .init(tick: 0, .meta(.timeSignature(TimeSignature(numerator: 3, denominatorPower: 2)!))),
      .init(tick: 0, .sysEx([0x41, 0x10, 0x42, 0x12, 0x40, 0x00, 0x7F, 0x00, 0x41])),
    ]
    for (channel, bank, program) in [(0, 0, 5), (1, 77, 5), (2, 8, 4), (9, 0, 99), (3, 126, 127)] {
      let channel = UInt8(channel)
      events += [
        .init(tick: 10, .channel(ChannelMessage(.controlChange, channel: channel, 0, UInt8(bank)))),
        .init(tick: 10, .channel(ChannelMessage(.programChange, channel: channel, UInt8(program)))),
        .init(tick: 20, .channel(ChannelMessage(.noteOn, channel: channel, 60, 100))),
        .init(tick: 480, .channel(ChannelMessage(.noteOff, channel: channel, 60, 64))),
      ]
    }
    events.append(.init(tick: 1440, .meta(.tempo(250_000))))
    let file = StandardMIDIFile(
      format: .singleTrack, division: .ticksPerQuarter(480),
      tracks: [.init(events.sorted { $0.tick < $1.tick }, endTick: 2880)])
    return try user.folder.put(Data(file.encoded()), "strange.mid")
  }

  @Test func `figures of a song are those of the file`() throws {
    let song = try #require(try info(song()).first?["song"] as? [String: Any])
    #expect(song["title"] as? String == "Strange")
    #expect(song["seconds"] as? Double == 2.25)
    #expect(song["bars"] as? Int == 2)
    #expect(song["meters"] as? [String] == ["3/4"])
    #expect(song["notes"] as? Int == 5)
    #expect(song["mostKeys"] as? Int == 5)
    let tempo = try #require(song["tempo"] as? [String: Any])
    #expect(tempo["slowest"] as? Double == 120 && tempo["fastest"] as? Double == 240)
    let parts = try #require(song["parts"] as? [[String: Any]])
    #expect(parts.map { $0["channel"] as? Int } == [0, 1, 2, 3, 9])
  }

  @Test(arguments: [bundledSoundFont, "/usr/share/sounds/sf2/FluidR3_GM.sf2"])
  func `presets that are missing are those that rendering reports`(soundFont: String) throws {
    let song = try song()
    let found = try #require(try info("-s", soundFont, song).first?["song"] as? [String: Any])
    let presets = try #require(found["parts"] as? [[String: Any]])
      .flatMap { $0["presets"] as? [[String: Any]] ?? [] }
    let missing = presets.filter { $0["isMissing"] as? Bool == true }.map {
      "\($0["bank"] ?? 0):\($0["program"] ?? 0) \($0["played"] ?? "")"
    }
    let rendered = try user.run(
      "render", "--json", "-s", soundFont, "-o", user.folder("x.wav"), song)
    let report = rendered.outputText.objects.compactMap { $0["song"] as? [String: Any] }.first
    let reported = try #require(report?["missingPresets"] as? [[String: Any]]).map { preset in
      let other = preset["replacement"] as? [String: Any]
      return "\(preset["bank"] ?? 0):\(preset["program"] ?? 0) "
        + (other.map { "\($0["bank"] ?? 0):\($0["program"] ?? 0)" } ?? "")
    }
    #expect(missing.sorted() == reported.sorted())
    #expect(missing.count >= 2)
  }

  @Test func `a SoundFont shows its presets with their keys, and its texts`() throws {
    let font = try #require(
      try info("/usr/share/sounds/sf2/FluidR3_GM.sf2").first?["soundFont"] as? [String: Any])
    #expect(font["author"] as? String == "Frank Wen")
    #expect((font["comment"] as? String)?.contains("MIT License") == true)
    #expect(font["bitsPerSample"] as? Int == 16)
    let presets = try #require(font["presets"] as? [[String: Any]])
    #expect(presets.count == 189)
    #expect(presets[0]["name"] as? String == "Yamaha Grand Piano")
    #expect(presets[0]["highestKey"] as? Int == 108)
  }

  @Test func `many files are lines of a table, and bad ones do not stop the others`() throws {
    let good = try song()
    let bad = try user.folder.put(Data("no song".utf8), "bad.mid")
    let font = try user.folder.put(Data("no font".utf8), "bad.sf2")
    let result = try user.run("info", bad, font, good, bundledSoundFont)
    #expect(result.exitCode == 5)
    #expect(result.errors.split(separator: "\n").count == 2)
    let lines = result.outputText.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines[1].hasSuffix("strange.mid: Strange"))
  }

  @Test func `a file from standard input is a song`() throws {
    let path = try song()
    let result = try Program(["info", "-"], variables: user.variables, input: path).result()
    #expect(result.outputText.hasPrefix("-: Strange\n"))
    #expect(result.outputText.contains("length     0:02, 2 bars\n"))
  }
}
