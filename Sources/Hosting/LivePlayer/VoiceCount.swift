import LocalSystem
import NodeHost
import Synchronization

/// The number of voices that an instrument plays, queried on a thread of its own because a stopped node does not answer
/// for seconds.
final class VoiceCount: Sendable {
  private let state = Mutex(State())

  private struct State {
    var isRequested = false
    var voices: Int?
  }

  /// The last answer; `nil` if the node does not report voices.
  var voices: Int? { state.withLock { $0.voices } }

  /// Queries the number, unless a query is in progress.
  func request(_ connector: NodeConnector, _ connection: Connection) {
    let mayRequest = state.withLock { state in
      defer { state.isRequested = true }
      return !state.isRequested
    }
    if !mayRequest { return }
    let thread = try? SystemThread(name: "portative-voices") {
      let voices = connector.noteFigures(of: connection)?.voices
      self.state.withLock { $0 = State(voices: voices) }
    }
    if let thread { thread.detach() } else { state.withLock { $0.isRequested = false } }
  }
}
