import FluidSynthEngine
import LivePlayer
import LocalSystem
import MIDIFile
import OfflineRenderer
import RenderCore

/// The parts of a song that plays: the channels with notes, with their presets and levels.
struct PartsDisplay {
  /// A channel of a port.
  struct Part: Equatable {
    var port: Int
    var channel: UInt8
    var name = ""
    /// The velocity of the last note, which falls: 0…1.
    var level = 0.0

    /// As ``SongChanges`` names it.
    func songPart(ofPorts count: Int) -> SongPart {
      .channel(channel, port: count > 1 ? port : nil)
    }
  }

  private(set) var parts: [Part]
  private let ports: Int
  private let style: BankStyle
  private let presets: PresetNames
  private var followers: [PartFollower] = []
  /// The index of the next event, and the frame up to which the events were followed.
  private var (next, frame): (Int, Int64) = (0, 0)
  private var changes: SongChanges?

  /// - Parameters:
  ///   - song: All of its channels with notes are shown.
  ///   - presets: Those of the SoundFont; empty: presets have the names of General MIDI.
  init(_ song: Timeline, _ style: BankStyle, presets: [SoundFontPreset]) {
    self.style = style
    ports = song.ports.count
    self.presets = PresetNames(presets)
    var channels = Set<Int>()
    for event in song.events {
      if case .channel(let message) = event.message, message.startsNote {
        channels.insert(Int(event.port) * 16 + Int(message.channel))
      }
    }
    parts = channels.sorted().map { Part(port: $0 / 16, channel: UInt8($0 % 16)) }
  }

  /// How the changes name a part.
  func songPart(_ index: Int) -> SongPart { parts[index].songPart(ofPorts: ports) }

  /// Follows the song to its present frame.
  ///
  /// - Parameter seconds: The time since the last call.
  mutating func follow(_ state: LivePlayerState, after seconds: Double) {
    for index in parts.indices { parts[index].level *= max(0, 1 - 3 * seconds) }
    let song = state.timeline
    let isOther = changes != state.changes
    if isOther || state.song.frame < frame || followers.isEmpty {
      (next, frame, changes) = (0, 0, state.changes)
      followers = song.ports.map { _ in PartFollower(style) }
    }
    // After a jump, earlier notes are not shown.
    let first = max(frame, state.song.frame - Int64(song.sampleRate) / 2)
    while next < song.events.count, song.events[next].frame < state.song.frame {
      follow(song.events[next], of: song, isShown: song.events[next].frame >= first && !isOther)
      next += 1
    }
    frame = state.song.frame
    for index in parts.indices { parts[index].name = name(of: parts[index]) }
  }

  private mutating func follow(_ event: Timeline.Event, of song: Timeline, isShown: Bool) {
    let follower = followers[Int(event.port)]
    switch event.message {
    case .sysEx(let range):
      _ = song.bytes(of: range).withUnsafeBufferPointer { follower.follow(sysEx: $0) }
    case .channel(let message) where message.startsNote:
      let index = parts.firstIndex {
        $0.port == Int(event.port) && $0.channel == message.channel
      }
      if isShown, let index { parts[index].level = Double(message.data2) / 127 }
    case .channel(let message): follower.follow(message)
    }
  }

  private func name(of part: Part) -> String {
    presets.played(followers[part.port].sound(of: part.channel))?.name ?? ""
  }
}

extension PartsDisplay {
  private static let columns = 8

  /// Returns a line for each part, with a mark at the selected one.
  ///
  /// - Parameters:
  ///   - selected: The index of a part.
  ///   - changes: With which the song is played.
  ///   - room: The number of columns.
  ///   - rows: The greatest number of lines; of more parts, those around the selected one are shown.
  func lines(
    selected: Int, _ changes: SongChanges, room: Int, rows: Int, isUnicode: Bool
  ) -> [String] {
    let first = max(0, min(selected - rows / 2, parts.count - rows))
    return parts.indices.dropFirst(first).prefix(max(0, rows)).map { index in
      let part = parts[index]
      let isMuted = changes.muted.contains(songPart(index))
      let isSolo = changes.only.contains(songPart(index))
      let number = (ports > 1 ? "\(part.port + 1):" : "") + "\(part.channel + 1)"
      let mark = index == selected ? (isUnicode ? "\u{25B8}" : ">") : " "
      let state = isSolo ? "SOLO" : isMuted ? "MUTE" : "    "
      let text = "\(mark)\(padded(number, 5)) \(level(part.level, isUnicode)) \(state) \(part.name)"
      return TerminalText.fitted(text, columns: room, isUnicode: isUnicode)
    }
  }

  private func padded(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }

  private func level(_ level: Double, _ isUnicode: Bool) -> String {
    let full = Int((level * Double(Self.columns)).rounded(.up))
    let (on, off) = isUnicode ? ("\u{2588}", "\u{00B7}") : ("#", "-")
    return String(repeating: on, count: full) + String(repeating: off, count: Self.columns - full)
  }
}
