import NodeHost
import Synchronization
import Threads

/// How many voices an instrument plays, asked now and then on a thread of its own: a node that is stopped does not
/// answer for seconds.
final class VoiceCount: Sendable {
  private let state = Mutex(State())

  private struct State {
    var isAsking = false
    var voices: Int?
  }

  /// The last answer; `nil` where the node does not say.
  var voices: Int? { state.withLock { $0.voices } }

  /// Asks, unless an answer is still waited for.
  func ask(_ connector: NodeConnector, _ connection: Connection) {
    let mayAsk = state.withLock { state in
      defer { state.isAsking = true }
      return !state.isAsking
    }
    if !mayAsk { return }
    let thread = try? SystemThread(name: "portative-ask") {
      let voices = connector.noteFigures(of: connection)?.voices
      self.state.withLock { $0 = State(voices: voices) }
    }
    if let thread { thread.detach() } else { state.withLock { $0.isAsking = false } }
  }
}
