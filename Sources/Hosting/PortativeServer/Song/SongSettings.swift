import Configuration
import Glibc
import LocalSystem
import MIDIFile
import NodeProtocol
import OfflineRenderer

/// How a server plays its song, other than its file says.
struct SongSettings: Equatable, Sendable {
  var tempo = SongChanges.Tempo.speed(.asWritten)
  /// In semitones.
  var transposition = 0
  /// In decibels.
  var level = 0.0
  var isClicking = false
  /// The bars that are counted in before the song.
  var countIn = 0
  /// The channels that are played in another way, by port and channel.
  var channels: [Place: Channel] = [:]

  struct Place: Hashable, Sendable {
    /// From 0.
    var port: Int
    /// 0…15.
    var channel: Int
  }

  struct Channel: Equatable, Sendable {
    var isMuted = false
    var isSoloed = false
    /// In decibels.
    var level = 0.0
    /// `nil`: what the file selects.
    var preset: PresetNumber?
  }

  /// The limits of values.
  static let levels = -60.0...12.0
  static let channelLevels = -60.0...6.0
  static let mostBars = 16
  static let transpositions = -36...36

  /// The factor of the samples.
  var factor: Float { level == 0 ? 1 : Float(pow(10, level / 20)) }

  init() {}

  /// Takes the settings of a scene's track.
  init(of track: TrackSettings, in scene: SceneSong) {
    if let tempo = scene.tempo { self.tempo = .beatsPerMinute(tempo) }
    transposition = track.transpose ?? 0
    level = track.level ?? 0
    countIn = track.countIn ?? 0
    for number in track.muted ?? [] {
      var channel = Channel()
      channel.isMuted = true
      for port in 0..<Self.mostPorts {
        channels[Place(port: port, channel: number - 1)] = channel
      }
    }
  }

  private static let mostPorts = 16

  /// The tempo in quarter notes per minute; `nil`: that of the song.
  var beatsPerMinute: Double? {
    if case .beatsPerMinute(let beats) = tempo { beats } else { nil }
  }

  /// What is played differently from the file.
  func changes(_ content: SongContent) -> SongChanges {
    var changes = SongChanges()
    if content.kind != .audio { changes.tempo = tempo }
    guard content.kind == .midi else { return changes }
    changes.transposition = transposition
    let ports = content.portCount
    // A scene may mute channels that a song does not have.
    let places = content.channels.map { Place(port: ($0.port ?? 1) - 1, channel: $0.channel - 1) }
    for (place, channel) in channels.sorted(by: { $0.key < $1.key })
    where places.contains(place) {
      let port = ports > 1 ? place.port : nil
      let number = UInt8(place.channel)
      if channel.isSoloed {
        changes.only.append(.channel(number, port: port))
      } else if channel.isMuted {
        changes.muted.append(.channel(number, port: port))
      }
      if channel.level != 0 {
        changes.levels.append(
          SongChanges.ChannelLevel(channel: number, port: port, decibels: channel.level))
      }
      if let preset = channel.preset {
        changes.programs.append(
          SongChanges.ChannelProgram(
            channel: number, port: port, bank: UInt8(preset.bank), program: UInt8(preset.program)))
      }
    }
    return changes
  }

  /// Follows a request.
  ///
  /// - Throws: ``Failure`` if a value is outside its limits, or the song has no such channel.
  mutating func follow(_ request: ChangeSong, _ content: SongContent) throws(Failure) {
    if request.tempoPercent != nil || request.tempo != nil || request.transposition != nil {
      guard content.kind != .audio else {
        throw Failure(
          .usage, "'\(content.name)' is audio, whose tempo and keys cannot be changed")
      }
    }
    if let percent = request.tempoPercent {
      guard let speed = SongSpeed(percent / 100) else {
        throw Failure(.usage, "the tempo must be 10 to 1000 percent, but is \(percent)")
      }
      tempo = .speed(speed)
    }
    if let beats = request.tempo { tempo = .beatsPerMinute(beats) }
    if let semitones = request.transposition {
      guard Self.transpositions ~= semitones else {
        throw Failure(
          .usage, "the transposition must be -36 to 36 semitones, but is \(semitones)")
      }
      transposition = semitones
    }
    if let level = request.level { self.level = try Self.check(level, in: Self.levels) }
    if let isClicking = request.isClicking { self.isClicking = isClicking }
    if let bars = request.countIn { countIn = try Self.check(countIn: bars) }
    for change in request.channels ?? [] { try follow(change, content) }
  }

  static func check(countIn bars: Int) throws(Failure) -> Int {
    guard 0...mostBars ~= bars else {
      throw Failure(.usage, "the count-in must be 0 to \(mostBars) bars, but is \(bars)")
    }
    return bars
  }

  private static func check(
    _ level: Double, in range: ClosedRange<Double>
  ) throws(Failure) -> Double {
    guard range ~= level else {
      throw Failure(
        .usage,
        "a level must be \(Int(range.lowerBound)) to \(Int(range.upperBound)) dB, but is \(level)")
    }
    return level
  }

  private mutating func follow(
    _ change: SongChannelChange, _ content: SongContent
  ) throws(Failure) {
    let known = content.channels.contains {
      $0.channel == change.channel && ($0.port ?? 1) == (change.port ?? 1)
    }
    guard known else {
      let list = content.channels.map { channel in
        (channel.port.map { "\($0):" } ?? "") + "\(channel.channel)"
      }
      throw Failure(
        .usage,
        "'\(content.name)' has no notes on channel \(change.channel): it has channels "
          + list.joined(separator: ", "))
    }
    let place = Place(port: (change.port ?? 1) - 1, channel: change.channel - 1)
    var channel = channels[place] ?? Channel()
    if let isMuted = change.isMuted { channel.isMuted = isMuted }
    if let isSoloed = change.isSoloed { channel.isSoloed = isSoloed }
    if let level = change.level {
      channel.level = try Self.check(level, in: Self.channelLevels)
    }
    if change.usesFilePreset == true { channel.preset = nil }
    if let program = change.program {
      let bank = change.bank ?? 0
      guard 0...127 ~= program, 0...127 ~= bank else {
        throw Failure(
          .usage, "a bank and a program must be 0 to 127, but are \(bank) and \(program)")
      }
      channel.preset = PresetNumber(bank: bank, program: program)
    }
    channels[place] = channel == Channel() ? nil : channel
  }
}

extension SongSettings.Place: Comparable {
  static func < (first: Self, second: Self) -> Bool {
    (first.port, first.channel) < (second.port, second.channel)
  }
}
