import ConnectionTestSupport
import Foundation
import LocalSystem
import RenderCore
import Synchronization
import TestSupport

@testable import NodeProtocol

/// A node that answers as a closure tells, and writes random words to the shared memory that it receives.
final class HostileNode: Sendable {
  let socketPath = FileManager.default.temporaryDirectory
    .appending(path: "portative-test-\(UInt64.random(in: 0 ... .max)).socket").path()
  private let listener: PacketListener

  /// Creates a node that sends valid responses.
  ///
  /// - Parameter answer: Returns the results of a request with this method.
  convenience init(
    _ answer: @escaping @Sendable (_ method: String, _ id: UInt32) -> [any Codable & Sendable]
  ) throws {
    try self.init(packets: { method, id in
      answer(method, id).map { (try? MessageEncoder.response($0, id: id)) ?? [] }
    })
  }

  /// - Parameter answer: Returns the packets to send after a request with this method; `nil` to disconnect.
  init(packets answer: @escaping @Sendable (_ method: String, _ id: UInt32) -> [[UInt8]]?) throws {
    listener = try PacketListener(path: socketPath)
    TestThread { [listener] in
      while let socket = try? listener.accept().get() { Self.serve(socket, answer) }
    }.detach()
  }

  deinit {
    listener.close()
    unlink(socketPath)
  }

  private static func serve(
    _ socket: PacketSocket, _ answer: (_ method: String, _ id: UInt32) -> [[UInt8]]?
  ) {
    var renderer: HostileRenderer?
    defer { renderer?.stop() }
    while let packet = try? socket.receive() {
      guard let message = try? ReceivedMessage(packet.bytes) else { return }
      if case .notification(ParkPort.method) = message.kind {
        renderer?.stop()
        renderer = nil
      }
      guard case .request(let id, let method) = message.kind else { continue }
      if let renderer, [InitializePort.method, UninitializePort.method].contains(method) {
        renderer.stop()
      }
      if method == InitializePort.method, let attached = packet.attached,
        let format = try? message.parameters(InitializePort.self).format,
        let segment = try? Segment(opening: attached.number, format)
      {
        renderer = HostileRenderer(segment, seed: UInt64(id))
      }
      guard let packets = answer(method, id) else { return }
      for packet in packets where (try? socket.send(packet, waits: false)) == nil { return }
    }
  }
}

/// Answers cycles, but writes random words everywhere meanwhile.
private final class HostileRenderer: Sendable {
  private let isOver = Atomic(false)
  private nonisolated(unsafe) var thread: TestThread?
  private let scribbler: Scribbler

  init(_ segment: Segment, seed: UInt64) {
    scribbler = Scribbler(segment, seed: seed)
    thread = TestThread { [self] in
      var random = Seeded(seed)
      while !isOver.load(ordering: .relaxed) {
        let posted = segment.cycle.posted.value
        segment.written(.toHost).store(
          segment.read(.toHost).value &+ .random(in: 0...60, using: &random))
        segment.cycle.answered.store(posted)
        segment.cycle.answered.wake()
        segment.cycle.posted.wait(while: posted, until: MonotonicClock.now + 100_000)
      }
    }
  }

  func stop() {
    isOver.store(true, ordering: .relaxed)
    thread?.join()
    thread = nil
    scribbler.stop()
  }
}
