/// What a node says of itself, unasked.
public enum ConnectionNotice: Equatable, Sendable {
  /// Its unit has another latency, in frames.
  case latency(Int)
  /// Its unit has another tail, in frames; `nil`: it does not know one.
  case tail(Int?)
  /// It wants the host to show itself, as when its user asks for the host's window.
  case show
}

/// What a unit says of its time.
struct UnitTiming: Equatable, Sendable {
  var latency = 0
  var tail: Int?

  init(_ latency: Int = 0, _ tail: Int? = nil) {
    // A node that knows the future is not believed.
    self.latency = max(0, latency)
    self.tail = tail.map { max(0, $0) }
  }
}
