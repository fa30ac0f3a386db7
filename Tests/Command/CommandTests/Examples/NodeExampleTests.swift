import ConnectionTestSupport
import Foundation
import Glibc
import LocalSystem
import NodeHost
import NodeProtocol
import ProgramTestSupport
import RenderCore
import TestSupport
import Testing

/// Tests of `Examples/node.c`, which the hosts of this project play without its code.
@Suite(.timeLimit(.minutes(5))) struct NodeExampleTests {
  private let nodes: NodeUser
  private var user: TemporaryUser { nodes.user }

  init() throws {
    nodes = try NodeUser()
    // A node that a sanitizer ends, ends with this code.
    user.variables["ASAN_OPTIONS"] = [user.variables["ASAN_OPTIONS"], "exitcode=99"]
      .compactMap { $0 }.joined(separator: ":")
  }

  @Test(arguments: [ExamplePrograms.node, ExamplePrograms.checkedNode])
  func `it is started by its manifest, listed, described, played and shown`(
    program: Result<String, any Error>
  ) throws {
    try user.installExampleNode(program: program.get())
    let row = "Acme: Triangle  instrument tria Acme  1.0.0    acme  "
    #expect(try user.run("list").outputText.contains(row + "starts when used"))
    let described = try user.run("info", "Triangle")
    #expect(described.exitCode == 0, "\(described.errors)")
    let process = try #require(user.process(of: "acme"))
    #expect(try user.run("list").outputText.contains(row + "running (\(process))"))

    let song = try user.folder.put(shortSong())
    let played = try user.run("play", "-n", "Triangle", "-o", user.folder("a.wav"), song)
    #expect(played.exitCode == 0, "\(played.errors)")
    #expect(peak(samples(user.folder("a.wav"))) > 0.1)

    let long = try user.folder.put(endlessSong(), "long.mid")
    let player = try user.start("play", "--audio", "none", "-n", "Triangle", long)
    try player.wait {
      (try? user.run("list", "--status").outputText.contains("portative play")) == true
    }
    let report = try #require(try user.run("list", "--status", "--json").outputText.objects.first)
    let host = ((report["ports"] as? [[String: Any]])?.first)?["host"] as? [String: Any]
    #expect(host?["processID"] as? Int32 == player.process.processIdentifier)
    player.send(SIGTERM)
    _ = try player.result()
    kill(process, SIGTERM)
    #expect(eventually { user.files.isEmpty })
  }

  @Test func `onset: a note starts on its exact frame, live and offline with the same bits`() throws
  {
    let node = try user.startExampleNode(program: ExamplePrograms.checkedNode.get())
    let starts = [1, 63, 64, 777, 2000, 4095, 4096, 9001]
    var takes: [[Float]] = []
    for (mode, lengths) in [
      (RenderMode.offline, [64]), (.offline, [1, 1023, 333]), (.realtime, [256]),
      (.realtime, [100, 512]),
    ] {
      let connection = try nodes.connect("Acme: Triangle")
      // A busy machine may be late, but then waits for the answer.
      connection.deadlineFraction = 5000
      try connection.initialize(Format(maximumFrames: 1024), mode: mode)
      var take: [Float] = []
      for length in sequence(
        state: 0,
        next: { turn -> Int in
          defer { turn += 1 }
          return lengths[turn % lengths.count]
        })
      {
        let begin = take.count
        if begin >= 12_000 { break }
        for (index, start) in starts.enumerated() where (begin..<begin + length).contains(start) {
          let note = ChannelMessage(.noteOn, channel: 0, UInt8(60 + index), 100)
          #expect(connection.schedule(note, at: start - begin) == .accepted)
        }
        let (status, left, right) = connection.rendered(length)
        #expect(status == .rendered)
        #expect(left == right)
        take += left
      }
      connection.close()
      takes.append(Array(take.prefix(12_000)))
    }
    // The first voice starts with a full amplitude, so that silence ends on its frame.
    #expect(takes[0].firstIndex { $0 != 0 } == starts[0])
    for take in takes { #expect(take == takes[0]) }
    // Each further note changes the sum of the triangles, which are linear between their corners, on its frame.
    for start in starts.dropFirst() { #expect(abs(takes[0][start] - takes[0][start - 1]) > 0.04) }
    try end(node)
  }

  @Test func `host.py and the node play together as host and node of this project do`() throws {
    let node = try user.startExampleNode(program: ExamplePrograms.checkedNode.get())
    let song = try user.folder.put(shortSong())
    let host = try ExamplePrograms.host(
      "tria", song, user.folder("a.wav"), "48000", "333", user: user
    ).result()
    #expect(host.exitCode == 0, "\(host.errors)")
    let played = try user.run(
      "play", "-q", "-n", "Triangle", "--raw", "--bits", "32f", "--tail", "3", "-o",
      user.folder("b.raw"), song)
    #expect(played.exitCode == 0, "\(played.errors)")
    let samples = try Data(contentsOf: URL(filePath: user.folder("b.raw")))
    #expect(try Data(contentsOf: URL(filePath: user.folder("a.wav"))).dropFirst(44) == samples)
    try end(node)
  }

  @Test(arguments: ["lock", "json"])
  func `a FIFO with its name does not make the node wait`(ending: String) throws {
    let program = try ExamplePrograms.checkedNode.get()
    let folder = user.folder("run/portative")
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    #expect(mkfifo("\(folder)/acme.\(ending)", 0o600) == 0)
    if ending == "lock" {
      let node = try Program(["acme"], program: program, variables: user.variables)
      let result = try node.result()
      #expect(result.exitCode == 1)
      #expect(result.errors.contains("acme.lock' is not a regular file: remove it"))
      return
    }
    let node = try user.startExampleNode(program: program)
    for name in ["x.lock", "x.json"] { #expect(mkfifo("\(folder)/\(name)", 0o600) == 0) }
    let song = try user.folder.put(shortSong())
    let host = try ExamplePrograms.host("none", song, "/dev/null", user: user).result()
    #expect(host.errors.contains("no running node publishes 'none'"), "\(host.errors)")
    node.send(SIGTERM)
    #expect(try node.result().exitCode == 0)
  }

  @Test func `a second host is refused with the first one's name`() throws {
    let node = try user.startExampleNode(program: ExamplePrograms.checkedNode.get())
    let first = try nodes.connect("Acme: Triangle")
    do {
      _ = try nodes.connect("Acme: Triangle")
      Issue.record("it was accepted")
    } catch let ConnectionError.refused(error) {
      #expect(error.code == .portInUse)
      #expect(error.data?.holder == Peer(name: "Sequencer", processID: getpid()))
    }
    first.close()
    #expect(eventually { (try? nodes.connect("Acme: Triangle")) != nil })
    try end(node)
  }

  @Test func `a host that does not render is parked, and may initialize again`() throws {
    let node = try user.startExampleNode(program: ExamplePrograms.checkedNode.get())
    let connection = try nodes.connect("Acme: Triangle")
    for _ in 0..<2 {
      try connection.initialize(Format(maximumFrames: 64))
      #expect(eventually { connection.rendered(64).status == .rendered })
      #expect(eventually { connection.status == .parked(.notRendered) })
    }
    connection.close()
    try end(node)
  }

  @Test func `when it is killed, a live song continues with a new process of it`() throws {
    try user.installExampleNode(program: ExamplePrograms.node.get())
    let song = try user.folder.put(endlessSong())
    let player = try user.start("play", "-n", "Triangle", "--audio", "none", song)
    let first = try killWhileRendering(player)
    try player.wait { self.renders(user.process(of: "acme"), besides: first) }
    player.send(SIGTERM)
    _ = try player.result()
  }

  @Test
  func `when it is killed, a song that is written to a file fails, and the next one starts it`()
    throws
  {
    try user.installExampleNode(program: ExamplePrograms.node.get())
    let song = try user.folder.put(endlessSong())
    let player = try user.start("play", "-n", "Triangle", "-o", user.folder("x.wav"), song)
    let first = try killWhileRendering(player)
    let result = try player.result()
    #expect(result.exitCode != 0)
    #expect(result.errors.contains("Triangle was lost during the song"), "\(result.errors)")
    #expect(user.folder.names.contains("x.wav") == false)
    // The next program that looks removes the files of the killed node, and the next host starts it.
    #expect(try user.run("list").outputText.contains("starts when used"))
    #expect(user.files == [])
    let short = try user.folder.put(shortSong())
    let next = try user.run("play", "-n", "Triangle", "-o", user.folder("x.wav"), short)
    #expect(next.exitCode == 0, "\(next.errors)")
    #expect(user.process(of: "acme") != first)
  }

  /// Kills the node while it renders.
  ///
  /// - Returns: Its process.
  private func killWhileRendering(_ player: Program) throws -> Int32 {
    try player.wait { self.renders(user.process(of: "acme")) }
    usleep(100_000)
    let process = try #require(user.process(of: "acme"))
    kill(process, SIGKILL)
    return process
  }

  /// Whether a node has its second thread, which renders.
  private func renders(_ process: Int32?, besides former: Int32? = nil) -> Bool {
    guard let process, process != former else { return false }
    let threads = try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")
    return threads?.count == 2
  }

  /// Ends the node, which then frees everything: otherwise the sanitizer fails it.
  private func end(_ node: Program) throws {
    node.send(SIGTERM)
    let result = try node.result()
    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(user.files == [])
  }
}
