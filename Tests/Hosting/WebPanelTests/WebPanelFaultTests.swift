import FoundationEssentials
import Glibc
import NodeServer
import PortativeServer
import ServerTestSupport
import TestSupport
import Testing

@testable import WebPanel

/// `make faults` sets PORTATIVE_FAULTS.
private let faultFactor = max(
  1, Int(ProcessInfo.processInfo.environment["PORTATIVE_FAULTS"] ?? "") ?? 1)

/// The panel with clients that are broken, slow or hostile.
@Suite(.timeLimit(.minutes(30))) struct WebPanelFaultTests {
  private func milliseconds(_ panel: TestPanel) throws -> Double {
    let begin = ContinuousClock.now
    #expect(try TestSocket.get("/", panel.port).hasPrefix("HTTP/1.1 200"))
    return (ContinuousClock.now - begin) / .milliseconds(1)
  }

  @Test func `a hundred slow clients do not keep a page waiting`() throws {
    let panel = try TestPanel()
    let slow = try (0..<100).map { number in
      let socket = try TestSocket(panel.port)
      try socket.write(number % 2 == 0 ? "GET / HTTP/1.1\r\nHo" : "")
      return socket
    }
    #expect(try milliseconds(panel) < 2000)
    // They are closed before long.
    for socket in slow { #expect(!socket.readAll().hasPrefix("HTTP/1.1 200")) }
  }

  @Test func `too many pages are refused, and others go on`() throws {
    let panel = try TestPanel()
    var pages: [TestSocket] = []
    var code: Int?
    for _ in 0..<40 where code == nil {
      let page = try TestSocket(panel.port)
      try page.upgrade()
      try page.send(
        #"{"id":1,"method":"panel.open","params":{"secret":"\#(panel.secret)"}}"#)
      do {
        _ = try page.receive()
        pages.append(page)
      } catch {
        code = page.closeCode
      }
    }
    #expect(code == 4429 && pages.count == 32)
    try pages[0].send(#"{"id":2,"method":"panel.doctor"}"#)
    #expect(try pages[0].receive().contains("repair it"))
  }

  @Test func `a message that is too long or not text ends the connection`() throws {
    let panel = try TestPanel()
    for (bytes, head, code) in [
      ([UInt8](repeating: 0x20, count: 65_537), UInt8(0x81), 1009),
      ([1, 2, 3], UInt8(0x82), 1003),
    ] {
      let page = try panel.page()
      try page.send(bytes, head: head)
      #expect(throws: TestSocket.Ended.self) { try page.receive() }
      #expect(page.closeCode == code)
    }
  }

  @Test func `a page that sends too many messages is closed`() throws {
    let panel = try TestPanel()
    let page = try panel.page()
    let message = #"{"method":"panel.release"}"#
    #expect(throws: TestSocket.Ended.self) {
      // More than is admitted in a second, for as long as it takes.
      while true { for _ in 0..<1000 { try page.send(message) } }
    }
  }

  @Test func `a page that does not read is closed, and what waits for it is limited`() throws {
    let panel = try TestPanel()
    let page = try panel.page()
    #expect(throws: TestSocket.Ended.self) {
      while true {
        for number in 0..<200 { try page.send(#"{"id":\#(number),"method":"report"}"#) }
        usleep(100_000)
      }
    }
    _ = try panel.page()
  }

  /// With FAULTS=20: 50,000 requests and 50,000 frames.
  @Test func `random requests and frames change nothing`() throws {
    let panel = try TestPanel()
    var random = Seeded(20)
    let requests = [
      "GET / HTTP/1.1\r\nHost: 127.0.0.1:\(panel.port)\r\n\r\n",
      "GET /control HTTP/1.1\r\nHost: 127.0.0.1:\(panel.port)\r\nUpgrade: websocket\r\n"
        + "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
      "POST /panel.js HTTP/1.0\r\nContent-Length: 99999999999\r\nTransfer-Encoding: chunked\r\n\r\n",
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: 127.0.0.1:\(panel.port)\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n\r\n",
    ]
    for _ in 0..<2500 * faultFactor {
      let bytes = Self.damaged(Array(requests.randomElement(using: &random)!.utf8), &random)
      let socket = try TestSocket(panel.port)
      try? socket.write(bytes)
    }
    let messages = [
      #"{"id":2,"method":"panel.midi","params":{"bytes":[144,60,100]}}"#,
      #"{"id":3,"method":"report","params":{"offset":0}}"#,
      #"{"id":4,"method":"setParameters","params":{"values":{"feedback":1e400}}}"#,
      #"{"id":5,"method":"panel.wire","params":{"keyboard":"20:0","port":"p","isConnected":true}}"#,
      #"{"id":6,"method":"zones","params":{"component":{"type":"instrument"}}}"#,
    ]
    var page = try panel.page()
    for _ in 0..<2500 * faultFactor {
      do {
        let message = Self.damaged(Array(messages.randomElement(using: &random)!.utf8), &random)
        if Bool.random(using: &random) {
          try page.send(message)
        } else {
          try page.send(message, head: UInt8.random(in: 0 ... .max, using: &random))
        }
      } catch {
        page = try panel.page()
      }
    }
    #expect(try milliseconds(panel) < 5000)
    let last = try panel.page()
    try last.send(#"{"id":9,"method":"panel.doctor"}"#)
    #expect(try last.receive().contains("repair it"))
    #expect(panel.server.publishedPorts.count == 1)
  }

  /// Changes, removes, repeats or inserts some bytes.
  private static func damaged(_ bytes: [UInt8], _ random: inout Seeded) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 0...6, using: &random) where !bytes.isEmpty {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0: bytes[place] = UInt8.random(in: 0 ... .max, using: &random)
      case 1: bytes.removeSubrange(place...)
      case 2: bytes.insert(UInt8.random(in: 0 ... .max, using: &random), at: place)
      case 3:
        let part = bytes[place..<min(bytes.count, place + 40)]
        bytes.insert(contentsOf: part, at: place)
      default:
        bytes.insert(contentsOf: [UInt8](repeating: 0x41, count: 5000), at: place)
      }
    }
    return bytes
  }
}
