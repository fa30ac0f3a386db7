import FoundationEssentials
import LivePlayer
import NodeProtocol
import RenderCore

/// The transport panel of a song that is played live, and its keys.
final class PlayPanel: LivePlayerObserver {
  private let terminal: RawTerminal
  private var panel = TransportPanel()
  private let isUnicode: Bool
  private var lastDrawing = ContinuousClock.now

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

  let showsVoices = true

  /// What follows the song, by the key that ended it; `nil` if the song has ended.
  private(set) var ending: Ending?

  enum Ending { case quit, next, previous }

  /// Draws the panel, and returns the requests of the keys pressed since the last call.
  func update(_ state: LivePlayerState) -> [LivePlayerRequest] {
    draw(state)
    return terminal.pressedKeys().compactMap { request($0, state.song) }
  }

  private func request(_ key: TerminalKey, _ song: SongTransport) -> LivePlayerRequest? {
    switch key {
    case .character(" "): return .command(.togglePlay)
    case .character("r"), .character("R"): return .command(.toggleRecord)
    case .character("0"), .home: return .command(.rewind)
    case .left: return .command(.jump(beat: song.beat(barsAway: -1)))
    case .right: return .command(.jump(beat: song.beat(barsAway: 1)))
    case .character("l"), .character("L"): return .command(.loop(isOn: song.loop == nil))
    case .character("m"), .character("M"): return .toggleMetronome
    case .character("?"), .character("h"), .character("H"): panel.showsHelp.toggle()
    case .character("q"), .character("Q"), .character("\u{3}"), .escape: return end(.quit)
    case .character("n"), .character("N"): return end(.next)
    case .character("p"), .character("P"): return end(.previous)
    default: break
    }
    return nil
  }

  private func end(_ ending: Ending) -> LivePlayerRequest {
    self.ending = ending
    return .quit
  }

  private func draw(_ state: LivePlayerState) {
    let now = ContinuousClock.now
    let seconds = (now - lastDrawing) / .seconds(1)
    lastDrawing = now
    panel.show(state.song)
    panel.left.follow(state.peaks.left, after: seconds)
    panel.right.follow(state.peaks.right, after: seconds)
    panel.hasMetronome = state.isClicking
    panel.voices = state.voices
    panel.lateCycles = state.lateCycles
    terminal.draw { columns, _ in
      panel.lines(columns: columns, isUnicode: isUnicode)
    }
  }

  /// Writes the event above the panel.
  func report(_ event: PlayerEvent) {
    terminal.erase()
    Terminal.note(event.description)
  }

  func leave() {
    terminal.erase()
    terminal.leave()
  }
}
