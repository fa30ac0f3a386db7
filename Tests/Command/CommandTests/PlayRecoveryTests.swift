import Foundation
import ProgramTestSupport
import TestSupport
import Testing
import portative

/// Nodes that end while a song is played, and come back.
@Suite(.timeLimit(.minutes(5))) struct PlayRecoveryTests {
  private let user: TemporaryUser
  private let song: String

  init() throws {
    user = try TemporaryUser()
    // A note on each beat for ten seconds, each a quarter of a second long.
    let notes = (0..<20).map { Note(tick: $0 * 480, key: 60, length: 240) }
    song = try user.folder.put(songBytes(notes, endTick: 20 * 480))
  }

  private func play(_ arguments: String...) throws -> Program {
    try Program(
      ["play", "--node", "last", "--audio", "none", "--cycle", "1024", "--tail", "exact"]
        + arguments + [song],
      variables: user.variables)
  }

  /// Returns the peak level of the first half of each beat of a recording.
  private func beats(_ take: String) -> [Float] {
    let samples = samples(take)
    return stride(from: 0, to: samples.count, by: 48_000).map {
      peak(samples[$0..<min($0 + 24_000, samples.count)])
    }
  }

  @Test func `a node that was stopped plays again, and the recording keeps the song's time`() throws
  {
    let server = try user.serve()
    let take = user.folder("take.wav")
    let player = try play("--record", take)
    try player.wait { user.folder.size(of: ".take.wav.") ?? 0 > 300_000 }
    server.send(SIGSTOP)
    try player.wait { player.errors.contains("the song continues without it until it returns") }
    server.send(SIGCONT)
    let result = try player.result()
    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(result.errors.contains("General MIDI was late in 50 consecutive cycles"))
    #expect(result.errors.contains("General MIDI plays again after "))
    // The number of late cycles is reported exactly once.
    let counts = result.errors.matches(of: /([0-9]+) of [0-9]+ cycles late/)
    #expect(counts.count == 1)
    #expect(!result.errors.contains("none late"))
    #expect(samples(take).count == 2 * 480_000)
    let loud = beats(take)
    #expect(loud.first ?? 0 > 0.01 && loud.last ?? 0 > 0.01)
    #expect(loud.contains { $0 < 0.001 })
  }

  @Test func `a node that was killed is connected again when it returns`() throws {
    let server = try user.serve()
    let take = user.folder("take.wav")
    let player = try play("--record", take)
    try player.wait { user.folder.size(of: ".take.wav.") ?? 0 > 300_000 }
    server.send(SIGKILL)
    try player.wait { player.errors.contains("has ended; the song continues without it") }
    try user.serve()
    let result = try player.result()
    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(result.errors.contains("General MIDI plays again after "))
    #expect(samples(take).count == 2 * 480_000)
    #expect(beats(take).last ?? 0 > 0.01)
  }

  @Test func `a node that has a manifest is started again`() throws {
    #expect(try user.run("serve", "--install", "-q").exitCode == 0)
    let player = try play()
    try player.wait { player.errors.contains("General MIDI: node 'portative', process ") }
    let process = try #require(
      player.errors.firstMatch(of: /process ([0-9]+)/).flatMap { pid_t($0.1) })
    // Waits until the node renders cycles.
    try player.wait {
      (try? user.run("list", "--status", "--json").outputText.contains(/"cycles":[1-9]/)) == true
    }
    kill(process, SIGKILL)
    let result = try player.result()
    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(result.errors.contains("has ended; the song continues without it"))
    #expect(result.errors.contains("General MIDI plays again after "))
    _ = try? user.run("list", "--status")
  }

  @Test func `a user's server takes the place of a node that was started for a host`() throws {
    #expect(try user.run("serve", "--install", "-q").exitCode == 0)
    let take = user.folder("take.wav")
    let player = try play("--record", take)
    try player.wait { user.folder.size(of: ".take.wav.") ?? 0 > 300_000 }
    let process = try #require(user.process(of: "portative"))
    let server = try user.serve()
    try server.wait {
      server.errors.contains(
        "ended process \(process), which a host had started as the node 'portative'")
    }
    let result = try player.result()
    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(result.errors.contains("General MIDI plays again after "))
    #expect(user.process(of: "portative") == server.process.processIdentifier)
    #expect(samples(take).count == 2 * 480_000)
    #expect(beats(take).last ?? 0 > 0.01)
  }

  @Test
  func `a node that stays absent ends the song after --timeout, with a complete recording`()
    throws
  {
    let server = try user.serve()
    let take = user.folder("take.wav")
    let player = try play("--record", take, "--timeout", "0.5")
    try player.wait { user.folder.size(of: ".take.wav.") ?? 0 > 300_000 }
    server.send(SIGKILL)
    let result = try player.result()
    #expect(result.exitCode == 1)
    #expect(result.errors.contains("was lost during the song: the node 'portative'"))
    #expect(result.errors.contains("recorded \(take)"))
    #expect(samples(take).count > 2 * 30_000)
  }

  /// Starts to play an endless song into a file, and waits until some of it has been written.
  private func playToFile(timeout: String) throws -> Program {
    let endless = try user.folder.put(endlessSong(), "endless.mid")
    let player = try Program(
      ["play", "--node", "last", "-q", "--timeout", timeout, "-o", user.folder("x.wav"), endless],
      variables: user.variables)
    try player.wait { player.unnamedBytes > 100_000 }
    return player
  }

  @Test func `a node without progress ends the rendering, and no file is left`() throws {
    let server = try user.serve()
    let player = try playToFile(timeout: "0.5")
    server.send(SIGSTOP)
    let result = try player.result()
    server.send(SIGCONT)
    #expect(result.exitCode == 1)
    #expect(result.errors.contains("General MIDI made no progress for 0.5 s"))
    #expect(result.errors.contains("--timeout"))
    #expect(!user.folder.names.contains { $0.contains("x.wav") })
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `a signal ends a player whose node hangs, and no file is left`(signal: Int32) throws {
    let server = try user.serve()
    let player = try playToFile(timeout: "3600")
    server.send(SIGSTOP)
    defer { server.send(SIGCONT) }
    player.send(signal)
    let result = try player.result()
    #expect(result.signal == signal)
    #expect(result.errors == "")
    #expect(!user.folder.names.contains { $0.contains("x.wav") })
  }
}
