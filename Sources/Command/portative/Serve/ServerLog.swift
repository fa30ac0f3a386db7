import Configuration
import NodeProtocol
import NodeServer
import Synchronization
import Threads

/// What a server says of itself on standard error.
final class ServerLog: Sendable {
  private let isQuiet: Bool
  /// What has been warned of, so that it is once.
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

  /// Which SoundFont is played, and why, is always said.
  func tell(_ soundFont: FoundSoundFont) {
    say("SoundFont: \(soundFont.path) (\(soundFont.origin))")
  }
}
