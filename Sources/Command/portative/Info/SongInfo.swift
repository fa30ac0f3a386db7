import BatchRenderer
import Configuration
import FluidSynthEngine
import MIDIFile
import OfflineRenderer
import RenderCore

/// What is in a song, as text for users and JSON for programs.
struct SongInfo: Encodable {
  let file: String
  var title: String?
  var seconds: Double
  /// Absent if ticks are fractions of time code; likewise `tempos` and `meters`.
  var bars: Int?
  var format: Int
  var tracks: Int
  /// Absent if ticks are fractions of time code.
  var ticksPerQuarter: Int?
  /// The slowest and the fastest tempo, in quarter notes per minute, and the number of changes.
  var tempo: Range?
  var meters: [String]
  var keys: [String]
  var notes: Int
  /// The greatest number of keys that are down at the same time.
  var mostKeys: Int
  var syllables: Int
  var loop: RenderReport.Loop?
  var soundFont: String?
  var ports: Int
  var parts: [Part]
  var ignored: [RenderReport.Ignored]
  var repairs: [String]

  struct Range: Encodable, Equatable {
    var slowest: Double
    var fastest: Double
    var changes: Int
  }

  /// A channel with notes.
  struct Part: Encodable, Equatable {
    /// The index of the port, and the channel: from 0.
    var port: Int
    var channel: Int
    var lowestKey: Int
    var highestKey: Int
    var presets: [Preset]
  }

  struct Preset: Encodable, Equatable {
    var bank: Int
    var program: Int
    /// The name of what is played.
    var name: String?
    var notes: Int
    /// What is played instead, if the SoundFont lacks the preset.
    var isMissing: Bool
    var played: String?
  }

  /// - Parameter names: The presets of the SoundFont; `nil` if they are not known.
  init(
    _ file: String, _ title: String?, _ song: SongInspection, soundFont: String?,
    _ names: PresetNames?
  ) {
    let timeline = song.timeline
    let words = timeline.words
    self.file = file
    self.title = title ?? words.first { $0.kind == .title }?.text
    self.soundFont = soundFont
    seconds = (timeline.seconds * 1000).rounded() / 1000
    bars = song.bars
    format = Int(song.format.rawValue)
    tracks = timeline.tracks.count
    if case .ticksPerQuarter(let ticks) = song.division { ticksPerQuarter = Int(ticks) }
    let tempos = timeline.tempos.map {
      (600_000_000 / Double($0.microsecondsPerQuarter)).rounded() / 10
    }
    if let slowest = tempos.min(), let fastest = tempos.max() {
      tempo = Range(slowest: slowest, fastest: fastest, changes: tempos.count - 1)
    }
    meters = timeline.meters
    keys = timeline.keys.map(\.name).withoutRepeats
    notes = timeline.noteCount
    mostKeys = song.mostKeys
    syllables = words.count { $0.kind == .lyric }
    loop = song.loop.map(RenderReport.Loop.init)
    ports = timeline.ports.count
    ignored = song.ignored.map(RenderReport.Ignored.init)
    repairs = Warnings.repairs(song.repairs, unlisted: song.unlistedRepairs)
    parts = song.parts.map { part in
      Part(
        port: part.port, channel: Int(part.channel),
        lowestKey: Int(part.keys.lowerBound), highestKey: Int(part.keys.upperBound),
        presets: part.sounds.map { Preset($0, names ?? PresetNames([])) })
    }
  }

  /// Sentences about presets that the SoundFont lacks.
  var missing: [String] {
    parts.flatMap { part in
      part.presets.filter(\.isMissing).map { preset in
        let played = preset.played.map { "\($0) \(preset.name ?? "") plays instead" }
        return "the SoundFont has no \(preset.bank):\(preset.program): "
          + (played ?? "its notes are silent")
      }
    }.withoutRepeats
  }

  var tempoText: String {
    guard let tempo else { return "" }
    let slowest = OptionValue.brief(tempo.slowest)
    return tempo.slowest == tempo.fastest
      ? slowest : "\(slowest)-\(OptionValue.brief(tempo.fastest))"
  }
}

