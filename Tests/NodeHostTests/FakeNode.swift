import Foundation
import Glibc
import HostConnection
import TestSupport

/// A node that answers as it is told to, sense or not: each packet with the next of its replies.
final class FakeNode: Sendable {
  let socketPath = FileManager.default.temporaryDirectory
    .appending(path: "portative-test-\(UInt64.random(in: 0 ... .max)).socket").path()
  private let listener: PacketListener

  /// What is said to a packet that has a number: as many packets as there are.
  typealias Reply = @Sendable (_ id: UInt32) -> [[UInt8]]

  /// - Parameter replies: When there are no more, it hangs up.
  init(_ replies: [Reply]) throws {
    listener = try PacketListener(path: socketPath)
    let thread = TestThread { [listener] in
      guard let socket = try? listener.accept().get() else { return }
      for reply in replies {
        guard let packet = try? socket.receive(),
          let asked = try? JSONDecoder().decode(Packet<HostMessage>.self, from: Data(packet.bytes))
        else { return }
        for bytes in reply(asked.id) { try? socket.send(bytes) }
      }
      _ = socket.waitForPacket(milliseconds: 200)
    }
    thread.detach()
  }

  deinit {
    listener.close()
    unlink(socketPath)
  }

  static func message(_ message: NodeMessage, id: UInt32) -> [UInt8] {
    (try? [UInt8](JSONEncoder().encode(Packet(id: id, message)))) ?? []
  }

  /// A well-behaved answer.
  static func says(_ message: NodeMessage) -> Reply {
    { id in [Self.message(message, id: id)] }
  }
}
