import FoundationEssentials
import NodeProtocol
import RenderCore
import SongHost

/// The transport panel of a song that is played live, and its keys.
final class PlayPanel {
  private let terminal: RawTerminal
  private var panel = TransportPanel()
  private let isUnicode: Bool
  private var lastLook = ContinuousClock.now

  /// The action of a key.
  enum Wish: Equatable {
    case command(RemoteCommand)
    case toggleLoop
    case toggleMetronome
    case toggleHelp
    case quit
  }

  /// Creates the panel.
  ///
  /// - Parameter length: The length of the song in seconds.
  /// - Returns: `nil` if standard input and error are not a terminal that can show the panel.
  init?(title: String, length: Double) {
    let variables = ProcessInfo.processInfo.environment
    guard let terminal = RawTerminal(environment: variables) else { return nil }
    self.terminal = terminal
    panel.title = title
    panel.length = length
    isUnicode = TerminalText.isUnicode(environment: variables)
  }

  /// Returns the actions of the keys pressed since the last call.
  func wishes(_ song: SongTransport) -> [Wish] {
    terminal.pressedKeys().compactMap { key in
      switch key {
      case .character(" "): .command(.togglePlay)
      case .character("r"), .character("R"): .command(.toggleRecord)
      case .character("0"), .home: .command(.rewind)
      case .left: .command(.jump(beat: song.beat(barsAway: -1)))
      case .right: .command(.jump(beat: song.beat(barsAway: 1)))
      case .character("l"), .character("L"): .toggleLoop
      case .character("m"), .character("M"): .toggleMetronome
      case .character("?"), .character("h"), .character("H"): .toggleHelp
      case .character("q"), .character("Q"), .character("\u{3}"), .escape: .quit
      default: nil
      }
    }
  }

  func toggleHelp() { panel.showsHelp.toggle() }

  func draw(_ host: LiveHost, peaks: (left: Float, right: Float), voices: Int?) {
    let now = ContinuousClock.now
    let seconds = (now - lastLook) / .seconds(1)
    lastLook = now
    panel.show(host.song)
    panel.left.follow(peaks.left, after: seconds)
    panel.right.follow(peaks.right, after: seconds)
    panel.hasMetronome = host.mixer.isClicking
    panel.voices = voices
    panel.lateCycles = host.figures.lateCycles
    terminal.draw { panel.lines(columns: $0, isUnicode: isUnicode) }
  }

  /// Writes a line above the panel.
  func say(_ sentence: String) {
    terminal.erase()
    Terminal.note(sentence)
  }

  func leave() {
    terminal.erase()
    terminal.leave()
  }
}