extension SongInfo.Preset {
  fileprivate init(_ sound: SongInspection.Sound, _ names: PresetNames) {
    let (wanted, other) = (sound.preset, names.played(sound.preset))
    (bank, program, notes) = (wanted.bank, wanted.program, sound.notes)
    name = other?.name
    isMissing = other.map { $0.bank != wanted.bank || $0.program != wanted.program } ?? true
    played = isMissing ? other.map { "\($0.bank):\($0.program)" } : nil
  }
}

extension SongInfo {
  /// The path and the title.
  var head: String { file + (title.map { ": \($0)" } ?? "") }

  var text: OutputText {
    var rows = [["length", clockText(seconds) + (bars.map { ", \(counted($0, "bar"))" } ?? "")]]
    rows.append([
      "format",
      "\(format), \(counted(tracks, "track")), "
        + (ticksPerQuarter.map { "\($0) ticks per quarter note" } ?? "time code"),
    ])
    if let tempo {
      let changes = tempo.changes > 0 ? ", \(counted(tempo.changes, "change"))" : ""
      rows.append(["tempo", "\(tempoText) quarter notes per minute\(changes)"])
    }
    if !meters.isEmpty { rows.append(["meter", meters.joined(separator: ", ")]) }
    if !keys.isEmpty { rows.append(["key", keys.joined(separator: ", ")]) }
    rows.append(["notes", "\(notes), at most \(counted(mostKeys, "key")) at once"])
    if ports > 1 { rows.append(["ports", "\(ports)"]) }
    if syllables > 0 { rows.append(["words", counted(syllables, "syllable")]) }
    if let loop { rows.append(["loop", loop.text]) }
    rows.append(["SoundFont", soundFont ?? "none was found"])
    let figures = Columns.text(rows.map { [""] + $0 })
    let remarks =
      missing + ignored.map { "no effect: \($0.text)" } + repairs
    let notes: OutputText = remarks.map { "\($0)\n" }.joined()
    return
      "\(head)\n\(figures)\n\(Columns.text(table))\(OutputText(verbatim: remarks.isEmpty ? "" : "\n"))\(notes)"
  }

  private var table: [[String]] {
    let rows = parts.flatMap { part in
      part.presets.enumerated().map { index, preset in
        let channel = ports > 1 ? "\(part.port + 1):\(part.channel + 1)" : "\(part.channel + 1)"
        let keys =
          "\(NoteName.name(UInt8(part.lowestKey)))..\(NoteName.name(UInt8(part.highestKey)))"
        return [
          index == 0 ? channel : "", "\(preset.bank):\(preset.program)",
          preset.name ?? "(silent)", "\(preset.notes)", index == 0 ? keys : "",
        ]
      }
    }
    return [["CHANNEL", "PRESET", "NAME", "NOTES", "KEYS"]] + rows
  }
}

extension Timeline {
  /// The meters of the song, in their order.
  fileprivate var meters: [String] {
    var meters: [String] = []
    let map = beatMap
    if map.isNominal { return [] }
    for frame in [0] + map.changes where frame < max(1, endFrame) {
      let signature = map.bar(at: frame).signature
      let meter = "\(signature.numerator)/\(1 << Int(signature.denominatorPower))"
      if !meters.contains(meter) { meters.append(meter) }
    }
    return meters
  }
}

extension SongKey {
  /// The name of the key, such as `F# minor`.
  fileprivate var name: String {
    let major = ["Cb", "Gb", "Db", "Ab", "Eb", "Bb", "F", "C", "G", "D", "A", "E", "B", "F#", "C#"]
    let minor = ["Ab", "Eb", "Bb", "F", "C", "G", "D", "A", "E", "B", "F#", "C#", "G#", "D#", "A#"]
    return isMinor ? "\(minor[sharps + 7]) minor" : "\(major[sharps + 7]) major"
  }
}

extension [String] {
  fileprivate var withoutRepeats: [String] {
    reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
}
