import FluidSynthEngine
import FoundationEssentials
import LivePlayer
import MIDIFile
import NodeProtocol
import OfflineRenderer
import RenderCore

/// The panel of a song that is played live, and its keys.
final class PlayPanel: LivePlayerObserver {
  private let terminal: RawTerminal
  private var panel = TransportPanel()
  private var parts: PartsDisplay?
  /// The index of the part that keys mute and solo.
  private var selected = 0
  private var lyrics: (Lyrics, changes: SongChanges)?
  /// What is played differently from the file, with the changes of keys that were just pressed.
  private var changes = SongChanges()
  private var writer: SongWriter?
  private let isUnicode: Bool
  private var lastDrawing = ContinuousClock.now

  /// What follows the song, by the key that ended it; `nil` if the song has ended.
  private(set) var ending: Ending?

  enum Ending { case quit, next, previous }

  /// - Returns: `nil` if standard input and error are not a terminal that can show the panel.
  init?(title: String) {
    let variables = ProcessInfo.processInfo.environment
    guard let terminal = RawTerminal(environment: variables) else { return nil }
    self.terminal = terminal
    panel.title = title
    isUnicode = TerminalText.isUnicode(environment: variables)
  }

  /// Sets what the panel shows beside the transport.
  ///
  /// - Parameters:
  ///   - song: The song without changes.
  ///   - presets: Those of the instrument; empty if they are not known.
  ///   - writer: Writes the song to a file; `nil` if it plays through nodes.
  func setSong(
    _ song: Timeline, _ style: BankStyle, presets: [SoundFontPreset], writer: SongWriter?
  ) {
    parts = PartsDisplay(song, style, presets: presets)
    self.writer = writer
  }

  let showsVoices = true

  /// Draws the panel, and returns the requests of the keys pressed since the last call.
  func update(_ state: LivePlayerState) -> [LivePlayerRequest] {
    for sentence in writer?.takeSentences() ?? [] { note(sentence) }
    draw(state)
    changes = state.changes
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
    case .up: select(selected - 1)
    case .down: select(selected + 1)
    case .character("w"), .character("W"): write()
    case .character(let key): return change(key)
    default: break
    }
    return nil
  }

  private func end(_ ending: Ending) -> LivePlayerRequest {
    self.ending = ending
    return .quit
  }

  private func select(_ index: Int) {
    selected = max(0, min(index, (parts?.parts.count ?? 0) - 1))
  }

  /// Returns the request to play the song with the change that a key stands for; `nil` if it stands for none.
  private func change(_ key: Character) -> LivePlayerRequest? {
    switch key {
    case "x", "X": toggle(\.muted)
    case "s", "S":
      toggle(\.only)
      changes.muted.removeAll { changes.only.contains($0) }
    case "+": changes.transposition += 1
    case "-": changes.transposition -= 1
    case "]": changes.tempo = changes.tempo.stepped(by: 1)
    case "[": changes.tempo = changes.tempo.stepped(by: -1)
    case "=": changes = SongChanges()
    default: return nil
    }
    return .change(changes)
  }

  /// Adds the selected part to a list, or removes it.
  private func toggle(_ list: WritableKeyPath<SongChanges, [SongPart]>) {
    guard let parts, parts.parts.indices.contains(selected) else { return }
    let part = parts.songPart(selected)
    if let index = changes[keyPath: list].firstIndex(of: part) {
      changes[keyPath: list].remove(at: index)
    } else {
      changes[keyPath: list].append(part)
    }
  }

  private func write() {
    guard let writer else {
      return note("w writes a song that plays with its own instrument, without --node")
    }
    writer.write(changes)
  }

  private func draw(_ state: LivePlayerState) {
    let now = ContinuousClock.now
    let seconds = (now - lastDrawing) / .seconds(1)
    lastDrawing = now
    panel.show(state.song)
    panel.length = state.timeline.seconds
    panel.left.follow(state.peaks.left, after: seconds)
    panel.right.follow(state.peaks.right, after: seconds)
    panel.hasMetronome = state.isClicking
    panel.voices = state.voices
    panel.lateCycles = state.lateCycles
    parts?.follow(state, after: seconds)
    if lyrics?.changes != state.changes { lyrics = (Lyrics(state.timeline), state.changes) }
    terminal.draw { columns, rows in lines(state, columns: columns, rows: rows) }
  }

  private func lines(_ state: LivePlayerState, columns: Int, rows: Int) -> [String] {
    var lines = panel.lines(columns: columns, isUnicode: isUnicode)
    let help = lines.count > 2 ? lines[2...] : []
    lines.removeLast(help.count)
    let room = max(0, columns - 1)
    func add(_ text: String) {
      lines.append(TerminalText.fitted(text, columns: room, isUnicode: isUnicode))
    }
    if !state.changes.summary.isEmpty { add(state.changes.summary) }
    if let lyrics = lyrics?.0, !lyrics.isEmpty {
      let line = lyrics.line(at: state.song.frame)
      add("\(line.sung)\(isUnicode ? "\u{25B8}" : "|")\(line.rest)")
    }
    let left = rows - lines.count - help.count
    lines +=
      parts?.lines(
        selected: selected, state.changes, room: room, rows: left, isUnicode: isUnicode) ?? []
    return lines + help
  }

  /// Writes the event above the panel.
  func report(_ event: PlayerEvent) { note(event.description) }

  private func note(_ sentence: String) {
    terminal.erase()
    Terminal.note(sentence)
  }

  func leave() {
    terminal.erase()
    terminal.leave()
  }
}

extension SongChanges.Tempo {
  /// Returns the tempo that is 5 % of the file's tempo faster, or slower for −1.
  fileprivate func stepped(by step: Int) -> Self {
    switch self {
    case .speed(let speed):
      let steps = (speed.factor * 20).rounded() + Double(step)
      return .speed(SongSpeed(max(2, min(steps, 200)) / 20) ?? speed)
    case .beatsPerMinute(let tempo): return .beatsPerMinute(tempo * (1 + 0.05 * Double(step)))
    }
  }
}

extension SongChanges {
  /// What is changed for the whole song, such as `transposed by +2  speed 80 %`.
  fileprivate var summary: String {
    var parts: [String] = []
    if transposition != 0 {
      parts.append("transposed by \(transposition > 0 ? "+" : "")\(transposition)")
    }
    switch tempo {
    case .speed(.asWritten): break
    case .speed(let speed): parts.append("speed \(Int((speed.factor * 100).rounded())) %")
    case .beatsPerMinute(let tempo): parts.append("\(Int(tempo.rounded())) beats per minute")
    }
    return parts.joined(separator: "  ")
  }
}
