import FoundationEssentials
import Glibc
import LiveMIDI
import NodeProtocol
import NodeServer
import PortativeServer
import RenderCore
import ServerTestSupport
import SoundTestSupport
import Synchronization
import TestSupport
import Testing

@testable import WebPanel

/// The panel over plain sockets, from pages with good and bad intentions.
@Suite(.timeLimit(.minutes(5))) struct WebPanelTests {
  // MARK: Files

  @Test func `the page and its modules have a strict policy and less than 80 kB`() throws {
    let panel = try TestPanel()
    let page = try TestSocket.get("/", panel.port)
    #expect(page.hasPrefix("HTTP/1.1 200"))
    #expect(page.contains("content-security-policy: default-src 'none'; script-src 'self'"))
    #expect(page.contains("frame-ancestors 'none'"))
    #expect(page.contains("require-trusted-types-for 'script'; trusted-types 'none'"))
    let nonce = try #require(page.firstMatch(of: /<style nonce="([0-9a-f]{20,32})">/)?.1)
    #expect(page.contains("style-src 'nonce-\(nonce)';"))
    #expect(!page.contains("@STYLE@") && !page.contains("@NONCE@"))
    #expect(page.contains("content=\"\(PanelPage.version)\""))
    #expect(page.contains("--paper"))
    // All that the page and its modules import is served.
    var texts = ["/": page]
    var waiting = ["/first.js"]
    while let path = waiting.popLast() {
      guard texts[path] == nil else { continue }
      let module = try TestSocket.get(path, panel.port)
      #expect(module.hasPrefix("HTTP/1.1 200") && module.contains("text/javascript"), "\(path)")
      texts[path] = module
      waiting += module.matches(of: /(?:import|from) ?\(?"\.?(\/[a-z-]+\.js)"/).map { String($0.1) }
    }
    #expect(Set(texts.keys) == Set(PanelPage.resources.keys))
    let sent = PanelPage.resources.values.map { min($0.compressed.count, $0.bytes.count) }
    #expect(sent.reduce(0, +) < 80_000)
    for text in texts.values {
      // The namespace of SVG is a name, not an address.
      let links = text.replacing("http://www.w3.org/2000/svg", with: "")
      #expect(!links.contains("http://") && !links.contains("https://"))
    }
  }

  @Test(arguments: [
    "/etc/passwd", "/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd", "/panel.html",
    "/panel.js/", "/panel.js/../../../etc/passwd", "/..%2fpanel.js%00", "/CONTROL", "/%",
    "/\\..\\x", "/panel.js%00.txt", "http://evil.example/x", "*",
  ])
  func `no other path is served`(_ path: String) throws {
    let panel = try TestPanel()
    let answer = try TestSocket.get(path, panel.port)
    #expect(!answer.hasPrefix("HTTP/1.1 200"), "\(answer.prefix(200))")
    #expect(!answer.contains("root:"))
  }

  @Test func `only GET and HEAD are allowed`() throws {
    let panel = try TestPanel()
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PROPFIND"] {
      let answer = try TestSocket.get("/", panel.port, method: method)
      #expect(!answer.hasPrefix("HTTP/1.1 200"), "\(method)")
    }
    let head = try TestSocket.get("/", panel.port, method: "HEAD")
    #expect(head.hasPrefix("HTTP/1.1 200") && !head.contains("<html"))
  }

  // MARK: Admission

  @Test(arguments: [
    "evil.example", "evil.example:PORT", "127.0.0.1:1", "", "192.168.1.5:PORT", "localhost:PORT",
    "[::1]:PORT", "127.0.0.2:PORT",
  ])
  func `another host name gets neither the page nor a connection`(_ name: String) throws {
    let panel = try TestPanel()
    let host = name.replacing("PORT", with: "\(panel.port)")
    let answer = try TestSocket.get("/", panel.port, host: host)
    #expect(!answer.hasPrefix("HTTP/1.1 200") && !answer.contains("<html"))
    #expect(throws: TestSocket.Ended.self) { try TestSocket(panel.port).upgrade(host: host) }
  }

  @Test func `another origin gets no connection, and the page's own does`() throws {
    let panel = try TestPanel()
    for origin in [
      "http://evil.example", "null", "http://127.0.0.1:1", "https://127.0.0.1",
      "http://localhost:\(panel.port)", "https://127.0.0.1:\(panel.port)",
    ] {
      #expect(throws: TestSocket.Ended.self, "\(origin)") {
        try TestSocket(panel.port).upgrade(origin: origin)
      }
    }
    try TestSocket(panel.port).upgrade(origin: "http://127.0.0.1:\(panel.port)")
  }

  @Test(arguments: [
    #"{"id":1,"method":"panel.open","params":{"code":"0"}}"#,
    #"{"id":1,"method":"panel.hello","params":{"number":"0"}}"#,
    #"{"id":1,"method":"panel.hello","params":{"number":"0123456789abcdef","key":""}}"#,
    #"{"id":1,"method":"panel.open","params":{}}"#, #"{"id":1,"method":"panel.open"}"#,
    #"{"id":1,"method":"panel.open","params":{"password":""}}"#,
    #"{"id":1,"method":"panic","params":{}}"#, #"{"method":"panel.midi","params":{"bytes":[1]}}"#,
    #"{"id":1,"result":{}}"#, "", "x", "{", "[]", #"{"id":1,"method":"panel.open","params":7}"#,
  ])
  func `a page without the secret is closed without an answer`(_ message: String) throws {
    let panel = try TestPanel()
    let page = try TestSocket(panel.port)
    try page.upgrade()
    try page.send(message)
    #expect(throws: TestSocket.Ended.self) { try page.receive() }
    #expect(page.closeCode == 4401)
  }

  @Test func `a page that sends no secret is closed after some seconds`() throws {
    let panel = try TestPanel()
    let page = try TestSocket(panel.port)
    try page.upgrade()
    #expect(throws: TestSocket.Ended.self) { try page.receive() }
    #expect(page.closeCode == 4401)
  }

  @Test func `the server proves first that it knows the secret, which is never sent`() throws {
    let panel = try TestPanel()
    let page = try TestSocket(panel.port)
    try page.upgrade()
    let greeting = try page.greet()
    #expect(greeting.server == greeting.code("server", panel.secret))
    // What the server has sent does not admit a page.
    try page.send(
      #"{"id":2,"method":"panel.open","params":{"code":"\#(greeting.server)"}}"#)
    #expect(throws: TestSocket.Ended.self) { try page.receive() }
    #expect(page.closeCode == 4401)
  }

  @Test func `the code of a page that was loaded from another port admits nobody`() throws {
    let panel = try TestPanel()
    let page = try TestSocket(panel.port)
    try page.upgrade()
    // A program that listens at port 1 passes on what the page sends.
    let greeting = try page.greet(host: "127.0.0.1:1")
    #expect(greeting.server != greeting.code("server", panel.secret))
    try page.send(
      #"{"id":2,"method":"panel.open","params":{"code":"\#(greeting.code("page", panel.secret))"}}"#
    )
    #expect(throws: TestSocket.Ended.self) { try page.receive() }
  }

  @Test func `a code is good for one connection`() throws {
    let panel = try TestPanel()
    let (first, second) = (try TestSocket(panel.port), try TestSocket(panel.port))
    for page in [first, second] { try page.upgrade() }
    let code = try first.greet().code("page", panel.secret)
    _ = try second.greet()
    try second.send(#"{"id":2,"method":"panel.open","params":{"code":"\#(code)"}}"#)
    #expect(throws: TestSocket.Ended.self) { try second.receive() }
    try first.send(#"{"id":2,"method":"panel.open","params":{"code":"\#(code)"}}"#)
    #expect(try first.receive().contains(PanelPage.version))
  }

  @Test func `the password admits a page, and a link still does`() throws {
    var settings = PanelSettings()
    settings.password = "open sesame"
    settings.address = "127.0.0.1"
    let panel = try TestPanel(settings)
    let page = try TestSocket(panel.port)
    try page.upgrade()
    let code = try page.greet().code("password", "open sesame")
    try page.send(#"{"id":1,"method":"panel.open","params":{"password":"\#(code)"}}"#)
    #expect(try page.receive().contains(PanelPage.version))
    _ = try panel.page()
  }

  @Test func `the link is another one when the server is started again, at the same port`() throws {
    let panel = try TestPanel()
    let (port, secret) = (panel.port, panel.secret)
    panel.panel.stop()
    let again = try panel.another()
    defer { again.stop() }
    #expect(again.link.hasPrefix("http://127.0.0.1:\(port)/#") && again.secret != secret)
    let page = try TestSocket(port)
    try page.upgrade()
    let greeting = try page.greet()
    // The page sees that, and sends nothing more.
    #expect(greeting.server != greeting.code("server", secret))
    try page.send(
      #"{"id":1,"method":"panel.open","params":{"code":"\#(greeting.code("page", secret))"}}"#)
    #expect(throws: TestSocket.Ended.self) { try page.receive() }
    #expect(page.closeCode == 4401)
  }

  /// Opens a page with the key that another page got.
  private func reopen(_ name: String, _ key: String, _ port: Int) throws -> TestSocket {
    let page = try TestSocket(port)
    try page.upgrade()
    let greeting = try page.greet(keyNamed: name)
    #expect(greeting.server == greeting.code("server", key))
    try page.send(
      #"{"id":1,"method":"panel.open","params":{"code":"\#(greeting.code("page", key))"}}"#)
    return page
  }

  @Test func `an open page goes on when the server is started again, until the password changes`()
    throws
  {
    let panel = try TestPanel()
    let port = panel.port
    let answer = try TestSocket(port).open(panel.secret)
    let key = String(try #require(answer.firstMatch(of: /"key":"([0-9a-f]{64})"/)?.1))
    let name = String(try #require(answer.firstMatch(of: /"keyName":"([0-9a-f]{32})"/)?.1))
    panel.panel.stop()
    let again = try panel.another()
    let next = try reopen(name, key, port).receive()
    // So that the page can be loaded again.
    #expect(next.contains(again.secret))
    again.stop()
    var settings = PanelSettings()
    settings.password = "open sesame"
    let protected = try panel.another(settings)
    defer { protected.stop() }
    let page = try TestSocket(port)
    try page.upgrade()
    let greeting = try page.greet(keyNamed: name)
    #expect(greeting.server != greeting.code("server", key))
  }

  @Test func `a port that is in use is an error if it was asked for, and is replaced otherwise`()
    throws
  {
    let panel = try TestPanel()
    var settings = PanelSettings()
    settings.port = panel.port
    #expect(throws: (any Error).self) { try panel.another(settings) }
    let other = try panel.another()
    #expect(other.link.prefix { $0 != "#" } != panel.panel.link.prefix { $0 != "#" })
    other.stop()
  }

  // MARK: Addresses

  /// The sockets of this process with a port.
  private func sockets(_ port: Int) -> [String] {
    ListeningSockets.of(process: getpid()).filter { $0.hasSuffix(":\(port)") }
  }

  @Test func `a panel without an address listens on the loopback interface and nowhere else`()
    throws
  {
    let panel = try TestPanel()
    #expect(sockets(panel.port) == ["tcp 127.0.0.1:\(panel.port)"])
    for address in ["127.0.0.2", "::1"] {
      #expect(throws: TestSocket.Unreachable(code: ECONNREFUSED), "\(address)") {
        try TestSocket(panel.port, at: address)
      }
    }
  }

  @Test(arguments: [
    ("127.0.0.2", ["127.0.0.2"]), ("::1", ["[::1]"]), ("0.0.0.0", ["0.0.0.0"]), ("::", ["[::]"]),
    ("127.0.0.1", []),
  ])
  func `a panel has a socket for each address that was asked for`(
    _ address: String, _ names: [String]
  ) throws {
    var settings = PanelSettings()
    (settings.address, settings.password) = (address, "open sesame")
    let panel = try TestPanel(settings)
    let port = panel.port
    let own = address == "0.0.0.0" ? [] : ["127.0.0.1"]
    #expect(sockets(port) == (own + names).map { "tcp \($0):\(port)" }.sorted())
    // The owner's link is that of the loopback interface, with any address.
    _ = try panel.page()
    if !address.contains("0.0.0.0") {
      #expect(throws: TestSocket.Unreachable(code: ECONNREFUSED)) {
        try TestSocket(port, at: "127.0.0.3")
      }
    }
    if address == "::1" || address == "::" {
      let page = try TestSocket(port, at: "::1")
      try page.upgrade(host: "[::1]:\(port)", origin: "http://[::1]:\(port)")
    }
  }

  @Test(arguments: ["192.0.2.77", "2001:db8::77"])
  func `an address of another machine is an error`(_ address: String) throws {
    var settings = PanelSettings()
    (settings.address, settings.password) = (address, "open sesame")
    let error = #expect(throws: WebServerError.self) { try TestPanel(settings) }
    #expect(error?.description.contains("is not an address of this machine") == true)
  }

  @Test func `only the user can read the link, which is gone with the panel`() throws {
    let panel = try TestPanel()
    let path = "\(panel.system.root)/run/portative/portative.panel"
    var status = stat()
    try #require(stat(path, &status) == 0)
    #expect(status.st_mode & 0o077 == 0)
    let state = "\(panel.system.root)/state/portative/panels.json"
    try #require(stat(state, &status) == 0)
    #expect(status.st_mode & 0o077 == 0)
    panel.panel.stop()
    #expect(stat(path, &status) != 0)
  }

  // MARK: Methods

  @Test func `a page is a client of the control socket`() throws {
    let panel = try TestPanel()
    let page = try panel.page()
    try page.send(
      """
      {"id":2,"method":"hello","params":{"protocol":{"minimum":2,"maximum":2},"features":["controls"],\
      "peer":{"name":"page","processID":0}}}
      """)
    #expect(try page.receive().contains("\"protocol\":2"))
    try page.send(#"{"id":3,"method":"report","params":{"offset":0}}"#)
    #expect(try page.receive().contains("Test: Echo"))
    let component = #"{"type":"musicEffect","subtype":"echo","manufacturer":"Ptvo"}"#
    try page.send(#"{"id":4,"method":"describe","params":{"component":\#(component)}}"#)
    #expect(try page.receive().contains("\"id\":4"))
    try page.send(#"{"id":5,"method":"setParameters","params":{"values":{"feedback":40}}}"#)
    #expect(try page.receive().contains("\"result\""))
  }

  @Test(arguments: [
    "open", "initialize", "uninitialize", "saveState", "restoreState",
    "panel.unknown", "exec", "",
  ])
  func `a page can neither take ports nor name files`(_ method: String) throws {
    let panel = try TestPanel()
    let page = try panel.page()
    try page.send(#"{"id":2,"method":"\#(method)","params":{}}"#)
    #expect(try page.receive().contains("unknownMethod"))
    #expect(panel.server.publishedPorts.allSatisfy { $0.host == nil })
  }

  @Test(arguments: ["/etc/passwd", "/etc/hostname.sf2", "relative.sf2", ""])
  func `a page can name no file that is not a SoundFont`(_ path: String) throws {
    let panel = try TestPanel()
    let page = try panel.page()
    try page.send(
      #"{"id":2,"method":"setFile","params":{"identifier":"soundfont","file":{"path":"\#(path)"}}}"#
    )
    #expect(try page.receive().contains("unusableFile"))
  }

  @Test(arguments: [
    #""path":"/etc/passwd""#, #""data":"AAAA","offset":0,"total":100000000"#,
    #""data":"AAAA","offset":0,"total":3,"soundFont":"/etc/passwd""#,
  ])
  func `a page can load no file of the server as a song, and no song that is too long`(
    _ fields: String
  ) throws {
    let panel = try TestPanel()
    let page = try panel.page()
    try page.send(#"{"id":2,"method":"loadSong","params":{"name":"x",\#(fields)}}"#)
    let answer = try page.receive()
    #expect(answer.contains("badMessage") || answer.contains("unusableFile"))
  }

  @Test func `a page cannot choose a SoundFont for zones`() throws {
    let panel = try TestPanel()
    let page = try panel.page()
    for zones in ["[{soundfont: '/etc/passwd'}]", "[{keys: 'C4', 'soundfont': 'x.sf2'}]"] {
      try page.send(
        """
        {"id":2,"method":"setZones","params":{"zones":"\(zones)","component":{"type":"musicEffect",\
        "subtype":"echo","manufacturer":"Ptvo"}}}
        """)
      #expect(try page.receive().contains("cannot choose SoundFonts"))
    }
  }

  @Test func `a part of a take is saved where the server chooses, one at a time`() throws {
    let panel = try TestPanel()
    let echo = #""component":{"type":"musicEffect","subtype":"echo","manufacturer":"Ptvo"}"#
    func save(_ page: TestSocket, _ id: Int, _ parameters: String) throws {
      try page.send(
        #"{"id":\#(id),"method":"panel.saveTake","params":{\#(echo),\#(parameters)}}"#)
    }
    let (page, other) = (try panel.page(), try panel.page())
    try save(page, 2, #""from":-0.5,"to":4"#)
    #expect(try page.receive().contains("nothing was played then"))
    try panel.log.rendering.withLock { _ in
      try save(page, 3, #""from":1.5,"to":4,"file":"/etc/passwd""#)
      // The first request has been accepted.
      try page.send(#"{"id":4,"method":"panel.doctor"}"#)
      #expect(try page.receive().contains("it fails"))
      try save(other, 2, #""from":0"#)
      #expect(try other.receive().contains("another take is being rendered"))
    }
    let saved = try page.receive().replacing("\\/", with: "/")
    #expect(saved.contains("/portative/takes/take ") && saved.contains("\"id\":3"))
    #expect(panel.log.takes.withLock { $0[0].hasPrefix("echo 1.5 4.0 /") })
    for wrong in [#""from":1e9"#, #""from":0,"to":-1e9"#, #""to":1"#, #""from":"0""#] {
      try save(other, 5, wrong)
      #expect(try other.receive().contains("badMessage"), "\(wrong)")
    }
    try save(other, 6, #""from":0"#)
    #expect(try other.receive().contains(".wav"))
    #expect(panel.log.takes.withLock { $0[1].hasPrefix("echo 0.0 -1.0 /") })
  }

  @Test func `the panel shows findings and wiring, and changes wiring`() throws {
    let panel = try TestPanel()
    let page = try panel.page()
    try page.send(#"{"id":2,"method":"panel.doctor"}"#)
    #expect(try page.receive().contains("repair it"))
    try page.send(#"{"id":3,"method":"panel.wiring"}"#)
    #expect(try page.receive().contains("20:0"))
    for isConnected in [true, false] {
      try page.send(
        """
        {"id":4,"method":"panel.wire","params":{"keyboard":"20:0","port":"Test: Echo",\
        "isConnected":\(isConnected)}}
        """)
      #expect(try page.receive().contains("\"result\""))
    }
    #expect(panel.log.wired.withLock { $0 } == ["true 20:0 Test: Echo", "false 20:0 Test: Echo"])
    try page.send(
      #"{"id":5,"method":"panel.wire","params":{"keyboard":"x","port":"y","isConnected":true}}"#)
    #expect(try page.receive().contains("no keyboard is named that"))
  }

  // MARK: Playing

  private static let play =
    #"{"id":7,"method":"panel.play","params":{"component":{"type":"musicEffect","subtype":"echo","manufacturer":"Ptvo"}}}"#

  private static func midi(_ bytes: Int...) -> String {
    #"{"method":"panel.midi","params":{"bytes":\#(bytes)}}"#
  }

  /// Reads what the sound device would play.
  private func consumer(of panel: TestPanel) throws -> (InputRecorder, PublishedPort) {
    let port = try #require(panel.server.publishedPorts.first)
    return (InputRecorder(port.input), port)
  }

  @Test func `what a page plays reaches the port, and ends when the page is gone`() throws {
    let panel = try TestPanel()
    let (recorder, port) = try consumer(of: panel)
    var messages: [ChannelMessage] = []
    do {
      let page = try panel.page()
      try page.send(Self.play)
      #expect(try page.receive().contains("\"id\":7"))
      #expect(port.input.sourceNames == ["Panel"])
      try page.send(Self.midi(0x90, 60, 100))
      try page.send(Self.midi(0x90, 64, 90))
      try page.send(Self.midi(0xB0, 64, 127))
      try page.send(Self.midi(0x80, 64, 0))
      try page.send(Self.midi(0xE0, 0, 127))
      #expect(
        eventually {
          messages += recorder.drain().messages; return messages.count >= 5
        })
      #expect(messages.prefix(2).map(\.data1) == [60, 64])
      messages = []
    }
    // The connection was closed without a farewell.
    #expect(
      eventually {
        messages += recorder.drain().messages; return messages.count >= 3
      })
    #expect(messages.contains { $0.kind == .pitchBend && $0.bend == 8192 })
    #expect(messages.contains { $0.endsNote && $0.data1 == 60 })
    #expect(messages.contains { $0.kind == .controlChange && $0.data1 == 64 && $0.data2 == 0 })
    #expect(eventually { port.input.sourceNames.isEmpty })
  }

  @Test func `two pages hold a key until both release it`() throws {
    let panel = try TestPanel()
    let port = try #require(panel.server.publishedPorts.first)
    let consumer = LiveInputConsumer(to: port.input, as: .device, sampleRate: 48_000)
    consumer.begin()
    var heard: [ChannelMessage] = []
    func cycle() {
      let output = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: 1)
      defer { output.deallocate() }
      let cycle = consumer.events.pointee.merge(
        into: RenderCycle(
          midi: MIDICycle(frames: 64), position: 0, hostTime: 0,
          output: UnsafePointer(output)), now: .max / 2)
      for event in cycle.events {
        if case .channel(let message) = event.content { heard.append(message) }
      }
    }
    let pages = [try panel.page(), try panel.page()]
    for page in pages {
      try page.send(Self.play)
      _ = try page.receive()
      try page.send(Self.midi(0x90, 60, 100))
    }
    #expect(
      eventually {
        cycle(); return heard.count { $0.startsNote } == 2
      })
    #expect(port.input.playedKeys.map(\.key) == [60])
    try pages[0].send(Self.midi(0x80, 60, 0))
    try pages[0].send(Self.midi(0x90, 61, 1))
    #expect(
      eventually {
        cycle(); return heard.contains { $0.startsNote && $0.data1 == 61 }
      })
    #expect(!heard.contains { $0.endsNote && $0.data1 == 60 })
    try pages[1].send(Self.midi(0x80, 60, 0))
    #expect(
      eventually {
        cycle(); return heard.contains { $0.endsNote && $0.data1 == 60 }
      })
    consumer.end()
  }

  @Test func `bytes that are no channel message are refused`() throws {
    let panel = try TestPanel()
    let (recorder, _) = try consumer(of: panel)
    let page = try panel.page()
    try page.send(Self.play)
    _ = try page.receive()
    for bytes in [
      "[]", "[144]", "[144,60]", "[144,60,128]", "[144,60,100,1]", "[192,1,2]",
      "[240,1,2]", "[255,0,0]", "[60,60,60]", "[144,-1,0]", "[144,1.5,0]", "[144,\"a\",0]", "7",
      "[9999999999999999999999]",
    ] {
      try page.send(#"{"method":"panel.midi","params":{"bytes":\#(bytes)}}"#)
      #expect(try page.receive().contains("badMessage"), "\(bytes)")
    }
    #expect(recorder.drain().isEmpty)
  }

  @Test func `a page goes on with a port that was published again`() throws {
    let panel = try TestPanel()
    let page = try panel.page()
    try page.send(#"{"id":2,"method":"panel.watch","params":{"isOn":true}}"#)
    try page.send(Self.play)
    _ = try page.receive(until: "\"id\":7")
    let old = try #require(panel.server.publishedPorts.first)
    try panel.publish(TestPanel.ports.replacing("delay", with: "resonator"))
    let (recorder, port) = try consumer(of: panel)
    #expect(port !== old)
    #expect(eventually { port.input.sourceNames == ["Panel"] && old.input.sourceNames.isEmpty })
    try page.send(Self.midi(0x90, 60, 100))
    var messages: [ChannelMessage] = []
    #expect(
      eventually {
        messages += recorder.drain().messages; return messages.contains { $0.startsNote }
      })
  }

  @Test func `without a chosen port, nothing is played`() throws {
    let panel = try TestPanel()
    let page = try panel.page()
    try page.send(Self.midi(0x90, 60, 100))
    #expect(try page.receive().contains("panel.play first"))
  }

  @Test func `a page sees the status and the log`() throws {
    let panel = try TestPanel()
    let page = try panel.page()
    panel.log.log("a line of the log")
    try page.send(#"{"id":2,"method":"panel.watch","params":{"isOn":true}}"#)
    #expect(try page.receive(until: "panel.status").contains("a line of the log"))
    panel.log.log("another line")
    let second = try page.receive(until: "panel.status")
    #expect(second.contains("another line") && !second.contains("a line of the log"))
  }
}
