import Glibc
package import LivePlayer
import LocalSystem
import MIDIFile
package import RenderCore

/// The contents of a transport panel.
///
/// Realtime: no.
package struct TransportPanel: Equatable, Sendable {
  package var title = ""
  /// The number of the bar, from 1; 0 or less in a count-in.
  package var bar: Int64 = 1
  /// Beats of the meter since the beginning of the bar, with a fraction, from 0.
  package var beatInBar = 0.0
  /// The position in seconds; negative in a count-in.
  package var seconds = 0.0
  /// The length of the song in seconds; 0 if unknown.
  package var length = 0.0
  /// Quarter notes per minute.
  package var tempo = 120.0
  package var meter = Meter()
  package var isPlaying = false
  package var isRecording = false
  package var isLooping = false
  package var hasMetronome = false
  package var left = PeakLevel()
  package var right = PeakLevel()
  /// The number of active voices; `nil` if the node does not report it.
  package var voices: Int?
  package var lateCycles = 0
  /// Whether all keys are shown below the panel.
  package var showsHelp = false

  package init() {}

  /// The number of ticks per beat of the displayed position.
  private static let ticksPerBeat = 480

  /// Updates the position, tempo and modes from a song's transport.
  package mutating func show(_ song: SongTransport) {
    let transport = song.transport(at: song.frame)
    bar = song.map.bar(at: song.frame).number
    beatInBar = max(0, (transport.beat - transport.barStart) / transport.meter.beatLength)
    seconds = Double(song.frame) / Double(song.map.sampleRate)
    (tempo, meter) = (transport.tempo, transport.meter)
    (isPlaying, isRecording, isLooping) = (song.isPlaying, song.isRecording, song.loop != nil)
  }
}

extension TransportPanel {
  /// The number of columns of a level's bar. Each stands for 6 dB.
  private static let columns = 10

  /// Returns a bar from −60 to 0 dBFS with the held peak in it, and the held peak in decibels: `######|--- -12.3`.
  package static func meter(_ level: PeakLevel, _ isUnicode: Bool) -> String {
    let (peak, held) = (column(level.peak), column(level.held))
    let (full, empty, mark) = isUnicode ? ("\u{2588}", "\u{00B7}", "\u{2502}") : ("#", "-", "|")
    var bar = ""
    for column in 1...columns { bar += column <= peak ? full : column == held ? mark : empty }
    return "\(bar) \(decibels(level.held))"
  }

  /// Returns the last column that a level reaches; 0: none.
  private static func column(_ sample: Float) -> Int {
    guard sample > 0 else { return 0 }
    let part = (20 * log10(Double(min(sample, 1))) + 60) / 60
    return max(0, min(columns, Int((part * Double(columns)).rounded(.up))))
  }

  /// Returns five characters: `-12.3`, ` -inf`, or ` OVER` for a level that a device clips.
  private static func decibels(_ sample: Float) -> String {
    if sample.isNaN || sample > 1 { return " OVER" }
    let tenths = sample > 0 ? Int((200 * log10(Double(sample))).rounded()) : -1000
    if tenths <= -1000 { return " -inf" }
    let text = "\(tenths < 0 ? "-" : "")\(-tenths / 10).\(-tenths % 10)"
    return String(repeating: " ", count: max(0, 5 - text.count)) + text
  }
}

extension TransportPanel {
  /// Returns two lines and, if help is shown, lines with all keys. Each is narrower than `columns`.
  ///
  /// If there is not enough room, the least important parts are omitted. The names of modes are shown with their keys,
  /// in capitals while a mode is on.
  ///
  /// - Parameters:
  ///   - columns: The width of the terminal. The last column stays empty, because some terminals wrap there.
  ///   - isUnicode: Whether the terminal shows more than ASCII.
  package func lines(columns: Int, isUnicode: Bool) -> [String] {
    let room = max(0, columns - 1)
    return [
      Self.line(transportParts(isUnicode), title, room: room, isUnicode: isUnicode),
      Self.line(soundParts(isUnicode), "", room: room, isUnicode: isUnicode),
    ] + (showsHelp ? Self.help(room: room, isUnicode: isUnicode) : [])
  }

