import FluidSynthEngine
import FluidSynthUnits
import Foundation
import LiveMIDI
import LocalSystem
import NodeDirectory
import NodeServer
import PortativeServer
import ProgramTestSupport
import RenderCore
import SoundTestSupport
import Synchronization
import TestSupport
import Testing
import Threads

@testable import LiveAudio
@testable import portative

/// A node in this process whose port a simulated keyboard plays, on a device whose cycles the test renders.
private final class PlayedNode {
  let input: LiveInput
  private(set) var heard: [Float] = []
  private let server: NodeServer
  private let playback: LocalPlayback
  private let device = ManualDevice()

  init(_ user: TemporaryUser, node: String = "portative") throws {
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
    let recorder = TakeRecorder()
    server.takes = RecordedTakes(recorder)
    let device = device
    playback = try LocalPlayback(
      recorder: recorder, open: { () throws(SoundDeviceError) in device }, report: { _ in })
    playback.add(port.description.name, port.input, port.playerSource(source))
    input.sourceNames = ["Keys"]
    try #require(eventually { device.isRunning && input.playedUnit != nil })
  }

  func stop() {
    playback.stop()
    server.stop()
  }

  func render(_ cycles: Int) {
    for _ in 0..<cycles {
      input.playedUnit?.performDeferredWork()
      heard += device.cycle(256, now: 0)?.left ?? []
    }
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
    let file = try Data(contentsOf: URL(filePath: audio)).withUnsafeBytes {
      Array($0.bindMemory(to: Float.self))
    }
    let left = stride(from: 0, to: file.count, by: 2).map { file[$0] }
    // The first note came after 20 cycles, and perhaps within the next.
    let first = try #require(
      (20 * 256..<22 * 256).first {
        node.heard[$0...].prefix(2000).elementsEqual(left.prefix(2000))
      })
    let count = min(left.count, node.heard.count - first)
    #expect(count > 100 * 256 && left.contains { abs($0) > 0.001 })
    #expect(node.heard[first..<first + count].elementsEqual(left[..<count]))

    // A file that exists is kept.
    let again = try take("-o", midi)
    #expect(again.exitCode == 4 && again.errors.contains("exists"))
    #expect(try take("-o", midi, "--overwrite", "-q", "1h", "grand").outputText == "")
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
