import NodeDirectory
import NodeProtocol
import Synchronization

/// The ports that one host is connected to, so that each can be told of the others.
///
/// Realtime: no. Threads: any.
final class PeerNodes: Sendable {
  private let members = Mutex<[Member]>([])
  /// Held while they are told, so that the last that each hears is the latest.
  private let telling = Mutex(())

  /// Names that fit a packet, however long they are.
  private static let limit = PacketSocket.limit / (2 * PortDescription.maximumNameLength)

  private struct Member {
    let name: String
    let link: Link
  }

  func join(_ link: Link, name: String) {
    members.withLock { $0.append(Member(name: name, link: link)) }
    // It may have come to its end before it joined.
    if link.phase.lossReason != nil { leave(link) } else { tellAll() }
  }

  /// Does nothing if it has left already.
  func leave(_ link: Link) {
    let hasLeft = members.withLock { members in
      let count = members.count
      members.removeAll { $0.link === link }
      return members.count < count
    }
    if hasLeft { tellAll() }
  }

  private func tellAll() {
    telling.withLock { _ in
      let members = members.withLock { $0 }
      for member in members {
        let others = members.filter { $0.link !== member.link }.map(\.name)
        member.link.tell(.siblings(names: Array(others.prefix(Self.limit))))
      }
    }
  }
}
