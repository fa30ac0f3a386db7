import Foundation
import LocalSystem
import RenderCore
import TestSupport
import Testing
import UnitTestSupport

@testable import LV2Host

/// The audio outputs of the probe, which play what it has received.
private enum Output: Int { case notes, gains, levels, beats, works }

private func source(_ uri: String = TestPlugins.probe, preset: String? = nil) throws -> LV2Source {
  try TestPlugins.use()
  return try LV2Source(uri, preset: preset)
}

private func score(frames: Int = 4000) -> Score {
  var score = Score()
  score.length = frames
  score.channels = 5
  return score
}

extension [[Float]] {
  fileprivate subscript(output: Output) -> [Float] { self[output.rawValue] }
}

extension [Float] {
  /// The frames that are not zero, and their values.
  fileprivate var marks: [Int: Float] {
    Dictionary(uniqueKeysWithValues: enumerated().filter { $0.element != 0 }.map { ($0, $1) })
  }
}

@Suite(.timeLimit(.minutes(5))) struct LV2UnitTests {
  private let frames = [0, 1, 63, 64, 500, 1023, 3999]

  @Test(arguments: Cut.all)
  func `notes reach a plugin on their frames, in cycles of any length`(cut: Cut) throws {
    var score = score()
    for (index, frame) in frames.enumerated() {
      score.messages.append(
        (frame, ChannelMessage(.noteOn, channel: 0, 60, UInt8(1 + index))))
    }
    let output = try Player.play(source(), score, cut)
    let expected = frames.enumerated().map { ($1, Float(1 + $0) / 127) }
    #expect(output[.notes].marks == Dictionary(uniqueKeysWithValues: expected))
  }

  @Test(arguments: Cut.all)
  func `control ports and properties change on their frames, in cycles of any length`(
    cut: Cut
  ) throws {
    var score = score()
    let tree = try #require(try source().makeUnit(score.format).parameters).tree
    for (index, frame) in frames.enumerated() {
      score.set(tree, "sound.the-gain", Float(index) / 8, at: frame)
      score.set(tree, "level", Float(index) / 16, at: frame)
    }
    let output = try Player.play(source(), score, cut)
    for frame in 0..<score.frames {
      let index = Float(frames.count { $0 <= frame } - 1)
      #expect(output[.gains][frame] == 20 + index / 8)
      #expect(output[.levels][frame] == index / 16)
    }
  }

  @Test func `a ramp has the same steps in cycles of any length`() throws {
    var score = score()
    let tree = try #require(try source().makeUnit(score.format).parameters).tree
    score.set(tree, "sound.the-gain", 2, at: 100, ramp: 1000)
    score.set(tree, "level", 1, at: 200, ramp: 999)
    let whole = try Player.play(source(), score, .every(4000))
    for cut in Cut.all { #expect(try Player.play(source(), score, cut) == whole) }
    let gains = whole[.gains]
    #expect(gains[127] == 21 && gains[128] > 21 && gains[1100 + 32] == 22)
    for frame in 1..<4000 where frame % LV2RenderState.step != 0 {
      #expect(gains[frame] == gains[frame - 1])
    }
    for frame in 100..<1100 {
      #expect(abs(gains[frame] - 21 - Float(frame - 100) / 1000) <= 0.0325)
    }
  }

  @Test(arguments: Cut.all)
  func `a plugin learns the position of the song once, and again when it jumps`(cut: Cut) throws {
    var score = score()
    var transport = Transport()
    (transport.isPlaying, transport.tempo, transport.beat) = (true, 60, 2.5)
    transport.barStart = 0
    score.transports.append((0, transport))
    transport.beat = 7
    transport.barStart = 4
    score.transports.append((777, transport))
    #expect(try Player.play(source(), score, cut)[.beats].marks == [0: 3.5, 777: 4])
  }

  @Test func `work is done within the cycle offline, and in the background otherwise`() throws {
    var score = score(frames: 300)
    score.messages.append((10, ChannelMessage(.noteOn, channel: 0, 60, 1)))
    let offline = try Player(source(), score.format, for: RenderContext(isOffline: true))
    let works = offline.play(score, .every(100))[.works]
    // 100: the host has no deadline.
    #expect(works[0] == 100 && works[99] == 100 && works[100] == 101 && works[299] == 101)
    let live = try Player(source(), score.format)
    #expect(live.play(score, .every(100))[.works] == [Float](repeating: 0, count: 300))
    live.unit.performDeferredWork()
    let silence = self.silence
    #expect(live.play(silence, .every(100))[.works].prefix(101) == zerosThenOne)
  }

  @Test
  func
    `a long cycle is what cycles of 1024 frames are, also to plugins that do things once for each`()
    throws
  {
    var score = score(frames: 8192)
    for frame in [10, 1023, 1024, 3000, 6144] {
      score.messages.append((frame, ChannelMessage(.noteOn, channel: 0, 60, 1)))
    }
    let tree = try #require(try source().makeUnit(score.format).parameters).tree
    score.set(tree, "sound.the-gain", 1, at: 5000)
    func output(_ cut: Cut) throws -> [[Float]] {
      try Player(source(), score.format, for: RenderContext(isOffline: true)).play(score, cut)
    }
    let whole = try output(.every(4096))
    #expect(try whole == output(.every(1024)))
    #expect(whole[.works][1023] == 100 && whole[.works][1024] == 102)
  }

  private var silence: Score { score(frames: 200) }
  private var zerosThenOne: ArraySlice<Float> { ([Float](repeating: 0, count: 100) + [1])[...] }

  @Test func `the latency is known before the first cycle`() throws {
    #expect(try source().makeUnit(score().format).latency == 17)
  }

  @Test func `a state is restored, and a damaged one is refused`() throws {
    var score = score(frames: 100)
    let saving = try Player(source(), score.format)
    score.set(saving.unit.parameters!.tree, "level", 0.75)
    _ = saving.play(score)
    let state = saving.unit.save()
    let other = try Player(source(), score.format)
    try other.unit.restore(state)
    #expect(other.play(silence)[.levels].allSatisfy { $0 == 0.75 })
    #expect(throws: LV2Error.self) { try other.unit.restore(Array("nonsense".utf8)) }
  }

  @Test func `while another thread uses the plugin there is silence, and then its notes end`()
    throws
  {
    let player = try Player(source(), score().format)
    let unit = try #require(player.unit as? LV2Unit)
    var note = score(frames: 100)
    note.messages.append((10, ChannelMessage(.noteOn, channel: 0, 60, 127)))
    #expect(player.play(note)[.notes].marks == [10: 1])
    unit.gate.close()
    note.set(try #require(unit.parameters).tree, "level", 0.5, at: 7, ramp: 1000)
    #expect(player.play(note).allSatisfy { $0.allSatisfy { $0 == 0 } })
    unit.gate.open()
    let output = player.play(score(frames: 100))
    #expect(output[.notes].marks == [0: -1] && output[.levels].allSatisfy { $0 == 0.5 })
    #expect(player.play(score(frames: 100))[.notes].marks.isEmpty)
  }

  @Test func `presets set parameters and the plugin's own state`() throws {
    let unit = try source().makeUnit(score().format)
    #expect(
      unit.presets == [Preset("Loud", ["sound.the-gain": 2, "shape": 2])])
    let output = try Player.play(source(preset: "deep"), silence)
    #expect(output[.gains].allSatisfy { $0 == 20.5 } && output[.levels].allSatisfy { $0 == 0.25 })
    #expect(throws: LV2Error.unknownPreset("x", plugin: "Probe", known: ["Deep", "Loud"])) {
      try source(preset: "x")
    }
  }

  @Test func `parameters have the names, units and values of the ports`() throws {
    let parameters = try #require(try source().makeUnit(score().format).parameters)
    let tree = parameters.tree
    #expect(tree.parameters.map(\.identifier) == ["sound.the-gain", "shape", "level"])
    #expect(tree.groups == [ParameterTree.Group("sound", "Sound")])
    #expect(tree.parameters[0].unit == .decibels && tree.parameters[0].maximum == 2)
    // The order of the values, not that of the file.
    #expect(tree.parameters[1].valueNames == ["Sine", "Square", "Saw"])
    #expect(tree.parameters[1].defaultValue == 1)
    #expect(tree.parameters[2].name == "Level")
  }

  @Test func `a mono effect plays the mean of two channels on both sides`() throws {
    var score = Score()
    score.input = [Score.noise(500), Score.noise(500, seed: 2)]
    let output = try Player.play(source("urn:portative:test:effect"), score)
    let expected = zip(score.input[0], score.input[1]).map { ($0 + $1) / 2 * 0.5 }
    #expect(output == [expected, expected])
  }

  @Test func `the outputs of a plugin with many alternate between left and right in stereo`() throws
  {
    var score = score(frames: 300)
    score.messages.append((10, ChannelMessage(.noteOn, channel: 0, 60, 127)))
    let all = try Player.play(source(), score)
    score.channels = 2
    let stereo = try Player.play(source(), score)
    for frame in 0..<300 {
      #expect(stereo[0][frame] == all[0][frame] + all[2][frame] + all[4][frame])
      #expect(stereo[1][frame] == all[1][frame] + all[3][frame])
    }
    score.channels = 3
    #expect(throws: FormatError.self) { try Player(source(), score.format) }
  }

  @Test(arguments: Cut.all)
  func `a plugin that needs blocks of one length plays cycles of any, and is late by a block`(
    cut: Cut
  ) throws {
    let blocks = try source("urn:portative:test:blocks")
    var score = Score(input: [Score.noise(2000)], channels: 1)
    for frame in frames where frame < 1900 {
      score.messages.append((frame, ChannelMessage(.noteOn, channel: 0, 60, 127)))
    }
    let player = try Player(blocks, score.format)
    #expect(player.unit.latency == 64)
    score.set(player.unit.parameters!.tree, "factor", 2, at: 640)
    let output = player.play(score, cut)[0]
    for frame in 0..<2000 {
      let heard = frame < 64 ? 0 : score.input[0][frame - 64] * (frame < 704 ? 0.5 : 2)
      #expect(output[frame] == heard + (frames.contains(frame - 64) ? 1 : 0), "\(frame)")
    }
  }

  @Test(arguments: [1, 63, 64, 65, 300])
  func `what a plugin sends in blocks is late by a block`(length: Int) throws {
    let memory = RenderMemory()
    let sent = memory.make(OutputEventBuffer(slots: 64, slotSize: 32, in: memory))
    let format = Format(inputChannels: 1, outputChannels: 1)
    let player = try Player(source("urn:portative:test:blocks"), format)
    var frames: [Int] = []
    let input = [Score.silence(length)]
    for begin in stride(from: 0, to: 600, by: length) {
      sent.pointee.begin(frames: length, room: 64)
      let events = [5, 200].filter { (begin..<begin + length).contains($0) }.map {
        MIDIEvent(
          offset: UInt32($0 - begin), content: .channel(ChannelMessage(.noteOn, channel: 3, 60, 1)))
      }
      _ = player.render(
        events, [], [], [], input, frames: length, midiOutput: MIDIOutput(sent))
      frames += sent.pointee.inOrder().events.map { begin + Int($0.offset) }
    }
    #expect(frames == [69, 264])
  }

  @Test func `1000 presets are listed`() throws {
    let unit = try source("urn:portative:test:many").makeUnit(Format(outputChannels: 1))
    let presets = unit.presets
    #expect(presets.count == 1000 && presets.contains(Preset("P250", ["c1": 0.25])))
  }

  @Test func `a plugin with 500 controls has 500 parameters`() throws {
    let many = try source("urn:portative:test:many")
    var score = Score(length: 1000, channels: 1)
    let tree = try #require(try many.makeUnit(score.format).parameters).tree
    #expect(tree.parameters.count == 500)
    for number in 1...500 { score.set(tree, "c\(number)", 1, at: number) }
    let output = try Player.play(many, score)[0]
    for frame in 0..<1000 { #expect(output[frame] == Float(min(frame, 500))) }
  }

  @Test func `a plugin may change its latency while it plays`() throws {
    let player = try Player(source(), score().format)
    var note = score(frames: 100)
    // Key 5 changes it.
    note.messages.append((10, ChannelMessage(.noteOn, channel: 0, 5, 100)))
    _ = player.play(note)
    #expect(player.unit.latency == 34)
  }

  @Test func `what a plugin sends has its frames`() throws {
    let memory = RenderMemory()
    let sent = memory.make(OutputEventBuffer(slots: 64, slotSize: 32, in: memory))
    let player = try Player(source(), score().format)
    sent.pointee.begin(frames: 256, room: 64)
    let events = [5, 200].map {
      MIDIEvent(
        offset: $0, content: .channel(ChannelMessage(.noteOn, channel: 3, 60, UInt8($0 % 128))))
    }
    _ = player.render(events, [], [], [], [], frames: 256, midiOutput: MIDIOutput(sent))
    let received = sent.pointee.inOrder()
    #expect(received.events.map(\.offset) == [5, 200])
  }
}

/// The sampler plays the number that is in its file while a note is held.
@Suite(.timeLimit(.minutes(5))) struct LV2FileTests {
  private let folder: TemporaryFolder
  private let (half, quarter): (String, String)

  init() throws {
    folder = try TemporaryFolder()
    half = try folder.put(Data("0.5".utf8), "half.txt")
    quarter = try folder.put(Data("0.25".utf8), "a quarter.txt")
  }

  private func source(
    preset: String? = nil, _ properties: [String: String] = [:]
  ) throws -> LV2Source {
    try TestPlugins.use()
    return try LV2Source(TestPlugins.sampler, preset: preset, properties: properties)
  }

  private var note: Score {
    var score = score(frames: 300)
    score.channels = 1
    score.messages.append((0, ChannelMessage(.noteOn, channel: 0, 60, 100)))
    return score
  }

  private func level(_ player: Player) -> Float {
    var next = note
    next.messages = []
    return player.play(next)[0][0]
  }

  @Test(arguments: Cut.all, [false, true])
  func `a file sounds from the first frame on, in cycles of any length`(
    cut: Cut, isOffline: Bool
  ) throws {
    let player = try Player(
      source(["sample-file": half]), note.format, for: RenderContext(isOffline: isOffline))
    #expect(player.play(note, cut) == [[Float](repeating: 0.5, count: 300)])
  }

  @Test(arguments: [false, true])
  func `a host replaces a file while a note sounds, and a state has it`(isOffline: Bool) throws {
    let player = try Player(
      source(["sample-file": half]), note.format, for: RenderContext(isOffline: isOffline))
    let unit = player.unit
    #expect(
      unit.files == [UnitFile("sample-file", "Sample", FileReference(path: half))])
    _ = player.play(note)
    try unit.restore(unit.save(), files: ["sample-file": FileReference(path: quarter)])
    #expect(level(player) == 0.25)
    #expect(throws: UnitFileError.self) {
      try unit.restore(unit.save(), files: ["sample-file": FileReference(path: folder("none"))])
    }
    #expect(level(player) == 0.25)
    let other = try Player(source(), note.format)
    #expect(other.play(note)[0][0] == 0)
    #expect(other.unit.files.references.isEmpty && other.unit.files.count == 1)
    try other.unit.restore(unit.save())
    #expect(level(other) == 0.25)
    #expect(other.unit.files.references == ["sample-file": FileReference(path: quarter)])
  }

  @Test func `a preset with a file in its bundle plays it, and a given file takes precedence`()
    throws
  {
    let kit = try Player(source(preset: "Kit"), note.format)
    #expect(kit.play(note)[0][0] == 0.125)
    #expect(kit.unit.files.map(\.file.path) == ["\(try TestPlugins.path())/test.lv2/kit.txt"])
    let other = try Player(source(preset: "Kit", ["sample-file": half]), note.format)
    #expect(other.play(note)[0][0] == 0.5)
  }

  @Test func `texts are set, and a file that only the state has is named by its URI`() throws {
    let hidden = TestPlugins.sampler + ":hidden"
    let player = try Player(
      source(["title": "Seven x", "sample-file": half, hidden: quarter]), note.format)
    #expect(abs(player.play(note)[0][0] - 0.757) < 1e-6)
    let files = player.unit.files.references
    #expect(files.mapValues(\.path) == ["sample-file": half, hidden: quarter])
    let other = try Player(source([hidden: half]), note.format)
    let state = other.unit.save()
    try other.unit.restore(player.unit.save(), files: files)
    #expect(other.play(note)[0][0] == 0.75 && other.unit.files.references == files)
    try other.unit.restore(state)
    #expect(other.unit.files.references[hidden]?.path == half)
  }

  @Test func `an unknown property and a missing file are errors with the names`() throws {
    let unknown = try #require(throws: LV2Error.self) { try source(["sample": half]) }
    #expect("\(unknown)" == "Sampler has no file or text 'sample': it has sample-file, title")
    let missing = try #require(throws: LV2Error.self) {
      try source(["sample-file": folder("none.txt")])
    }
    #expect("\(missing)".hasSuffix("cannot be '\(folder("none.txt"))': there is no such file"))
    #expect(missing.property == "sample-file")
  }
}

@Suite(.timeLimit(.minutes(5))) struct LV2LibraryTests {
  @Test(arguments: [
    ("demanding", "it needs the feature http://example.org/feature"),
    ("voltage", "its port 'In' is for control voltage"),
  ])
  func `a plugin that cannot be played says why`(name: String, reason: String) throws {
    let error = try #require(throws: LV2Error.self) { try source("urn:portative:test:\(name)") }
    #expect("\(error)".contains(reason))
  }

  @Test(arguments: [
    ("refusing", "'Refusing' cannot be played: it refuses to start at 48000 Hz"),
    ("absent", "'Absent' cannot be played: its library cannot be loaded"),
  ])
  func `a plugin that does not start is an error`(name: String, reason: String) throws {
    let error = try #require(throws: LV2Error.self) {
      try source("urn:portative:test:\(name)").makeUnit(Format())
    }
    #expect("\(error)".contains(reason))
  }

  @Test func `a misspelled plugin is answered with a similar one`() throws {
    let error = try #require(throws: LV2Error.self) { try source("http://test/Probe") }
    #expect(
      error.similar == [TestPlugins.probe] && "\(error)".contains("is it \(TestPlugins.probe)?"))
  }
}
