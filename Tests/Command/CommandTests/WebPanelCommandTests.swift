import Foundation
import Glibc
import ProgramTestSupport
import ServerTestSupport
import TestSupport
import Testing
import WebPanel

@testable import LocalSystem
@testable import portative

/// The program with a web panel, as its users start it.
@Suite(.timeLimit(.minutes(5))) struct WebPanelCommandTests {
  private func link(of user: TemporaryUser) throws -> String {
    try user.run("serve", "--panel-link").outputText.trimmingCharacters(in: .newlines)
  }

  @Test
  func `serve --panel-link prints a link, another one after a restart, and a log has no secret`()
    throws
  {
    let user = try TemporaryUser()
    try user.configureOnePort()
    var links: [String] = []
    for _ in 0..<2 {
      let server = try user.serve("--panel")
      try server.wait { server.errors.contains("panel: http://") }
      links.append(try link(of: user))
      let parts = links[links.count - 1].split(separator: "#")
      #expect(parts.count == 2 && parts[0].hasPrefix("http://127.0.0.1:") && parts[1].count == 32)
      #expect(try user.run("serve", "--panel-link", "--name", "portative").exitCode == 0)
      #expect(try user.run("serve", "--panel-link", "--name", "other").exitCode == 1)
      #expect(
        server.errors.contains(
          "panel: \(parts[0]) – portative serve --panel-link prints the link with its secret"))
      server.send(SIGTERM)
      #expect(try server.result().exitCode == 0)
      #expect(!server.errors.contains(parts[1]))
      let none = try user.run("serve", "--panel-link")
      #expect(none.exitCode == 1 && none.errors.contains("portative serve --panel"))
    }
    let addresses = links.map { $0.prefix { $0 != "#" } }
    #expect(addresses[0] == addresses[1] && links[0] != links[1])
  }

  @Test func `serve warns of root, and of connections that are not encrypted`() throws {
    let user = try TemporaryUser()
    try user.configureOnePort()
    let password = try user.folder.put(Data("open sesame\n".utf8), "password")
    chmod(password, 0o600)
    let server = try user.serve(
      "--panel", "--panel-address", "127.0.0.2", "--panel-password", password)
    try server.wait { server.errors.contains("panel for other machines: http://127.0.0.2:") }
    try server.wait { server.errors.contains("warning: the connection of pages of other machines") }
    if geteuid() == 0 {
      try server.wait { server.errors.contains("warning: the panel runs as root") }
    }
  }

  @Test func `without descriptors, the panel waits, and goes on when there are some again`() throws
  {
    let user = try TemporaryUser()
    try user.configureOnePort()
    user.wrapper = ["/usr/bin/prlimit", "--nofile=40"]
    let server = try user.serve("--panel")
    user.wrapper = []
    try server.wait { (try? self.link(of: user).hasPrefix("http")) == true }
    let digits = try #require(link(of: user).firstMatch(of: /:(\d+)\//)?.1)
    let port = try #require(Int(digits))
    var crowd = try (0..<60).map { _ in try TestSocket(port) }
    func processorTime() throws -> Int {
      let path = "/proc/\(server.process.processIdentifier)/stat"
      let fields = try String(contentsOfFile: path, encoding: .utf8).split(separator: " ")
      return try #require(Int(fields[13])) + #require(Int(fields[14]))
    }
    usleep(100_000)
    let begin = try processorTime()
    usleep(1_000_000)
    // In hundredths of a second. A thread that does not wait would use nearly 100.
    #expect(try processorTime() - begin < 30)
    crowd.removeAll()
    #expect(try TestSocket.get("/", port).hasPrefix("HTTP/1.1 200"))
  }

  // MARK: What listens

  /// Returns all sockets that a program has had in its life, as far as one sees by looking often.
  private func sockets(of program: Program) -> Set<String> {
    var all: Set<String> = []
    while program.process.isRunning {
      all.formUnion(ListeningSockets.of(process: program.process.processIdentifier))
      usleep(500)
    }
    return all
  }

  @Test func `a server listens where its panel was asked for, and nowhere else`() throws {
    let user = try TemporaryUser()
    try user.configureOnePort()
    let password = try user.folder.put(Data("open sesame\n".utf8), "password")
    chmod(password, 0o600)
    for (options, addresses) in [
      ([], []), (["--panel"], ["127.0.0.1"]),
      (
        ["--panel", "--panel-address", "::1", "--panel-password", password],
        ["127.0.0.1", "[::1]"]
      ),
    ] as [([String], [String])] {
      let server = try user.serve(options)
      if !options.isEmpty {
        try server.wait { (try? self.link(of: user).hasPrefix("http")) == true }
      }
      let port = options.isEmpty ? "" : try #require(link(of: user).firstMatch(of: /:(\d+)\//)?.1)
      #expect(
        ListeningSockets.of(process: server.process.processIdentifier)
          == addresses.map { "tcp \($0):\(port)" })
      server.send(SIGTERM)
      _ = try server.result()
    }
  }

  @Test func `nothing else listens: playing, Link, doctor`() throws {
    let user = try TemporaryUser()
    let song = repositoryFile("SoundFonts/demo.mid")
    for arguments in [
      ["play", "--audio", "null", song], ["doctor"],
      ["render", "-o", user.folder("song.wav"), song], ["list"],
    ] {
      #expect(try sockets(of: user.start(arguments)) == [], "\(arguments)")
    }
  }

  @Test(arguments: [0o640, 0o604, 0o660, 0o620] as [mode_t])
  func `a password that others can read or write is refused`(_ mode: mode_t) throws {
    let folder = try TemporaryFolder()
    let path = try folder.put(Data("12345678\n".utf8), "password")
    chmod(path, mode)
    let failure = #expect(throws: Failure.self) {
      try ServeOptions(arguments: ["--panel", "--panel-password", path])
    }
    #expect(failure?.message.contains("chmod 600") == true && failure?.kind == .usage)
  }

  @Test func `without --panel, nothing listens and nothing is stored`() throws {
    let user = try TemporaryUser()
    try user.configureOnePort()
    let server = try user.serve()
    #expect(try user.run("serve", "--panel-link").exitCode == 1)
    #expect(user.files == ["portative.json", "portative.socket"])
    #expect(!FileManager.default.fileExists(atPath: user.folder("state/portative/panels.json")))
    server.send(SIGTERM)
    _ = try server.result()
  }

  @Test func `the link of a server that was killed is not printed`() throws {
    let user = try TemporaryUser()
    try user.configureOnePort()
    let server = try user.serve("--panel")
    try server.wait { server.errors.contains("panel: http://") }
    server.send(SIGKILL)
    _ = try server.result()
    #expect(try user.run("serve", "--panel-link").exitCode == 1)
    try user.serve()
    #expect(try user.run("serve", "--panel-link").exitCode == 1)
  }

  @Test(arguments: [
    (["--open"], "need --panel"), (["--panel-port", "80"], "need --panel"),
    (["--panel", "--panel-port", "0"], "from 1 to 65535"),
    (["--panel", "--panel-address", "0.0.0.0"], "needs a password"),
    (["--panel", "--panel-address", "eth0"], "must be an address"),
    (["--panel", "--panel-password", "/nowhere"], "there is no file"),
    (["--panel", "--install"], "exclude each other"),
  ])
  func `unsafe and useless options are refused`(_ words: [String], _ message: String) {
    let failure = #expect(throws: Failure.self) { try ServeOptions(arguments: words) }
    #expect(failure?.message.contains(message) == true)
    #expect(failure?.kind == .usage)
  }

  @Test func `a password must not be short`() throws {
    let folder = try TemporaryFolder()
    let short = try folder.put(Data("1234567\n".utf8), "short")
    chmod(short, 0o600)
    let failure = #expect(throws: Failure.self) {
      try ServeOptions(arguments: ["--panel", "--panel-password", short])
    }
    #expect(failure?.message.contains("at least 8 characters, but has 7") == true)
    let long = try folder.put(Data("12345678\nnotes\n".utf8), "long")
    chmod(long, 0o600)
    let options = try ServeOptions(
      arguments: ["--panel", "--panel-password", long, "--panel-address", "0.0.0.0"])
    #expect(options.panel.password == "12345678")
  }

  @Test func `a line of the log has at most a thousand characters`() {
    let log = LogLines()
    log.show()
    log.add(String(repeating: "ä", count: 100_000))
    log.add("short")
    let lines = log.lines(from: 0).lines
    #expect(lines[0].count == 1000 && lines[0].hasSuffix("…") && lines[1] == "short")
  }
}
