import Foundation
import NodeProtocol
import NodeServer
import ServerTestSupport
import TestSupport

@testable import WebPanel

/// Pages of the web panel that play, watch and leave without a farewell.
struct SoakPages: SoakActor {
  private enum Action: Sendable { case open, play, watch, leave }
  private static let choice = SoakChoice<Action>([.open: 4, .play: 8, .watch: 2, .leave: 3])

  private struct Page {
    let socket: TestSocket
    /// The number of the server that it belongs to.
    let server: Int
    var requests = 1
    /// When the page read last. The panel closes pages that do not answer its pings for 12 s.
    var lastAnswer = ContinuousClock.now

    mutating func ask(_ method: String, _ parameters: String) throws {
      requests += 1
      try socket.send(#"{"id":\#(requests),"method":"\#(method)","params":\#(parameters)}"#)
      let answer = try socket.receive(until: #""id":\#(requests)"#)
      lastAnswer = .now
      guard answer.contains(#""result""#) else {
        throw SoakViolation("the panel answered \(method) with \(answer.prefix(300))")
      }
    }
  }

  private var pages: [Page?] = Array(repeating: nil, count: 3)

  var weight: Int { Self.choice.weight }

  mutating func act(on stage: SoakStage, _ random: inout Seeded) throws -> String {
    let action = Self.choice.next(&random)
    let number = Int.random(in: pages.indices, using: &random)
    let port = Int.random(in: 0..<2, using: &random)
    let keys = (0..<Int.random(in: 1...6, using: &random)).map { _ in
      UInt8.random(in: 21...108, using: &random)
    }
    switch action {
    case .open:
      let socket = try TestSocket(stage.panel.web.port)
      try socket.open(String(stage.panel.link.split(separator: "#")[1]))
      pages[number] = Page(socket: socket, server: stage.servers)
      stage.counts.pages += 1
    case .play:
      try use(number, on: stage) { try Self.play(keys, &$0, on: stage, port) }
    case .watch:
      try use(number, on: stage) {
        try $0.ask("panel.watch", #"{"isOn":true}"#)
        try $0.ask("panel.watch", #"{"isOn":false}"#)
      }
    case .leave: pages[number] = nil
    }
    return "page \(number): \(action) \(port) \(keys)"
  }

  /// Reads now and then, and so answers pings.
  mutating func proceed(on stage: SoakStage) throws {
    for number in pages.indices {
      guard let page = pages[number], ContinuousClock.now - page.lastAnswer > .seconds(2) else {
        continue
      }
      try use(number, on: stage) { try $0.ask("panel.watch", #"{"isOn":false}"#) }
    }
  }

  mutating func end(on stage: SoakStage) {
    for number in pages.indices { pages[number] = nil }
  }

  /// Uses a page, if it is open. One whose server has ended is closed.
  private mutating func use(
    _ number: Int, on stage: SoakStage, _ body: (inout Page) throws -> Void
  ) throws {
    guard var page = pages[number] else { return }
    do {
      try body(&page)
      pages[number] = page
    } catch is TestSocket.Ended {
      if page.server == stage.servers, ContinuousClock.now - page.lastAnswer < .seconds(10) {
        throw SoakViolation("the panel has closed page \(number)")
      }
      pages[number] = nil
    }
  }

  private static func play(
    _ keys: [UInt8], _ page: inout Page, on stage: SoakStage, _ port: Int
  ) throws {
    let component = String(
      decoding: try JSONEncoder().encode(stage.ports[port].description.component), as: UTF8.self)
    try page.ask("panel.play", #"{"component":\#(component)}"#)
    for key in keys {
      try page.socket.send(
        #"{"method":"panel.midi","params":{"bytes":[144,\#(key),90]}}"#)
    }
    stage.counts.notes += keys.count
  }
}
