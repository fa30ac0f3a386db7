import Configuration
import NodeHost
import NodeProtocol

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
    case .lost(.nodeEnded) where program != nil:
      "\(loss); play the song again, or use another plugin"
    case .lost(.nodeEnded):
      "\(loss); start it again, then play the song again"
    case .lost(.portRemoved):
      "\(loss); start the node '\(node.name)' again, or publish the port, then play the song again"
    case .lost(.noAnswer):
      "\(loss); end it with 'kill -9 \(node.processID)', then play the song again"
    case .lost, .open, .parked(.notRendered): "\(loss); play the song again"
    case .parked(.late) where isOffline && program != nil:
      "\(port.name) made no progress for \(stallSeconds) s: the plugin hangs; play the song again, use another plugin, or "
        + "raise --timeout"
    case .parked(.late) where isOffline:
      "\(port.name) made no progress for \(stallSeconds) s: its node '\(node.name)' (process "
        + "\(node.processID)) hangs or is stopped; end it and start it again, or raise --timeout"
    case .parked(.late) where isStalled && program != nil:
      "\(loss): the plugin hangs; play the song again, or use another plugin"
    case .parked(.late) where isStalled:
      "\(loss): it hangs or is stopped; end it with 'kill -9 \(node.processID)', and start it again"
    case .parked(.late) where program != nil:
      "\(loss): use longer cycles (--cycle), close other programs, permit realtime priority (portative doctor), or use "
        + "another plugin, because this one may hang"
    case .parked(.late):
      "\(loss): use longer cycles (--cycle), close other programs, or permit realtime priority to the "
        + "node '\(node.name)'"
    case .initialized: nil
    }
  }

  /// Why the node does not play.
  var loss: String {
    switch status {
    case .lost(.nodeEnded) where program != nil:
      "\(port.name) was lost during the song: the process \(node.processID) of the plugin "
        + (program?.waitForEnd(atMost: .seconds(1))?.description ?? "has ended")
    case .lost(.nodeEnded):
      "\(port.name) was lost during the song: the node '\(node.name)' (process \(node.processID)) has ended"
    case .lost(.protocolViolation):
      "\(port.name) was lost during the song: "
        + (invalidMessage?.problem ?? "\(owner) sent an invalid message")
    case .lost(.noAnswer): "\(port.name) was lost during the song: \(owner) does not answer"
    case .lost(.portRemoved):
      "\(port.name) was lost during the song: \(owner) no longer publishes it"
    case .lost(.closed): "\(port.name) of \(owner) was closed"
    case .parked(.late) where isStalled:
      "\(port.name) was late in \(lateLimit) consecutive cycles, and \(owner) answered none of them"
    case .parked(.late): "\(port.name) was late in \(lateLimit) consecutive cycles"
    case .parked(.notRendered):
      "\(port.name) was parked by \(owner), which says that this host rendered nothing for 2 s"
    case .open, .initialized: "\(port.name) is \(status)"
    }
  }

  private var owner: String {
    program == nil
      ? "the node '\(node.name)' (process \(node.processID))"
      : "the process \(node.processID) of the plugin"
  }

  private var stallSeconds: String {
    let seconds = (stallLimit ?? .zero) / .seconds(1)
    return decimal(seconds, digits: seconds < 10 && seconds != seconds.rounded() ? 1 : 0)
  }
}
