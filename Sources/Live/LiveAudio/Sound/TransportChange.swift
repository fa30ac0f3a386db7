/// A change of the transport of a graph of programs.
package enum TransportChange: Equatable, Sendable {
  /// Plays from the present position.
  case start
  case stop
  /// Moves to a frame, 0 or greater, and continues to play or to be stopped.
  case locate(frame: Int64)
}
