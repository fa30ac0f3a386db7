import Components
import HostConnection
import NodeHost
import SongHost

extension NodeRack {
  /// Why the song cannot go on, and what to do about it; `nil` while all nodes play.
  var fault: String? {
    for connection in connections {
      if let fault = connection.fault { return fault }
    }
    return nil
  }
}

extension Connection {
  fileprivate var fault: String? {
    switch status {
    case .lost(.nodeEnded):
      "\(port.name) is gone in the middle of the song: the node '\(node.name)' (process "
        + "\(node.processID)) has ended; start it again, then play again"
    case .lost(.portWithdrawn):
      "\(port.name) is gone in the middle of the song: the node '\(node.name)' does not publish it any "
        + "more; start the node, or publish the port, then play again"
    case .lost(let reason): "\(port.name) is lost in the middle of the song: \(reason); play again"
    case .parked(.late):
      "\(port.name) was late in \(lateLimit) cycles running, so it was given up: use longer "
        + "cycles (--cycle), end what else keeps the machine busy, or see that the node may have "
        + "realtime priority"
    case .parked(.notRendered):
      "\(port.name) was given to others, for this host had stopped playing: play again"
    case .open: "\(port.name) plays no more: \(status)"
    case .initialized: nil
    }
  }
}
