import NodeProtocol
import Synchronization

/// The ports to which a host is connected. Sends each node the names of the other ports.
///
/// Realtime: no. Threads: any.
final class PeerNodes: Sendable {
  private let members = Mutex<[Member]>([])
  /// Held while names are sent, so that the last message to each node has the current names.
  private let sendLock = Mutex(())

  /// The number of names of maximum length that fit into a packet.
  private static let limit = PacketSocket.limit / (2 * PortDescription.maximumNameLength)

  private struct Member {
    let name: String
    let link: ControlLink
  }

  func add(_ link: ControlLink, name: String) {
    members.withLock { $0.append(Member(name: name, link: link)) }
    // The connection may have ended before it was added.
    if link.phase.lossReason != nil { remove(link) } else { sendNames() }
  }

  /// Removes a connection. Does nothing if it was already removed.
  func remove(_ link: ControlLink) {
    let wasRemoved = members.withLock { members in
      let count = members.count
      members.removeAll { $0.link === link }
      return members.count < count
    }
    if wasRemoved { sendNames() }
  }

  private func sendNames() {
    sendLock.withLock { _ in
      let members = members.withLock { $0 }
      for member in members {
        let others = members.filter { $0.link !== member.link }.map(\.name)
        member.link.send(PeerNodeNames(names: Array(others.prefix(Self.limit))))
      }
    }
  }
}
