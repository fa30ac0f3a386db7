import Configuration
import NodeProtocol
import NodeServer
import Synchronization
import Threads

/// The log of a server, on standard error.
final class ServerLog: Sendable {
  private let isQuiet: Bool
  /// The last error that was reported as a warning, so that it is not repeated.
  private let refusal = Mutex<RealtimePriorityError?>(nil)

  init(isQuiet: Bool) { self.isQuiet = isQuiet }

  func say(_ sentence: String) {
    if !isQuiet { Terminal.note(sentence) }
  }

  func tell(_ event: ServerEvent) {
    say(event.description)
    if case .initialized(_, .refused(let reason)) = event { warn(reason) }
  }

  private func warn(_ reason: RealtimePriorityError) {
    let isNews = refusal.withLock { refusal in
      defer { refusal = reason }
      return refusal != reason
    }
    if isNews { say("warning: \(reason)") }
  }

  /// Reports which SoundFont is used, and why.
  func tell(_ soundFont: FoundSoundFont) {
    say("SoundFont: \(soundFont.path) (\(soundFont.origin))")
  }
}
