package import LiveAudio

/// Receives the messages of a server, for a log. Every message is one sentence. Threads: any, also concurrently.
package protocol ServerObserver: Sendable {
  func log(_ message: String)

  /// Logs something suspicious that does not prevent the server from working.
  func log(warning: String)

  /// Logs an error that does not end the server.
  func log(error: String)
}

extension ServerObserver {
  /// Logs an event of a recorder.
  package func log(_ event: RecorderEvent) {
    switch event {
    case .recording, .recorded: log(event.description)
    case .warning(let sentence): log(warning: sentence)
    case .failed(let sentence, _): log(error: sentence)
    }
  }
}
