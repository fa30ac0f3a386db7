/// What keyboards have played since a device was opened, while they still play.
///
/// Realtime: no. Threads: any.
package struct SessionTake: Sendable {
  private let recorder: TakeRecorder
  private let session: Int
  private let port: String?

  /// - Parameters:
  ///   - recorder: A recorder that keeps sessions.
  ///   - session: The number that ``TakeRecorder/begin(sampleRate:)`` has returned.
  ///   - port: The port; `nil` for all ports.
  package init(_ recorder: TakeRecorder, session: Int, of port: String?) {
    (self.recorder, self.session, self.port) = (recorder, session, port)
  }

  /// The number of events so far, of all ports; `nil` if the session is over and another has begun.
  package var eventCount: Int? {
    guard let counts = recorder.sessionCounts, counts.session == session else { return nil }
    return counts.events
  }

  /// Returns the take so far, in frames of the device; `nil` if no note was played, or if the session is over and
  /// another has begun. What is held ends now.
  package func take() -> Take? {
    let take = recorder.sessionTake(of: port)
    return eventCount == nil ? nil : take
  }
}
