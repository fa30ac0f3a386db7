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

  /// Frames: many hours, and few enough that those of many nodes can be added up.
  private static let possible = 0...Int(Int32.max)

  init(_ latency: Int = 0, _ tail: Int? = nil) {
    self.latency = Self.believed(latency)
    self.tail = tail.map(Self.believed)
  }

  /// A node that knows the future is not believed, nor one that takes days.
  private static func believed(_ frames: Int) -> Int {
    max(possible.lowerBound, min(frames, possible.upperBound))
  }
}
