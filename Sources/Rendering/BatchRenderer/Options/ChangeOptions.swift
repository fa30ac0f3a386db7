import RenderCore
import Configuration
import LocalSystem
import MIDIFile
import OfflineRenderer

/// The options that change how a song is played.
extension SongOptions {
  static let changes: [OptionTable<SongOptions>.Row] = [
    .init(
      names: ["--transpose"], value: "N",
      help: "play N semitones higher, or lower if negative;\ndrums excepted"
    ) {
      $0.changes.transposition = try OptionValue.whole($1, of: "--transpose", in: -127...127)
    },
    .init(
      names: ["--tempo"], value: "SPEED",
      help: "play faster or slower: a factor from 0.1 to 10, a\n"
        + "percentage as 80%, or a tempo as 96bpm"
    ) { $0.changes.tempo = try SongChanges.Tempo($1) },
    .init(
      names: ["--only"], value: "PARTS",
      help: "play only some parts: channels as 1, of a port as\n"
        + "2:10, tracks as track:3, or words in the names of\nGeneral MIDI instruments and tracks, as piano or\n"
        + "drums; several with commas"
    ) { $0.changes.only = try SongPart.list($1, of: "--only") },
    .init(
      names: ["--mute"], value: "PARTS", help: "do not play some parts, named as for --only"
    ) { $0.changes.muted = try SongPart.list($1, of: "--mute") },
    .init(
      names: ["--program"], value: "CH=PRESET",
      help: "play another preset on a channel: 1=0:40, which is\n"
        + "bank:program, or 1=violin, a General MIDI name;\nseveral with commas"
    ) {
      $0.changes.programs = try $1.listed { (word) throws(Failure) in try .init(word) }
    },
    .init(
      names: ["--pan"], value: "CH=N",
      help:
        "move a channel to the right by N, or to the left if\nnegative: 1=-20,2=20; 64 is from middle to side"
    ) {
      $0.changes.pans = try $1.listed { (word) throws(Failure) in try .init(word) }
    },
    .init(
      names: ["--velocity"], value: "CURVE",
      help: "change how hard notes are struck: a factor from 0.1\n"
        + "to 10, soft or hard as for keyboards, or =N, one\nvelocity for all"
    ) { $0.changes.velocity = try SongChanges.Velocity($1) },
    .init(
      names: ["--drop"], value: "FRACTION",
      help: "leave out each note with this probability, 0 to 1,\nas --seed says"
    ) { $0.changes.variation.drop = try OptionValue.number($1, of: "--drop", in: 0...1) },
    .init(
      names: ["--jitter"], value: "SECONDS",
      help: "begin each note up to this much earlier or later,\n0 to 1, as --seed says"
    ) { $0.changes.variation.jitter = try OptionValue.number($1, of: "--jitter", in: 0...1) },
    .init(
      names: ["--seed"], value: "N",
      help: "what --drop and --jitter choose: the same for the\nsame number (0)"
    ) {
      $0.changes.variation.seed = UInt64(try OptionValue.whole($1, of: "--seed", in: 0...Int.max))
    },
    .init(
      names: ["--from"], value: "TIME",
      help: "begin at TIME of the song: 83.5, 1:23.5, or bar12\nor bar12:3, its third beat"
    ) { $0.start = try RenderSettings.Position($1, of: "--from") },
    .init(
      names: ["--to"], value: "TIME", help: "end at TIME of the song; bar17 is its beginning"
    ) { $0.end = try RenderSettings.Position($1, of: "--to") },
    .init(
      names: ["--lead"], value: "SECONDS",
      help:
        "begin reverb and chorus only SECONDS before --from,\n0 to 3600, and skip notes that end before: a late\npart takes less time"
    ) { $0.lead = try OptionValue.number($1, of: "--lead", in: 0...3600) },
    .init(
      names: ["--fade-in"], value: "SECONDS", help: "rise from silence in the first SECONDS"
    ) { $0.fadeIn = try OptionValue.number($1, of: "--fade-in", in: 0...3600) },
    .init(
      names: ["--fade-out"], value: "SECONDS",
      help: "fall to silence in the last SECONDS, and end there"
    ) { $0.fadeOut = try OptionValue.number($1, of: "--fade-out", in: 0...3600) },
  ]
}

