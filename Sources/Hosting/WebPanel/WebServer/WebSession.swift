/// The server's side of one WebSocket. It may keep its ``WebClient`` until ``closed()``.
///
/// Threads: that of the server.
package protocol WebSession: AnyObject {
  /// Handles a message of text.
  func receive(_ message: [UInt8])

  /// The time of ``WebClient/setTimer(seconds:)`` has passed.
  func timed()

  /// The descriptor of ``WebClient/watch(_:)`` is readable.
  ///
  /// - Returns: Whether to watch it further.
  func readable() -> Bool

  /// The connection is over.
  func closed()
}
