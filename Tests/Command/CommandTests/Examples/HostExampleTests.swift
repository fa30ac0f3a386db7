import Foundation
import Glibc
import ProgramTestSupport
import TestSupport
import Testing

/// Tests of `Examples/host.py`, which plays a node of this project without its code.
@Suite(.timeLimit(.minutes(5))) struct HostExampleTests {
  private let user: TemporaryUser
  private static let demo = repositoryFile("SoundFonts/demo.mid")
  private static let openTTD = "/usr/share/games/openttd/baseset/openmsx/coconut_run2.mid"

  init() throws {
    user = try TemporaryUser()
    try user.configureOnePort()
    try user.serve()
  }

  @Test(arguments: [(demo, 48_000, 1000), (openTTD, 44_100, 4096), (openTTD, 48_000, 64)])
  func `a song that host.py plays has the bits of a rendered one`(
    song: String, rate: Int, cycle: Int
  ) throws {
    let played = user.folder("played.wav")
    let host = try ExamplePrograms.host(
      "gmsy", song, played, "\(rate)", "\(cycle)", user: user
    ).result(within: 200)
    #expect(host.exitCode == 0, "\(host.errors)")
    let rendered = user.folder("rendered.raw")
    let result = try Program([
      "render", "-q", "-s", bundledSoundFont, "--raw", "--bits", "32f", "--tail", "3", "--rate",
      "\(rate)", "-o", rendered, song,
    ]).result(within: 100)
    #expect(result.exitCode == 0, "\(result.errors)")
    let samples = try Data(contentsOf: URL(filePath: rendered))
    #expect(samples.count > 60 * rate * 8)
    let header = 44
    #expect(try Data(contentsOf: URL(filePath: played)).dropFirst(header) == samples)
    #expect(peak(ProgramTestSupport.samples(played)) > 0.1)
  }

  @Test func `host.py reports a port that no node publishes, and one that another host has`() throws
  {
    let song = try user.folder.put(endlessSong())
    let missing = try ExamplePrograms.host("none", song, "/dev/null", user: user).result()
    #expect(missing.exitCode == 1)
    #expect(missing.errors.contains("no running node publishes 'none'"))
    // A node in C whose port has one host at a time.
    let node = try user.startExampleNode(program: ExamplePrograms.checkedNode.get())
    let player = try user.start("play", "-n", "Triangle", "--audio", "none", "--loop", song)
    try player.wait {
      (try? user.run("list", "--status").outputText.contains("portative play")) == true
    }
    let second = try ExamplePrograms.host("tria", song, "/dev/null", user: user).result()
    #expect(second.exitCode == 1)
    #expect(second.errors.contains("another host has the port"), "\(second.errors)")
    player.send(SIGTERM)
    _ = try player.result()
    node.send(SIGTERM)
    _ = try node.result()
  }

  @Test
  func `host.py ends when its node is killed or terminated, and a port is free when it is killed`()
    throws
  {
    let song = try user.folder.put(endlessSong())
    // The end of a killed node is seen in the cycle or on the socket, whichever is first.
    for (signal, message) in [(SIGKILL, "the node has "), (SIGTERM, "")] {
      let host = try ExamplePrograms.host("gmsy", song, user.folder("x.wav"), user: user)
      try host.wait { (try? user.run("list", "--status").outputText.contains("host.py")) == true }
      let process = try #require(user.process(of: "portative"))
      kill(process, signal)
      let result = try host.result()
      #expect(result.exitCode == 1)
      #expect(result.errors.contains("host.py: \(message)"), "\(result.errors)")
      // The record of a killed node remains until the next one replaces it.
      let server = try user.serve()
      try server.wait {
        user.process(of: "portative") != process && user.ports(of: "portative")?.isEmpty == false
      }
    }
    let killed = try ExamplePrograms.host("gmsy", song, user.folder("x.wav"), user: user)
    try killed.wait { (try? user.run("list", "--status").outputText.contains("host.py")) == true }
    killed.send(SIGKILL)
    let short = try user.folder.put(shortSong())
    let host = try ExamplePrograms.host("gmsy", short, user.folder("y.wav"), user: user).result()
    #expect(host.exitCode == 0, "\(host.errors)")
  }
}
