import Foundation
import Glibc
import ProgramTestSupport
import TestSupport
import Testing
import WebPanel

@testable import LocalSystem
@testable import portative

/// The program with a web panel, as its users start it.
@Suite(.timeLimit(.minutes(5))) struct WebPanelCommandTests {
  private func link(in log: String) -> String? {
    log.split(separator: "\n").first { $0.hasPrefix("panel: ") }.map { String($0.dropFirst(7)) }
  }

  @Test func `serve prints a link, panel prints it again, and a restart keeps it`() throws {
    let user = try TemporaryUser()
    try user.configureOnePort()
    var links: [String] = []
    for _ in 0..<2 {
      let server = try user.serve("--panel")
      try server.wait { self.link(in: server.errors) != nil }
      links.append(try #require(link(in: server.errors)))
      #expect(links.last?.hasPrefix("http://127.0.0.1:") == true)
      #expect(try user.run("panel").outputText == "\(links[links.count - 1])\n")
      #expect(try user.run("panel", "portative").exitCode == 0)
      #expect(try user.run("panel", "other").exitCode == 1)
      server.send(SIGTERM)
      #expect(try server.result().exitCode == 0)
      let none = try user.run("panel")
      #expect(none.exitCode == 1 && none.errors.contains("portative serve --panel"))
    }
    #expect(links[0] == links[1])
  }

  @Test func `without --panel, nothing listens and nothing is stored`() throws {
    let user = try TemporaryUser()
    try user.configureOnePort()
    let server = try user.serve()
    #expect(try user.run("panel").exitCode == 1)
    #expect(user.files == ["portative.json", "portative.socket"])
    #expect(!FileManager.default.fileExists(atPath: user.folder("state/portative/panels.json")))
    server.send(SIGTERM)
    _ = try server.result()
  }

  @Test func `the link of a server that was killed is not printed`() throws {
    let user = try TemporaryUser()
    try user.configureOnePort()
    let server = try user.serve("--panel")
    try server.wait { self.link(in: server.errors) != nil }
    server.send(SIGKILL)
    _ = try server.result()
    #expect(try user.run("panel").exitCode == 1)
    try user.serve()
    #expect(try user.run("panel").exitCode == 1)
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
    let failure = #expect(throws: Failure.self) {
      try ServeOptions(arguments: ["--panel", "--panel-password", short])
    }
    #expect(failure?.message.contains("at least 8 characters, but has 7") == true)
    let long = try folder.put(Data("12345678\nnotes\n".utf8), "long")
    let options = try ServeOptions(
      arguments: ["--panel", "--panel-password", long, "--panel-address", "0.0.0.0"])
    #expect(options.panel.password == "12345678")
  }

  @Test func `a page's log does not show the secret`() {
    #expect(
      ServerPanelHost.withoutSecret("panel: http://127.0.0.1:1/#0123")
        == "panel: http://127.0.0.1:1/#…")
    #expect(ServerPanelHost.withoutSecret("Port #1: published") == "Port #1: published")
  }
}