extension SongChanges.Tempo {
  /// - Throws: ``Failure/Kind/usage``.
  init(_ text: String) throws(Failure) {
    func number(without ending: String) -> Double? {
      guard text.lowercased().hasSuffix(ending) else { return nil }
      return OptionValue.plainNumber(String(text.dropLast(ending.count)))
    }
    if let tempo = number(without: "bpm"), (1...10_000).contains(tempo) {
      self = .beatsPerMinute(tempo)
    } else if let factor = number(without: "%").map({ $0 / 100 }) ?? OptionValue.plainNumber(text),
      let speed = SongSpeed(factor)
    {
      self = .speed(speed)
    } else {
      let isTempo = OptionValue.plainNumber(text).map { $0 > 10 } ?? false
      throw .usage(
        "--tempo must be a factor from 0.1 to 10, a percentage as 80% or a tempo as 96bpm, "
          + "but was '\(text)'" + (isTempo ? ": write \(text)bpm for a tempo" : ""))
    }
  }
}

extension SongPart {
  /// - Throws: ``Failure/Kind/usage``.
  static func list(_ text: String, of option: String) throws(Failure) -> [SongPart] {
    try text.listed { (word) throws(Failure) in try part(word, of: option) }
  }

  private static func part(_ text: String, of option: String) throws(Failure) -> SongPart {
    if text.isEmpty {
      throw .usage("\(option) has an empty name: name channels, tracks or instruments")
    }
    if text.lowercased().hasPrefix("track:") {
      guard let track = Int(text.dropFirst(6)), track >= 1 else {
        throw .usage("\(option): a track is named as track:3, but was '\(text)'")
      }
      return .track(track - 1)
    }
    if let channel = try PartChannel(text, of: option) {
      return .channel(channel.channel, port: channel.port)
    }
    return .named(text)
  }
}

/// A channel as `10`, or as `2:10` with its port.
package struct PartChannel: Equatable, Sendable {
  /// 0…15.
  package var channel: UInt8
  /// The index of the port; `nil`: that channel of each port.
  package var port: Int?

  /// - Returns: `nil` if the text is not a number.
  init?(_ text: String, of option: String) throws(Failure) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Int($0) }
    guard numbers.count == parts.count, numbers.count <= 2, let channel = numbers.last else {
      return nil
    }
    guard 1...16 ~= channel, numbers.count == 1 || 1...256 ~= numbers[0] else {
      throw .usage(
        "\(option): a channel is 1 to 16, or 2:10 for that of a port, but was '\(text)'")
    }
    self.channel = UInt8(channel - 1)
    port = numbers.count == 2 ? numbers[0] - 1 : nil
  }

  /// Reads a channel and what is set for it, as in `1=violin`.
  ///
  /// - Parameter usage: What the option must be, for the message.
  static func assignment(
    _ text: String, of option: String, _ usage: String
  ) throws(Failure) -> (channel: PartChannel, value: String) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      .map(String.init)
    guard parts.count == 2, let channel = try PartChannel(parts[0], of: option) else {
      throw .usage("\(option) must be \(usage), but was '\(text)'")
    }
    return (channel, parts[1])
  }
}

extension SongChanges.ChannelProgram {
  /// - Throws: ``Failure/Kind/usage``.
  fileprivate init(_ text: String) throws(Failure) {
    let (channel, name) = try PartChannel.assignment(
      text, of: "--program", "a channel and a preset as 1=0:40 or 1=violin")
    let preset = try Self.preset(name)
    self.init(
      channel: channel.channel, port: channel.port, bank: preset.bank, program: preset.program)
  }

