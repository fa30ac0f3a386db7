import Foundation
import LocalSystem
import NodeHost
import NodeProtocol
import ProgramTestSupport
import Synchronization
import TestSupport
import Testing

/// A host in this process that plays ports of a user's node and records the commands that it receives.
private final class CommandedHost: Sendable {
  private let connections: [Connection]
  private let obeyed = Mutex<[RemoteCommand]>([])
  var commands: [RemoteCommand] { obeyed.withLock { $0 } }

  /// - Parameters:
  ///   - ports: The names of the ports.
  ///   - takes: The commands that it accepts for the last port; it accepts none for the others.
  ///   - obeys: The result of each command.
  init(
    _ user: TemporaryUser, ports: [String] = ["Portative: General MIDI"],
    takes: Set<RemoteCommand.Kind> = Set(RemoteCommand.Kind.allCases),
    obeys: Bool = true
  ) throws {
    let environment = ProcessEnvironment(variables: user.variables)
    let host = AudioHost(name: "Sequencer", environment: environment)
    let components = ComponentRegistry(environment).components()
    connections = try ports.map { name in
      try host.connect(to: #require(components.first { $0.port.name == name }))
    }
    connections.last?.acceptCommands(takes) { [weak self] command in
      self?.obeyed.withLock { $0.append(command) }
      return obeys
    }
    // The node is informed asynchronously.
    for (connection, kinds) in zip(connections, connections.dropLast().map { _ in [] } + [takes]) {
      try #require(
        eventually {
          let node = components.first { $0.port.name == connection.port.name }!.node
          let report = try host.report(ofNode: node)
          let port = report.ports.first { $0.port.name == connection.port.name }
          return Set(port?.commands ?? []) == Set(kinds)
        })
    }
  }
}

private func eventually(_ what: () throws -> Bool) rethrows -> Bool {
  for _ in 0..<4000 {
    if try what() { return true }
    usleep(5000)
  }
  return false
}

@Suite(.timeLimit(.minutes(5))) struct RemoteTests {
  private let user: TemporaryUser
  private let me = "Sequencer (process \(ProcessInfo.processInfo.processIdentifier))"

  init() throws {
    user = try TemporaryUser()
    try user.configureOnePort()
    try user.serve()
  }

  /// Returns the message for a command that cannot be sent or is not executed.
  private func complaint(_ words: String...) throws -> String {
    let result = try Program(["remote"] + words, variables: user.variables).result()
    #expect(result.outputText == "")
    #expect(result.exitCode == 1)
    return result.errors
  }

  @Test func `the host does what it is commanded`() throws {
    let host = try CommandedHost(user)
    for words in [
      ["play"], ["record"], ["rewind"], ["start"], ["stop"], ["continue"], ["jump", "16.5"],
      ["jump", "-4"], ["loop", "on"], ["loop", "off"],
    ] {
      let result = try Program(["remote"] + words, variables: user.variables).result()
      #expect(result.exitCode == 0, "\(result.errors)")
      #expect(result.outputText == "done by \(me)\n")
      #expect(result.errors == "")
    }
    #expect(
      host.commands == [
        .togglePlay, .toggleRecord, .rewind, .start, .stop, .continue, .jump(beat: 16.5),
        .jump(beat: -4), .loop(isOn: true), .loop(isOn: false),
      ])
  }

  @Test func `what a host does not take, or not now, is said`() throws {
    let host = try CommandedHost(user, takes: [.start, .stop], obeys: false)
    #expect(
      try complaint("play")
        == "portative: Portative: General MIDI: the host does not support this command: it supports start, stop\n"
    )
    #expect(
      try complaint("stop")
        == "portative: Portative: General MIDI: the host cannot do this now\n")
    #expect(host.commands == [.stop])
  }

  @Test func `a host that accepts no commands is named, and a missing host is reported`() throws {
    #expect(
      try complaint("play")
        == "portative: no host plays a port: first play a song, such as with portative play\n"
    )
    #expect(try complaint("play", "--node", "General MIDI").contains("'General MIDI'"))
    let host = try CommandedHost(user, takes: [])
    #expect(
      try complaint("play")
        == "portative: \(me) plays Portative: General MIDI, but does not accept commands\n")
    #expect(host.commands == [])
  }

  @Test func `of a host that plays several ports, the one that accepts the command is used`() throws
  {
    try user.configure(
      #"{ ports: [{ name: "A: B", subtype: "dela", unit: "delay" }, "#
        + #"{ name: "A: C", subtype: "delb", unit: "delay" }] }"#)
    let server = try user.serve(node: "delays")
    try server.wait { user.ports(of: "delays")?.count == 2 }
    let host = try CommandedHost(user, ports: ["A: B", "Portative: General MIDI", "A: C"])
    #expect(try user.run("remote", "stop").exitCode == 0)
    #expect(try user.run("remote", "-n", "delays", "start").exitCode == 0)
    #expect(host.commands == [.stop, .start])
    #expect(
      try complaint("-n", "b", "start")
        == "portative: \(me) plays A: B, but does not accept commands\n")
  }

  @Test func `a node that does not answer is named, and the others receive the command`() throws {
    let host = try CommandedHost(user)
    let second = try user.serve(node: "second")
    second.send(SIGSTOP)
    let result = try user.run("remote", "stop")
    second.send(SIGCONT)
    #expect(result.exitCode == 0)
    #expect(result.errors.hasPrefix("portative: the node 'second' (process "))
    #expect(host.commands == [.stop])
  }

  @Test func `portative play accepts commands through every node that it uses`() throws {
    try user.configure(
      #"{ ports: [{ name: "A: Delay", subtype: "dela", unit: "delay" }] }"#)
    try user.serve(node: "delays")
    let song = try user.folder.put(endlessSong())
    let player = try user.start(
      "play", "--node", "last", "--audio", "none", "--effect", "A: Delay", song)
    try player.wait { (try? user.run("remote", "stop").exitCode) == 0 }
    for words in [["-n", "delays", "jump", "-2"], ["--node", "portative", "play"]] {
      let result = try Program(["remote"] + words, variables: user.variables).result()
      #expect(
        result.outputText
          == "done by portative play (process \(player.process.processIdentifier))\n",
        "\(result.errors)")
    }
  }

  @Test(arguments: [
    ([], "remote needs a command: play, record, rewind, "),
    (["plya"], "unknown command 'plya': did you mean play?"),
    (["jump"], "jump needs a beat: portative remote jump BEAT"),
    (["jump", "far"], "BEAT must be a number from -1000000000 to 1000000000, but was 'far'"),
    (["loop"], "loop needs on or off"), (["loop", "maybe"], "loop must be on or off"),
    (["stop", "now"], "remote takes one command, but also got 'now'"),
    (["stop", "--node", "Organ"], "no port is named 'Organ'"),
  ])
  func `wrong usage is refused with the remedy`(arguments: [String], sentence: String) throws {
    let result = try Program(["remote"] + arguments, variables: user.variables).result()
    #expect(result.exitCode == 2)
    #expect(result.errors.hasPrefix("portative remote"))
    #expect(result.errors.contains(" \(sentence)"), "\(result.errors)")
  }
}
