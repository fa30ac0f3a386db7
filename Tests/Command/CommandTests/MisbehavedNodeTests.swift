import ConnectionTestSupport
import Foundation
import LocalSystem
import NodeProtocol
import NodeServer
import ProgramTestSupport
import RenderCore
import Synchronization
import TestSupport
import Testing

/// Nodes that claim to play a song, and do not.
@Suite(.timeLimit(.minutes(5))) struct MisbehavedNodeTests {
  private let user: TemporaryUser
  private let song: String

  init() throws {
    user = try TemporaryUser()
    let notes = (0..<4).map { Note(tick: $0 * 480, key: 60, length: 240) }
    song = try user.folder.put(songBytes(notes, endTick: 4 * 480))
  }

  private func node(
    _ answer: @escaping @Sendable (_ method: String) -> [FakeMessage]
  ) throws -> FakeNode {
    try FakeNode(in: ProcessEnvironment(variables: user.variables)) { method, _ in
      let messages = answer(method)
      return messages.isEmpty ? [.response(Done())] : messages
    }
  }

  /// A node without ports that has the same name.
  private func server() throws -> NodeServer {
    try NodeServer(
      name: "fake", directories: NodeDirectories(ProcessEnvironment(variables: user.variables)))
  }

  /// The cycles are long, so that a node that does not answer is parked late by its host.
  private func play(_ arguments: String...) throws -> ProgramResult {
    let options = ["--node", "fake", "--audio", "none", "--tail", "exact", "--cycle", "1024"]
    return try user.run(arguments: ["play"] + options + arguments + [song])
  }

  private static let unit = FakeMessage.response(UnitProperties(latency: 0))

  @Test func `a node that answers no cycle does not play again, and its late cycles are counted`()
    throws
  {
    let node = try node { $0 == InitializePort.method ? [Self.unit] : [] }
    let result = try play("--timeout", "1")
    #expect(result.exitCode == 1)
    let owner = "node 'fake' (process \(getpid()))"
    #expect(
      result.errors.contains(
        "Test: Fake was late in 50 consecutive cycles, and the \(owner) answered none of them"))
    #expect(result.errors.contains("end it with 'kill -9 \(getpid())', and start it again"))
    #expect(
      result.errors.contains(/Test: Fake: [0-9]+ of [0-9]+ cycles late, and silent: its node/))
    // The song was interrupted once, and no load of the machine explains that.
    #expect(result.errors.matches(of: /until it returns/).count == 1)
    for wrong in ["again after", "close other programs", "none late"] {
      #expect(!result.errors.contains(wrong), "\(result.errors)")
    }
    withExtendedLifetime(node) {}
  }

  @Test func `a node that parks each song is an error, and not "none late"`() throws {
    let node = try node { method in
      method == InitializePort.method
        ? [Self.unit, .later(microseconds: 30_000, PortParked(reason: .notRendered))] : []
    }
    let result = try play()
    #expect(result.exitCode == 1)
    #expect(
      result.errors.contains(
        "Test: Fake was parked by the node 'fake' (process \(getpid())), which says that this host")
    )
    #expect(
      result.errors.contains(/silent, because its node 'fake' \(process [0-9]+\) was lost, or/))
    for wrong in ["again after", "none late"] {
      #expect(!result.errors.contains(wrong), "\(result.errors)")
    }
    let file = try user.run("play", "--node", "fake", "-o", user.folder("x.wav"), song)
    #expect(file.exitCode == 1)
    withExtendedLifetime(node) {}
  }

  @Test(arguments: [true, false])
  func `a false claim names port, node, process and field`(isAnswer: Bool) throws {
    let node = try node { method in
      if method != InitializePort.method { return [] }
      if isAnswer { return [.response(UnitProperties(latency: -5))] }
      return [Self.unit, .notification(TimingChanged(latency: 1 << 62, tail: nil))]
    }
    let result = try play("--timeout", "1")
    #expect(result.exitCode == 1)
    let owner = "the node 'fake' (process \(getpid())) sent an invalid"
    #expect(
      result.errors.contains(
        isAnswer
          ? "\(owner) answer to 'initialize': 'result.latency' must be from 0 to 1920000, but is -5"
          : "\(owner) message 'timingChanged': 'params.latency' must be from 0 to 1920000"),
      "\(result.errors)")
    #expect(!result.errors.contains("connect again"))
    withExtendedLifetime(node) {}
  }

  @Test func `a node that hangs after the song, before its latency has passed, is an error`() throws
  {
    let server = try server()
    let source = LateHangSource()
    try server.publish(FakeNode.port, source)
    defer {
      source.units.withLock { $0.forEach { $0.open() } }
      server.stop()
    }
    let result = try user.run(
      "play", "--node", "fake", "--tail", "exact", "--timeout", "1", "-o", user.folder("x.wav"),
      song)
    #expect(result.exitCode == 1)
    #expect(result.errors.contains("Test: Fake made no progress for 1 s"), "\(result.errors)")
    #expect(!FileManager.default.fileExists(atPath: user.folder("x.wav")))
  }

  @Test func `a node that floods its host with commands does not keep a song from ending`() throws {
    let server = try server()
    defer { server.stop() }
    let port = try server.publish(FakeNode.port, PulseSource())
    let player = try user.start(
      "play", "--node", "fake", "--audio", "none", "--tail", "exact", song)
    let isOver = Flag()
    let flood = (0..<3).map { _ in
      TestThread { while !isOver.isRaised { _ = port.command(.togglePlay) } }
    }
    defer {
      isOver.raise()
      flood.forEach { $0.join() }
    }
    let result = try player.result(within: 30)
    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(
      result.errors.contains(
        "(process \(getpid())) of Test: Fake sends too many transport commands"))
  }

  @Test func `a node that continues a song at its end does not keep it from ending`() throws {
    let server = try server()
    defer { server.stop() }
    let port = try server.publish(FakeNode.port, PulseSource())
    let player = try user.start(
      "play", "--node", "fake", "--audio", "none", "--tail", "5", song)
    let isOver = Flag()
    let remote = TestThread {
      while !isOver.isRaised {
        _ = port.command(.continue)
        usleep(100_000)
      }
    }
    defer {
      isOver.raise()
      remote.join()
    }
    #expect(try player.result(within: 40).exitCode == 0)
  }

  @Test
  func `--timeout counts for all ports of a node that hangs, and not for each in turn`() throws {
    let node = try node { $0 == InitializePort.method ? [Self.unit] : [] }
    // Twelve instruments, each on a connection of its own.
    let chains = (0..<12).flatMap { _ in ["--node", "fake"] }
    let player = try user.start(
      ["play"] + chains + ["-o", user.folder("x.wav"), "--timeout", "3", song])
    let begin = ContinuousClock.now
    let result = try player.result()
    #expect(result.exitCode == 1)
    #expect(result.errors.contains("made no progress for 3 s"), "\(result.errors)")
    #expect(ContinuousClock.now - begin < .seconds(25))
    withExtendedLifetime(node) {}
  }

  @Test func `a port that is withdrawn before the song is named with its node and process`() throws
  {
    let node = try node { $0 == InitializePort.method ? [.notification(PortRemoved())] : [] }
    let result = try play()
    #expect(result.exitCode == 1)
    #expect(
      result.errors.contains(
        "Test: Fake cannot be played: the node 'fake' (process \(getpid())) no longer publishes it"),
      "\(result.errors)")
    withExtendedLifetime(node) {}
  }
}

/// Makes units that hang in the cycle 120: after a song of two seconds, but before their latency has passed.
private final class LateHangSource: RenderUnitSource {
  let units = Mutex<[PulseUnit]>([])

  func makeUnit(_ format: Format) throws -> any RenderUnit {
    var faults = PulseUnit.Faults()
    faults.hangs = 120
    let unit = PulseUnit(format, faults)
    units.withLock { $0.append(unit) }
    return LateUnit(unit)
  }
}

private final class LateUnit: RenderUnit {
  private let unit: PulseUnit

  init(_ unit: PulseUnit) { self.unit = unit }

  var renderer: Renderer { unit.renderer }
  var latency: Int { 48_000 }
}
