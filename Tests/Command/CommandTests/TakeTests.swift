import ConnectionTestSupport
import FluidSynthEngine
import Foundation
import LiveMIDI
import LocalSystem
import NodeHost
import NodeProtocol
import NodeServer
import ProgramTestSupport
import RenderCore
import ServerTestSupport
import SoundTestSupport
import Synchronization
import TestSupport
import Testing

@testable import LiveAudio
@testable import PortativeServer
@testable import portative

/// A node in this process whose port a simulated keyboard plays, on a device whose cycles the test renders.
private final class PlayedNode {
  let input: LiveInput
  let recorder: TakeRecorder
  /// The samples of the left and the right channel in turn.
  private(set) var heard: [Float] = []
  private let server: NodeServer
  private let playback: LocalPlayback
  private let played: PlayedPort
  private let device = ManualDevice()

  /// - Parameter hasZones: Whether the keyboard is divided.
  init(_ user: TemporaryUser, node: String = "portative", hasZones: Bool = false) throws {
    let environment = ProcessEnvironment(variables: user.variables)
    server = try NodeServer(name: node, directories: NodeDirectories(environment))
    let source = InstrumentSource(soundFont: try .open(bundledSoundFont))
    let port = try server.publish(
      PortDescription(
        component: ComponentDescription(
          type: .instrument, subtype: FourCharacterCode("pian"),
          manufacturer: FourCharacterCode("Test")),
        name: "Test: Grand \(node)", version: SemanticVersion("1.0.0")),
      source, maximumHosts: 4)
    input = port.input
    recorder = TakeRecorder()
    let log = TestLog()
    server.requestExtension = ServerRequests(
      scenes: SceneControl(in: environment, log),
      controls: ServerControls(environment, node: node, log), takes: RecordedTakes(recorder),
      song: ServerSong(soundFont: { "" }, on: nil, log))
    let device = device
    playback = try LocalPlayback(
      takes: recorder, open: { () throws(SoundDeviceError) in device }, report: { _ in })
    played = playback.add(port.description.name, port.input, port.playerSource(source))
    // Before the device runs, so that all sounds begin together.
    if hasZones { try divide() }
    input.sourceNames = ["Keys"]
    try #require(
      eventually {
        device.isRunning && input.playedUnit != nil && (!hasZones || input.zoneUnits.count == 2)
      })
  }

  func stop() {
    playback.stop()
    server.stop()
  }

  func render(_ cycles: Int) {
    for _ in 0..<cycles {
      input.playedUnit?.performDeferredWork()
      for unit in input.zoneUnits.values { unit.performDeferredWork() }
      guard let output = device.cycle(256, now: 0) else { continue }
      heard += zip(output.left, output.right).flatMap { [$0, $1] }
    }
  }

  /// Divides the keyboard: bass to the left, a loud organ to the right above, and the port's instrument with both.
  private func divide() throws {
    func sound(
      _ number: UInt8, _ name: String, program: Int, _ panorama: Panorama
    ) throws -> ZoneSound {
      var settings = InstrumentSettings()
      settings.preset = PresetSelection(bank: 0, program: program)
      return ZoneSound(
        number, name: name,
        source: InstrumentSource(soundFont: try .open(bundledSoundFont), settings: settings),
        panorama: panorama)
    }
    func zone(_ keys: ClosedRange<UInt8>, sound: UInt8) -> Zone {
      var zone = Zone()
      (zone.keys, zone.sound) = (keys, sound)
      return zone
    }
    let isSet = Flag()
    played.setSounds(
      [
        try sound(1, "Bass", program: 33, Panorama(decibels: -3, balance: -0.7)),
        try sound(2, "Organ", program: 19, Panorama(decibels: 2.5, balance: 0.4)),
      ]
    ) { isSet.raise() }
    try #require(eventually { isSet.isRaised })
    played.setPlayedSounds([1, 2])
    input.setZones([
      zone(0...62, sound: 1), zone(60...127, sound: 2), zone(64...127, sound: 0),
    ])
  }

  /// Removes the sounds of zones, as a scene does that does not have them.
  func removeSounds() throws {
    input.setZones(nil)
    played.setSounds([]) {}
    try #require(
      eventually {
        render(10)
        return input.zoneUnits.isEmpty
      })
  }

  func play(_ keys: [UInt8] = [60, 64, 67]) {
    render(20)
    for key in keys {
      input.send(
        .channel(ChannelMessage(.noteOn, channel: 0, key, 100)), from: .init(1),
        at: MonotonicClock.now)
      render(25)
      input.send(
        .channel(ChannelMessage(.noteOff, channel: 0, key, 64)), from: .init(1),
        at: MonotonicClock.now)
      render(5)
    }
    render(100)
  }
}

