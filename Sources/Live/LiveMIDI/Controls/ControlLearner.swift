package import RenderCore

/// Recognizes the control that a player moves.
package struct ControlLearner: Sendable {
  /// The control that is learned.
  package enum Wish: Equatable, Sendable {
    /// Controllers, pitch bend and channel pressure.
    case controls
    case notes
    /// Both, and program changes.
    case anything
    /// Controllers whose values are steps.
    case encoders(EncoderMode)
  }

  package enum Answer: Equatable, Sendable {
    case learned(ControlTrigger.Message)
    /// The message is of a control that may be moving. The unit must not receive it.
    case followed
    case ignored
  }

  private let wish: Wish
  private var players: [Player: Moves] = [:]

  /// A channel of a source.
  fileprivate struct Player: Hashable {
    let source: LiveInput.Source
    let channel: UInt8
  }

  /// The controls that a player has moved so far.
  fileprivate struct Moves {
    /// The first and the latest value of each controller.
    var (first, latest): ([UInt8: UInt8], [UInt8: UInt8]) = ([:], [:])
    var firstBend: UInt16?
    var firstPressure: UInt8?
    /// The last controller, and the number of its messages since another one.
    var last: UInt8?
    var run = 0
    /// The controllers with 14 bits, by the number of the upper bits.
    var pairs: [UInt8: Pair] = [:]
  }

  fileprivate struct Pair {
    /// How often one half followed the other.
    var changes = 0
    /// The first value of 14 bits.
    var first: Int?
  }

  /// The distance in steps of seven bits by which a control must move. A noisy one wavers between two values.
  fileprivate static let distance = 2

  package init(_ wish: Wish) { self.wish = wish }

  package mutating func follow(
    _ message: ChannelMessage, from source: LiveInput.Source
  ) -> Answer {
    if message.startsNote, wish == .notes || wish == .anything {
      return .learned(.note(message.data1))
    }
    if message.kind == .programChange, wish == .anything {
      return .learned(.program(message.data1))
    }
    if wish == .notes { return .ignored }
    let player = Player(source: source, channel: message.channel)
    if case .encoders(let mode) = wish {
      guard message.kind == .controlChange else { return .ignored }
      return players[player, default: Moves()].follow(encoder: message.data1, message.data2, mode)
    }
    switch message.kind {
    case .controlChange:
      return players[player, default: Moves()].follow(message.data1, message.data2)
    case .pitchBend:
      let first = players[player]?.firstBend ?? message.bend
      players[player, default: Moves()].firstBend = first
      let distance = abs(Int(message.bend) - Int(first))
      return distance >= Self.distance << 7 ? .learned(.pitchBend) : .followed
    case .channelPressure:
      let first = players[player]?.firstPressure ?? message.data1
      players[player, default: Moves()].firstPressure = first
      let distance = abs(Int(message.data1) - Int(first))
      return distance >= Self.distance ? .learned(.pressure) : .followed
    default: return .ignored
    }
  }
}

extension ControlLearner.Moves {
  /// Whether a controller can be learned: not bank select, the numbers of RPN and NRPN, and channel mode messages,
  /// which are not controls.
  private static func isControl(_ number: UInt8) -> Bool {
    number != 0 && number != 32 && !(98...101 ~= number) && number < 120
  }

  /// An encoder that was touched by accident sends a single step.
  mutating func follow(
    encoder number: UInt8, _ value: UInt8, _ mode: EncoderMode
  ) -> ControlLearner.Answer {
    guard Self.isControl(number), mode.steps(value) != 0 else { return .ignored }
    run = last == number ? run + 1 : 1
    last = number
    return run >= 2 ? .learned(.encoder(number, mode)) : .followed
  }

  mutating func follow(_ number: UInt8, _ value: UInt8) -> ControlLearner.Answer {
    guard Self.isControl(number) else { return .ignored }
    // A pedal must reach the unit, so that it is not down for ever.
    let followed = 64...69 ~= number ? ControlLearner.Answer.ignored : .followed
    let previous = last
    run = previous == number ? run + 1 : 1
    last = number
    latest[number] = value
    if number < 64, let previous, previous < 64, previous != number, previous & 31 == number & 31 {
      pairs[number & 31, default: ControlLearner.Pair()].changes += 1
    }
    // Several messages in a row of the upper half are of a controller with seven bits: the other one is another.
    let isAlone = number < 32 && run > 3
    if number < 64, !isAlone, pairs[number & 31] != nil { return follow(pair: number & 31) }
    let isFirst = first[number] == nil
    let start = first[number] ?? value
    first[number] = start
    // A button without a release always sends the same value.
    let isButton = !isFirst && value == 127 && start == 127
    let isMoved = abs(Int(value) - Int(start)) >= ControlLearner.distance
    return isMoved || isButton ? .learned(.controller(number)) : followed
  }

  /// - Parameter number: The controller of the upper bits.
  private mutating func follow(pair number: UInt8) -> ControlLearner.Answer {
    guard let coarse = latest[number], let fine = latest[number + 32], var pair = pairs[number]
    else { return .followed }
    let value = Int(coarse) << 7 | Int(fine)
    let start = pair.first ?? value
    pair.first = start
    pairs[number] = pair
    // Two controllers that were moved one after the other change once.
    let isPair = pair.changes > 1
    return isPair && abs(value - start) >= ControlLearner.distance << 7
      ? .learned(.fineController(number)) : .followed
  }
}
