import NodeDirectory
import NodeHost
import NodeProtocol
import Options
import SongHost

extension NodeMixer {
  /// Why a song that is written to a file cannot continue, with the remedy; `nil` while all nodes play.
  var fault: String? {
    for connection in connections {
      if let fault = connection.fault(isOffline: true) { return fault }
    }
    return nil
  }
}

extension Connection {
  /// Returns why a song cannot continue, with the remedy; `nil` while the node plays.
  func fault(isOffline: Bool) -> String? {
    switch status {
    case .lost(.nodeEnded):
      "\(port.name) is gone in the middle of the song: the node '\(node.name)' (process "
        + "\(node.processID)) has ended; start it again, then play again"
    case .lost(.portWithdrawn):
      "\(port.name) is gone in the middle of the song: the node '\(node.name)' does not publish it any "
        + "more; start the node, or publish the port, then play again"
    case .lost(let reason): "\(port.name) is lost in the middle of the song: \(reason); play again"
    case .parked(.late) where isOffline:
      "\(port.name) has made no progress for \(stallSeconds) s, so it was given up: its node "
        + "'\(node.name)' (process \(node.processID)) hangs or is stopped; end it and start it again, or "
        + "give it more time with --patience"
    case .parked(.late):
      "\(port.name) was late in \(lateLimit) cycles running, so it was given up: use longer "
        + "cycles (--cycle), end what else keeps the machine busy, or see that the node may have "
        + "realtime priority"
    case .parked(.notRendered):
      "\(port.name) was parked, for this host had stopped playing: play again"
    case .open: "\(port.name) plays no more: \(status)"
    case .initialized: nil
    }
  }

  /// Why a node does not play while the song continues; `nil` while it plays.
  var absence: String? {
    switch status {
    case .lost(.nodeEnded):
      "\(port.name) is gone: the node '\(node.name)' (process \(node.processID)) has ended"
    case .lost(let reason): "\(port.name) is gone: \(reason)"
    case .parked(.late): "\(port.name) was late in \(lateLimit) cycles running"
    case .parked(.notRendered): "\(port.name) was parked, for nothing was rendered for a while"
    case .open: "\(port.name) is not initialized"
    case .initialized: nil
    }
  }

  private var stallSeconds: String {
    let seconds = (stallLimit ?? .zero) / .seconds(1)
    return decimal(seconds, digits: seconds < 10 && seconds != seconds.rounded() ? 1 : 0)
  }
}