@Suite(.timeLimit(.minutes(5))) struct TakeTests {
  private let user: TemporaryUser

  init() throws { user = try TemporaryUser() }

  private func take(_ arguments: String...) throws -> ProgramResult {
    try user.run(arguments: ["take"] + arguments)
  }

  @Test func `a take of a port that the node does not publish is refused`() throws {
    let node = try PlayedNode(user)
    defer { node.stop() }
    let host = AudioHost(name: "x", environment: ProcessEnvironment(variables: user.variables))
    let error = failure { _ = try host.take(ofNode: "portative", component: pulses(9)) }
    #expect(error?.description.contains("does not publish") == true)
  }

  @Test func `a take is written, and its audio has the bits that were heard`() throws {
    let node = try PlayedNode(user)
    defer { node.stop() }
    let (midi, audio) = (user.folder("a.mid"), user.folder("a.raw"))
    let nothing = try take("-o", midi)
    #expect(nothing.exitCode == 1 && nothing.errors.contains("nothing has been played yet"))
    #expect(!FileManager.default.fileExists(atPath: midi))
    #expect(
      try user.run("set", "grand", "reverb.room=0.7", "gain=-2.5", "preset=0:19").exitCode == 0)
    node.play()
    let result = try take("-o", midi, "--audio", audio)
    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(result.outputText.contains("Test: Grand portative: 3 notes"))
    #expect(result.outputText.contains("--set reverb.room=0.7"))
    #expect(result.outputText.contains("--set gain=-2.5"))
    let file = try samples(audio)
    #expect(try isHeard(file, node, after: 20))

    // A file that exists is kept.
    let again = try take("-o", midi)
    #expect(again.exitCode == 4 && again.errors.contains("exists"))
    #expect(try take("-o", midi, "--overwrite", "-q", "1h", "grand").outputText == "")
    let json = try #require(try take("-o", midi, "--overwrite", "--json").outputText.objects.first)
    #expect(json["file"] as? String == midi && json["audio"] == nil)
    #expect((json["ports"] as? [[String: Any]])?.first?["notes"] as? Int == 3)
    #expect((json["command"] as? String)?.contains("--set gain=-2.5") == true)
    #expect(try schemaFaults(of: json) == [])
  }

  private func samples(_ path: String) throws -> [Float] {
    try Data(contentsOf: URL(filePath: path)).withUnsafeBytes {
      Array($0.bindMemory(to: Float.self))
    }
  }

  /// Returns whether a file has what was heard from a note on that was played after so many cycles.
  private func isHeard(_ file: [Float], _ node: PlayedNode, after cycles: Int) throws -> Bool {
    // The first note acts in the next cycle.
    let first = try #require(
      stride(from: cycles * 512, to: (cycles + 2) * 512, by: 2).first {
        node.heard[$0...].prefix(4000).elementsEqual(file.prefix(4000))
      })
    let count = min(file.count, node.heard.count - first)
    #expect(count > 100 * 512 && file.contains { abs($0) > 0.001 })
    return node.heard[first..<first + count].elementsEqual(file[..<count])
  }

  @Test(arguments: [false, true])
  func `the audio of zones has the bits that were heard, also after they were removed`(
    areRemoved: Bool
  ) throws {
    let node = try PlayedNode(user, hasZones: true)
    defer { node.stop() }
    let (midi, audio) = (user.folder("a.mid"), user.folder("a.raw"))
    if !areRemoved {
      // What is set on the port is set on the sounds that exist, which apply to the whole take.
      #expect(try user.run("set", "grand", "reverb.room=0.7", "gain=-2.5").exitCode == 0)
    }
    node.play([60, 48, 72, 64, 61])
    if areRemoved { try node.removeSounds() }
    let result = try take("-o", midi, "--audio", audio)
    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(result.outputText.contains("each sound of the zones has a track of its own"))
    let file = try samples(audio)
    #expect(try isHeard(file, node, after: 20))
    // The sounds are at different places.
    let (left, right) = (0, 1)
    #expect(stride(from: 0, to: file.count, by: 2).contains { file[$0 + left] != file[$0 + right] })
  }

  @Test func `several nodes must be told apart`() throws {
    let (first, second) = (try PlayedNode(user), try PlayedNode(user, node: "other"))
    defer {
      first.stop()
      second.stop()
    }
    first.play()
    let midi = user.folder("a.mid")
    #expect(try take("-o", midi).exitCode == 0)
    second.play()
    let result = try take("-o", midi, "--overwrite")
    #expect(result.exitCode == 2 && result.errors.contains("'other/Test: Grand other'"))
    #expect(try take("-o", midi, "--overwrite", "other/Test: Grand other").exitCode == 0)
  }

  @Test func `without a node or a recording, there is a sentence`() throws {
    let none = try take()
    #expect(none.exitCode == 1 && none.errors.contains("no node is running"))
    try user.serve()
    let mute = try take()
    #expect(mute.exitCode == 1 && mute.errors.contains("--audio none"))
    let unknown = try take("5m", "violin")
    #expect(unknown.exitCode == 2 && unknown.errors.contains("violin"))
  }

  @Test(arguments: [
    ("90", 90.0), ("90s", 90), ("5m", 300), ("1h", 3600), ("1:30", 90), ("1.5m", 90), ("0.5", 0.5),
    ("1:00:01", 3601),
  ])
  func `a duration is a time before now`(text: String, seconds: Double) throws {
    #expect(try TakeOptions.duration(text) == seconds)
    let options = try TakeOptions(arguments: [text, "piano"])
    #expect(options.seconds == seconds && options.port == "piano")
  }

  @Test(arguments: ["0", "-5", "5x", "1:75", "1e3", "101h", "", "1:30m", "0s", "5 m"])
  func `a bad duration is refused`(text: String) {
    let error = #expect(throws: Failure.self) { try TakeOptions(arguments: [text]) }
    #expect(error?.message.hasPrefix("DURATION must be") == true)
    #expect(error?.kind == .usage)
  }

  @Test func `bad arguments are refused`() {
    for arguments in [
      ["5m", "a", "b"], ["-o", "-"], ["--audio", "-"], ["-o", "a", "--audio", "a"], ["-o", ""],
      ["--bad"],
    ] {
      #expect(throws: Failure.self, "\(arguments)") { try TakeOptions(arguments: arguments) }
    }
  }
}
