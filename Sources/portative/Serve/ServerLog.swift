import Configuration
import NodeServer

/// What a server says of itself on standard error.
struct ServerLog: Sendable {
  let isQuiet: Bool

  func say(_ sentence: String) {
    if !isQuiet { Terminal.note(sentence) }
  }

  func tell(_ event: ServerEvent) { say(event.description) }

  /// Which SoundFont is played, and why, is always said.
  func tell(_ soundFont: FoundSoundFont) {
    say("SoundFont: \(soundFont.path) (\(soundFont.origin))")
  }
}