  private static func preset(_ text: String) throws(Failure) -> (bank: UInt8, program: UInt8) {
    let numbers = text.split(separator: ":", omittingEmptySubsequences: false).map { UInt8($0) }
    let values = numbers.compactMap { $0 }
    if values.count == numbers.count, values.allSatisfy({ $0 < 128 }) {
      if values.count == 1 { return (0, values[0]) }
      if values.count == 2 { return (values[0], values[1]) }
    }
    guard numbers.allSatisfy({ $0 == nil }), !text.isEmpty else {
      throw .usage(
        "--program: a preset is a program from 0 to 127, or bank:program, but was '\(text)'")
    }
    let names = GeneralMIDI.programs
    let search = NameSearch(
      "General MIDI instrument", names: names, labels: names,
      hint: "name a program as 0:40")
    let wanted = text.lowercased()
    do throws(Failure) {
      let index = try search.index(of: text) {
        names.indices.filter { names[$0].lowercased().contains(wanted) }
      }
      return (0, UInt8(index))
    } catch {
      throw Failure(error.kind, "--program: \(error.message)")
    }
  }
}

extension SongChanges.ChannelPan {
  /// - Throws: ``Failure/Kind/usage``.
  fileprivate init(_ text: String) throws(Failure) {
    let (channel, number) = try PartChannel.assignment(
      text, of: "--pan", "a channel and a number as 1=-20")
    let shift = try OptionValue.whole(number, of: "--pan", in: -127...127)
    self.init(channel: channel.channel, port: channel.port, shift: shift)
  }
}

extension SongChanges.Velocity {
  /// - Throws: ``Failure/Kind/usage``.
  init(_ text: String) throws(Failure) {
    switch text {
    case "linear": self = .linear
    case "soft": self = .soft
    case "hard": self = .hard
    default:
      if text.hasPrefix("="), let velocity = UInt8(text.dropFirst()), 1...127 ~= velocity {
        self = .fixed(velocity)
      } else if let factor = OptionValue.plainNumber(text), (0.1...10).contains(factor) {
        self = .factor(factor)
      } else {
        throw .usage(
          "--velocity must be a factor from 0.1 to 10, linear, soft, hard, or =1 to =127, "
            + "but was '\(text)'")
      }
    }
  }
}

extension RenderSettings.Position {
  /// - Throws: ``Failure/Kind/usage``.
  init(_ text: String, of option: String) throws(Failure) {
    guard text.lowercased().hasPrefix("bar") else {
      self = .seconds(try OptionValue.time(text, of: option))
      return
    }
    let numbers = text.dropFirst(3).split(separator: ":", omittingEmptySubsequences: false)
      .map { Int($0) ?? 0 }
    guard 1...2 ~= numbers.count, numbers.allSatisfy({ 1...1_000_000 ~= $0 }) else {
      throw .usage("\(option): a bar is named as bar12, or bar12:3 for a beat, but was '\(text)'")
    }
    self = .bar(numbers[0], beat: numbers.count == 2 ? numbers[1] : 1)
  }
}

extension RenderSettings.Position: CustomStringConvertible {
  package var description: String {
    switch self {
    case .seconds(let seconds): timeText(seconds)
    case .bar(let bar, 1): "bar\(bar)"
    case .bar(let bar, let beat): "bar\(bar):\(beat)"
    }
  }

  /// Whether a position is later than another, as far as that is known without the song.
  func isAfter(_ other: Self) -> Bool {
    switch (self, other) {
    case (.seconds(let a), .seconds(let b)): a > b
    case (.bar(let a, let x), .bar(let b, let y)): (a, x) > (b, y)
    case (.seconds, .bar), (.bar, .seconds): true
    }
  }
}

extension String {
  /// Reads the words of a list with commas; spaces around a word do not count.
  func listed<Element>(
    _ read: (String) throws(Failure) -> Element
  ) throws(Failure) -> [Element] {
    var elements: [Element] = []
    for word in split(separator: ",", omittingEmptySubsequences: false) {
      var word = word.drop { $0 == " " }
      while word.last == " " { word.removeLast() }
      elements.append(try read(String(word)))
    }
    return elements
  }
}