  /// Returns as many parts as fit, from the first on, followed by as much of `rest` as fits.
  private static func line(
    _ parts: [String], _ rest: String, room: Int, isUnicode: Bool
  ) -> String {
    var line = ""
    for part in parts {
      let longer = line.isEmpty ? part : "\(line)  \(part)"
      guard TerminalText.width(longer) <= room else { return line }
      line = longer
    }
    let text = TerminalText.fitted(
      rest, columns: room - TerminalText.width(line) - 2, isUnicode: isUnicode)
    return text.isEmpty ? line : "\(line)  \(text)"
  }

  private func transportParts(_ isUnicode: Bool) -> [String] {
    let time = length > 0 ? "\(Self.clock(seconds))/\(Self.clock(length))" : Self.clock(seconds)
    return [
      "\(state(isUnicode)) \(position)", time, "\(Self.tenths(tempo)) \(meter.count)/\(meter.unit)",
      "r \(isRecording ? "REC" : "rec")", "l \(isLooping ? "LOOP" : "loop")",
      "m \(hasMetronome ? "CLICK" : "click")", "\(Self.arrows(isUnicode)) bar",
    ]
  }

  private func state(_ isUnicode: Bool) -> String {
    let signs = isUnicode ? ("\u{25A0}", "\u{25B6}", "\u{25CF}") : ("#", ">", "o")
    return !isPlaying ? signs.0 : isRecording ? signs.2 : signs.1
  }

  private func soundParts(_ isUnicode: Bool) -> [String] {
    let voices = voices.map { ["\(Self.padded("\($0)", 3)) voices"] } ?? []
    return [
      "L \(Self.meter(left, isUnicode))", "R \(Self.meter(right, isUnicode))", "\(lateCycles) late",
      "? help",
    ] + voices + ["q quit", "space play", "0 rewind"]
  }

  private static func arrows(_ isUnicode: Bool) -> String {
    isUnicode ? "\u{2190}\u{2192}" : "<- ->"
  }

  /// Returns all keys, with as many per line as fit.
  private static func help(room: Int, isUnicode: Bool) -> [String] {
    let keys = [
      "space  play or stop", "\(arrows(isUnicode))  a bar back or on",
      "0 or Home  to the beginning",
      "r  record", "l  loop", "m  metronome",
      "\(isUnicode ? "\u{2191}\u{2193}" : "up, down")  choose a part",
      "x  mute it", "s  play only it", "+ -  a semitone up or down", "[ ]  slower or faster",
      "=  as written", "w  write a file", "n  next song", "p  previous song", "q or Esc  quit",
      "? or h  help on or off",
    ]
    var lines: [String] = []
    for key in keys {
      let key = TerminalText.fitted(key, columns: room, isUnicode: isUnicode)
      if let last = lines.last, TerminalText.width(last) + 4 + TerminalText.width(key) <= room {
        lines[lines.count - 1] = "\(last)    \(key)"
      } else if !key.isEmpty {
        lines.append(key)
      }
    }
    return lines
  }

  /// Bar, beat of the bar from 1, and ticks, ``ticksPerBeat`` per beat: `  12:3:240`.
  private var position: String {
    let ticks = Int((max(0, min(beatInBar, 65_535)) * Double(Self.ticksPerBeat)).rounded(.down))
    let (beat, tick) = ticks.quotientAndRemainder(dividingBy: Self.ticksPerBeat)
    return Self.padded("\(bar)", 4) + ":\(beat + 1):"
      + String(tick, digits: 3)
  }

  /// Returns a time such as `1:02.5`, with hours only if there are any.
  static func clock(_ seconds: Double) -> String {
    let tenths = Int((max(-3.6e6, min(seconds, 3.6e6)) * 10).rounded(.down))
    let (whole, rest) = (abs(tenths) / 10, abs(tenths) % 10)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let (minutes, second) = (whole / 60, "\(two(whole % 60)).\(rest)")
    let text =
      minutes < 60 ? "\(minutes):\(second)" : "\(minutes / 60):\(two(minutes % 60)):\(second)"
    return tenths < 0 ? "-\(text)" : text
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }

  private static func tenths(_ number: Double) -> String {
    let tenths = Int((max(0, min(number, 1e9)) * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }
}
