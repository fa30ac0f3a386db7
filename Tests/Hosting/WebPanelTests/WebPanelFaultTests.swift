import FoundationEssentials
import Glibc
import NodeServer
import PortativeServer
import ServerTestSupport
import Synchronization
import TestSupport
import Testing

@testable import WebPanel

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

  // MARK: Lock-out

  /// Sends something on many connections, and then on a thousand more per second, while the owner opens pages.
  private func crowd(_ panel: TestPanel, _ act: @escaping @Sendable (TestSocket) throws -> Void)
    throws
  {
    // The connections of both sides are in this process.
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    limit.rlim_cur = max(limit.rlim_cur, min(limit.rlim_max, 8192))
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    let port = panel.port
    @Sendable func client() throws -> TestSocket {
      let socket = try TestSocket(port)
      try? act(socket)
      return socket
    }
    var crowd = try (0..<600).map { _ in try client() }
    let isOver = Flag()
    let thread = TestThread {
      var late: [TestSocket] = []
      while !isOver.isRaised {
        // Also if the machine is slow, each pause has at least one connection.
        for _ in 0..<10 { if let socket = try? client() { late.append(socket) } }
        if late.count > 1000 { late.removeFirst(500) }
        usleep(10_000)
      }
    }
    var pages: [TestSocket] = []
    for _ in 0..<20 {
      #expect(try TestSocket.get("/", port).hasPrefix("HTTP/1.1 200"))
      #expect(try TestSocket.get("/panel.js", port).hasSuffix("connect();\n"))
      pages.append(try panel.page())
      usleep(50_000)
    }
    isOver.raise()
    thread.join()
    crowd.removeAll()
    // Pages that were admitted are still open.
    for page in pages {
      try page.send(#"{"id":2,"method":"panel.doctor"}"#)
      #expect(try page.receive().contains("repair it"))
    }
  }

  @Test func `silent connections lock nobody out`() throws {
    let panel = try TestPanel()
    try crowd(panel) { _ in }
  }

  @Test func `half requests lock nobody out`() throws {
    let panel = try TestPanel()
    try crowd(panel) { try $0.write("GET / HTTP/1.1\r\nHo") }
  }

  @Test func `requests that are not continued lock nobody out`() throws {
    let panel = try TestPanel()
    let port = panel.port
    try crowd(panel) { try $0.write("GET /x HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n") }
  }

  @Test func `WebSockets that prove nothing lock nobody out`() throws {
    let panel = try TestPanel()
    try crowd(panel) { try $0.upgrade() }
  }

  @Test func `wrong secrets lock nobody out, and the log grows by a line per second`() throws {
    let panel = try TestPanel()
    let begin = ContinuousClock.now
    try crowd(panel) { socket in
      try socket.upgrade()
      _ = try socket.greet()
      try socket.send(#"{"id":2,"method":"panel.open","params":{"code":"x"}}"#)
    }
    let lines = panel.log.messages.filter { $0.contains("with a wrong secret was refused") }
    #expect(!lines.isEmpty)
    #expect(lines.count <= Int((ContinuousClock.now - begin) / .seconds(1)) + 2)
    #expect(lines.allSatisfy { $0.contains("127.0.0.1") })
  }

  @Test func `descriptors are free again when a crowd has gone`() throws {
    let panel = try TestPanel()
    _ = try panel.page()
    func descriptors() -> Int { ListeningSockets.connections(of: getpid(), port: panel.port) }
    try crowd(panel) { _ in }
    #expect(eventually { descriptors() == 0 })
  }

  // MARK: Work on request

  @Test func `a check of the machine answers all pages that wait for it`() throws {
    let panel = try TestPanel()
    let pages = try (0..<8).map { _ in try panel.page() }
    try panel.log.checks.withLock { _ in
      for page in pages {
        for id in 2..<12 { try page.send(#"{"id":\#(id),"method":"panel.doctor"}"#) }
      }
      // Other requests are answered meanwhile. The answers show that the server has read all that came before.
      for page in pages { try page.send(#"{"id":90,"method":"panel.wiring"}"#) }
      for page in pages { #expect(try page.receive().contains("\"id\":90")) }
    }
    for page in pages {
      for _ in 2..<12 { #expect(try page.receive().contains("repair it")) }
    }
    // One that ran when the others came, and one for those.
    #expect(panel.log.checks.withLock { $0 } <= 2)
  }

  @Test func `a page has a limited number of requests in the background`() throws {
    let panel = try TestPanel()
    let page = try panel.page()
    try panel.log.checks.withLock { _ in
      for id in 0..<100 { try page.send(#"{"id":\#(id),"method":"panel.doctor"}"#) }
      for _ in 0..<100 - PanelSession.backgroundLimit {
        #expect(try page.receive().contains("at most 16 requests"))
      }
    }
    for _ in 0..<PanelSession.backgroundLimit { #expect(try page.receive().contains("repair it")) }
    try page.send(#"{"id":1,"method":"panel.doctor"}"#)
    #expect(try page.receive().contains("repair it"))
  }

  @Test func `work for a page that is gone is not begun`() throws {
    let panel = try TestPanel()
    let last = try panel.page()
    try panel.log.checks.withLock { _ in
      try last.send(#"{"id":2,"method":"panel.doctor"}"#)
      for _ in 0..<8 {
        let page = try panel.page()
        try page.send(#"{"id":2,"method":"panel.doctor"}"#)
        try page.send(#"{"id":3,"method":"panel.wiring"}"#)
        #expect(try page.receive().contains("\"id\":3"))
      }
      // The server has seen that the pages are gone when it answers another one.
      try last.send(#"{"id":4,"method":"panel.wiring"}"#)
      #expect(try last.receive().contains("\"id\":4"))
    }
    #expect(try last.receive().contains("repair it"))
    try last.send(#"{"id":5,"method":"panel.doctor"}"#)
    #expect(try last.receive().contains("repair it"))
    #expect(panel.log.checks.withLock { $0 } == 2)
  }

  @Test func `a page that reads slowly is not closed for the log of others`() throws {
    let panel = try TestPanel()
    let page = try panel.page()
    try page.send(#"{"id":2,"method":"panel.watch","params":{"isOn":true}}"#)
    for round in 0..<40 {
      for number in 0..<200 {
        panel.log.log("\(round) \(number) " + String(repeating: "x", count: 900))
      }
      usleep(50_000)
    }
    panel.log.log("the last line")
    #expect(try page.receive(until: "the last line").contains("panel.status"))
  }

  @Test func `too many pages are refused, and others go on`() throws {
    let panel = try TestPanel()
    var pages: [TestSocket] = []
    var code: Int?
    for _ in 0..<40 where code == nil {
      let page = try TestSocket(panel.port)
      do {
        try page.open(panel.secret)
        pages.append(page)
      } catch {
        code = page.closeCode
      }
    }
    #expect(code == 4429 && pages.count == 32)
    // They are admitted again when others have gone.
    pages.removeLast(2)
    #expect(eventually { (try? panel.page()) != nil })
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

  @Test func `frames without a mask end the connection, before and after a page is admitted`()
    throws
  {
    let panel = try TestPanel()
    let message = Array(#"{"id":2,"method":"panel.doctor"}"#.utf8)
    let bare = [0x81, UInt8(message.count)] + message
    for isAdmitted in [false, true] {
      let page = isAdmitted ? try panel.page() : try TestSocket(panel.port)
      if !isAdmitted { try page.upgrade() }
      try page.write(bare)
      #expect(throws: TestSocket.Ended.self) { try page.receive() }
    }
    // In the same bytes as a frame with one, and in those of the request.
    let page = try panel.page()
    let masked = [0x81, 0x80 | UInt8(message.count), 0, 0, 0, 0] + message
    try page.write(masked + bare)
    #expect(throws: TestSocket.Ended.self) { while true { _ = try page.receive() } }
    let early = try TestSocket(panel.port)
    try early.upgrade(followedBy: bare)
    #expect(throws: TestSocket.Ended.self) { try early.receive() }
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

  /// `make endurance` sends more to a server in a process of its own.
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
    for _ in 0..<2500 {
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
    for _ in 0..<2500 {
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
