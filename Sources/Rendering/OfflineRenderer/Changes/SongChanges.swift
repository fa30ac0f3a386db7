import Glibc
package import MIDIFile
import RenderCore

/// What is played differently from a song's file. ``Timeline/changed(by:style:)`` applies it.
package struct SongChanges: Equatable, Sendable {
  /// Semitones by which notes are moved, except those of rhythm parts.
  package var transposition = 0
  package var tempo = Tempo.speed(.asWritten)
  /// The parts whose notes are played; empty: all parts.
  package var only: [SongPart] = []
  /// The parts whose notes are not played.
  package var muted: [SongPart] = []
  /// What channels play instead of the programs and banks of the file.
  package var programs: [ChannelProgram] = []
  /// By how much the volumes of channels differ from those of the file.
  package var levels: [ChannelLevel] = []
  /// By how much the pans of channels differ from those of the file.
  package var pans: [ChannelPan] = []
  package var velocity = Velocity.linear
  package var variation = NoteVariation()

  package init() {}

  package enum Tempo: Equatable, Sendable {
    case speed(SongSpeed)
    /// The tempo of the first note, in quarter notes per minute; all others in proportion.
    case beatsPerMinute(Double)
  }

  /// How hard notes are struck, compared with the file.
  package enum Velocity: Equatable, Sendable {
    case linear, soft, hard
    case factor(Double)
    /// One velocity for all notes: 1…127.
    case fixed(UInt8)

    var curve: VelocityCurve {
      switch self {
      case .linear: .linear
      case .soft: .soft
      case .hard: .hard
      case .factor(let factor): VelocityCurve(factor: factor)
      case .fixed(let velocity): VelocityCurve(points: [(velocity, velocity)])
      }
    }
  }

  /// A preset for a channel, or for the rhythm part that plays it.
  package struct ChannelProgram: ChannelChange {
    /// 0…15.
    package var channel: UInt8
    /// The index of the port; `nil`: that channel of each port.
    package var port: Int?
    /// 0…127; rhythm parts keep their bank.
    package var bank: UInt8
    /// 0…127.
    package var program: UInt8

    package init(channel: UInt8, port: Int? = nil, bank: UInt8, program: UInt8) {
      self.channel = channel
      self.port = port
      self.bank = bank
      self.program = program
    }
  }

  /// A change of the volume (controller 7) of a channel, as far as that reaches.
  package struct ChannelLevel: ChannelChange {
    /// 0…15.
    package var channel: UInt8
    /// The index of the port; `nil`: that channel of each port.
    package var port: Int?
    package var decibels: Double

    package init(channel: UInt8, port: Int? = nil, decibels: Double) {
      (self.channel, self.port, self.decibels) = (channel, port, decibels)
    }

    /// Returns the volume for one of the file. In General MIDI, twice the volume is 12 dB louder.
    func volume(_ written: UInt8) -> UInt8 {
      UInt8(max(0, min(127, (Double(written) * pow(10, decibels / 40)).rounded())))
    }
  }

  /// A change of the pan (controller 10) of a channel, as far as that reaches.
  package struct ChannelPan: ChannelChange {
    /// 0…15.
    package var channel: UInt8
    /// The index of the port; `nil`: that channel of each port.
    package var port: Int?
    /// −127…127; 64 is from the middle to one side, to the right if positive.
    package var shift: Int

    package init(channel: UInt8, port: Int? = nil, shift: Int) {
      (self.channel, self.port, self.shift) = (channel, port, shift)
    }

    /// Returns the pan for one of the file.
    func pan(_ written: UInt8) -> UInt8 { UInt8(max(0, min(127, Int(written) + shift))) }
  }

  /// Whether messages are changed.
  var changesMessages: Bool {
    transposition != 0 || !only.isEmpty || !muted.isEmpty || !programs.isEmpty
      || !levels.isEmpty || !pans.isEmpty || velocity != .linear || !variation.isNothing
  }

  /// Returns the speed at which a song is played.
  ///
  /// - Throws: ``RenderError/change(_:)`` if it is out of range, or if the song has no tempo.
  func speed(of song: borrowing StandardMIDIFile) throws(RenderError) -> SongSpeed {
    switch tempo {
    case .speed(let speed): return speed
    case .beatsPerMinute(let tempo):
      guard let first = song.firstTempo else {
        throw .change("its ticks are fractions of time code, which have no tempo: name a factor")
      }
      let written = 60_000_000 / Double(first)
      if let speed = SongSpeed(tempo / written) { return speed }
      throw .change(
        "its tempo is \(brief(written)), and can be changed to \(brief(written / 10)) to \(brief(written * 10))"
      )
    }
  }
}

/// A change of a channel of one port, or of each port.
package protocol ChannelChange: Equatable, Sendable {
  /// 0…15.
  var channel: UInt8 { get }
  /// The index of the port; `nil`: that channel of each port.
  var port: Int? { get }
}

extension Array where Element: ChannelChange {
  /// The last change of a channel, which replaces those before.
  func last(of channel: UInt8, _ port: UInt8) -> Element? {
    last { $0.channel == channel && ($0.port ?? Int(port)) == Int(port) }
  }
}

/// Some of a song's notes, as a user names them.
package enum SongPart: Equatable, Sendable {
  /// A channel, 0…15, of the port of that index; `nil`: of each port.
  case channel(UInt8, port: Int?)
  /// The index of a track.
  case track(Int)
  /// A part of the name of a General MIDI instrument or of a track, in any case; `drums` are the rhythm parts.
  case named(String)
}

extension SongPart: CustomStringConvertible {
  package var description: String {
    switch self {
    case .channel(let channel, nil): "channel \(channel + 1)"
    case .channel(let channel, let port?): "channel \(port + 1):\(channel + 1)"
    case .track(let track): "track \(track + 1)"
    case .named(let name): "'\(name)'"
    }
  }
}

extension SongChanges.ChannelProgram: CustomStringConvertible {
  package var description: String {
    (port.map { "\($0 + 1):" } ?? "") + "\(channel + 1)=\(bank):\(program)"
  }
}

extension SongChanges.ChannelPan: CustomStringConvertible {
  package var description: String {
    (port.map { "\($0 + 1):" } ?? "") + "\(channel + 1)=\(shift)"
  }
}

/// A number without needless digits.
private func brief(_ number: Double) -> String {
  let hundredths = Int((number * 100).rounded())
  let (whole, rest) = hundredths.quotientAndRemainder(dividingBy: 100)
  if rest == 0 { return "\(whole)" }
  return "\(whole)." + (rest < 10 ? "0\(rest)" : rest % 10 == 0 ? "\(rest / 10)" : "\(rest)")
}
