/// A notification from a node.
public enum ConnectionNotice: Equatable, Sendable {
  /// The unit's latency has changed to this number of frames.
  case latency(Int)
  /// The unit's tail has changed to this number of frames; `nil` if unknown.
  case tail(Int?)
  /// Another program has changed parameters, channels or files of the unit.
  case settings
  /// The node asks the host to show its window.
  case show
  /// The host has asked the node for its window, which is a page, and the node has no display: the host opens this link in
  /// a browser. The link has a secret.
  case page(String)
}

/// The latency and tail that a unit has reported, in frames.
struct UnitTiming: Equatable, Sendable {
  var latency = 0
  var tail: Int?

  init(_ latency: Int = 0, _ tail: Int? = nil) { (self.latency, self.tail) = (latency, tail) }
}
