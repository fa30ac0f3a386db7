/// A change of a Link session.
package enum LinkCommand: Equatable, Sendable {
  /// Quarter notes per minute: 20…999.
  case tempo(Double)
  case play
  case stop

  /// The line that `portative-link` reads.
  var line: String {
    switch self {
    case .tempo(let tempo): "tempo \(tempo)"
    case .play: "play"
    case .stop: "stop"
    }
  }
}
