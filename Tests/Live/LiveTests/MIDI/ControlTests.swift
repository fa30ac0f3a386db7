import LiveMIDI
import RenderCore
import Testing

private func controller(_ number: UInt8, _ value: UInt8, channel: UInt8 = 0) -> ChannelMessage {
  ChannelMessage(.controlChange, channel: channel, number, value)
}

private func bend(_ value: Int) -> ChannelMessage {
  ChannelMessage(.pitchBend, channel: 0, UInt8(value & 127), UInt8(value >> 7))
}

/// Tests of what the messages of a control mean.
@Suite(.timeLimit(.minutes(5))) struct ControlReaderTests {
  private var reader = ControlReader()

  /// Returns the last position.
  private mutating func position(
    _ trigger: ControlTrigger.Message, _ messages: ChannelMessage...
  ) -> Double? {
    var last: ControlReading?
    for message in messages { last = reader.follow(message, of: trigger) ?? last }
    guard case .position(let position) = last else { return nil }
    return position
  }

  @Test mutating func `both ends of each control are exactly 0 and 1`() {
    #expect(position(.controller(21), controller(21, 0)) == 0)
    #expect(position(.controller(21), controller(21, 127)) == 1)
    #expect(position(.pitchBend, bend(0)) == 0)
    #expect(position(.pitchBend, bend(8192)) == 0.5)
    #expect(position(.pitchBend, bend(16383)) == 1)
    let pressure = ChannelMessage(.channelPressure, channel: 0, 127)
    #expect(position(.pressure, pressure) == 1)
  }

  @Test(arguments: [true, false])
  func `the halves of a 14-bit controller come in any order`(startsWithUpper: Bool) {
    for value in [0, 1, 127, 128, 8191, 8192, 16383, 5000, 0] {
      var reader = ControlReader()
      let halves = [controller(21, UInt8(value >> 7)), controller(53, UInt8(value & 127))]
      var last: ControlReading?
      for message in startsWithUpper ? halves : halves.reversed() {
        last = reader.follow(message, of: .fineController(21)) ?? last
      }
      #expect(last == .position(Double(value) / 16383))
    }
  }

  @Test mutating func `a controller of which only the upper half comes reaches both ends`() {
    #expect(position(.fineController(21), controller(21, 127)) == 1)
    #expect(position(.fineController(21), controller(21, 0)) == 0)
    #expect(position(.fineController(21), controller(53, 9)) != 0)
  }

  @Test(arguments: [
    (EncoderMode.twosComplement, [(1, 1), (63, 63), (127, -1), (65, -63), (64, -64), (0, 0)]),
    (.offset, [(65, 1), (127, 63), (63, -1), (0, -64), (64, 0)]),
    (.signMagnitude, [(1, 1), (63, 63), (65, -1), (127, -63), (0, 0), (64, 0)]),
  ])
  func `an encoder's values are steps`(mode: EncoderMode, values: [(UInt8, Int)]) {
    var reader = ControlReader()
    for (value, steps) in values {
      let reading = reader.follow(controller(16, value), of: .encoder(16, mode))
      #expect(reading == (steps == 0 ? nil : .steps(steps)), "\(value)")
    }
    // Each value has an opposite, except the ends.
    for value in UInt8(0)..<128 where abs(mode.steps(value)) < 64 {
      #expect((UInt8(0)..<128).contains { mode.steps($0) == -mode.steps(value) })
    }
  }

  @Test mutating func `a key is pressed once, and its end means nothing`() {
    #expect(
      reader.follow(ChannelMessage(.noteOn, channel: 0, 36, 1), of: .note(36)) == .press)
    #expect(reader.follow(ChannelMessage(.noteOn, channel: 0, 36, 0), of: .note(36)) == nil)
    #expect(reader.follow(ChannelMessage(.noteOff, channel: 0, 36, 9), of: .note(36)) == nil)
  }

  @Test mutating func `a button is pressed once, also if it sends no release`() {
    let presses = [0, 0.3, 0.6, 0.9, 1, 1, 1, 0, 1, 0.2].map { reader.isPress($0) }
    #expect(
      presses == [false, false, true, false, false, true, true, false, true, false])
  }

  @Test func `a trigger includes its message, channel and keyboard, and no others`() {
    var trigger = ControlTrigger(.fineController(21), channel: 3, keyboard: "Launch*")
    #expect(trigger.includes(controller(21, 5, channel: 3)))
    #expect(trigger.includes(controller(53, 5, channel: 3)))
    #expect(!trigger.includes(controller(21, 5, channel: 2)))
    #expect(!trigger.includes(controller(22, 5, channel: 3)))
    #expect(trigger.includes(keyboard: "launchkey mini"))
    #expect(!trigger.includes(keyboard: "Other") && !trigger.includes(keyboard: nil))
    trigger.channel = nil
    #expect((UInt8(0)..<16).allSatisfy { trigger.includes(controller(21, 5, channel: $0)) })
    // A learned name is not a pattern.
    trigger.keyboard = "Keys [2]*"
    #expect(trigger.includes(keyboard: "Keys [2]*"))
    #expect(ControlTrigger(.pitchBend).includes(keyboard: nil))
  }
}

/// Tests of the values of a control.
@Suite(.timeLimit(.minutes(5))) struct ControlRangeTests {
  private let room = Parameter("room", "Room", 0...1, default: 0.2)
  private let tone = Parameter("tone", "Tone", 200...20_000, default: 6000, scale: .logarithmic)
  private let kind = Parameter(choice: "kind", "Kind", of: ["a", "b", "c", "d", "e"], default: 0)

  @Test func `the ends have exactly the values that were given, in both directions`() {
    for (from, to) in [(Float(0.1), Float(0.7)), (0.7, 0.1), (0, 1), (1, 0)] {
      let range = ControlRange(room, from: from, to: to)
      #expect(range.value(at: 0) == from && range.value(at: 1) == to)
      let values = (0...127).map { range.value(at: Double($0) / 127) }
      #expect(values == values.sorted(by: from < to ? (<) : (>)))
      #expect(Set(values).count == 128)
    }
    #expect(ControlRange(tone).value(at: 0) == 200 && ControlRange(tone).value(at: 1) == 20_000)
    #expect(abs(ControlRange(tone).value(at: 0.5) - 2000) < 0.01)
  }

  @Test func `a value out of the parameter's range is limited`() {
    let range = ControlRange(room, from: -5, to: 9)
    #expect(range.from == 0 && range.to == 1)
  }

  @Test func `each named value has the same share of the control`() {
    for (from, to) in [(Float(0), Float(4)), (4, 0), (1, 3)] {
      let range = ControlRange(kind, from: from, to: to)
      let values = (0...127).map { range.value(at: Double($0) / 127) }
      let counts = Dictionary(grouping: values, by: { $0 }).mapValues(\.count)
      #expect(counts.count == Int(abs(to - from)) + 1)
      #expect(counts.values.max()! - counts.values.min()! <= 1)
      #expect(values.first == from && values.last == to)
    }
    let toggle = ControlRange(Parameter(toggle: "on", "On", default: false))
    #expect(toggle.value(at: 63.0 / 127) == 0 && toggle.value(at: 64.0 / 127) == 1)
  }

  @Test func `the position of a value is where the control gives it`() {
    for range in [
      ControlRange(room, from: 0.2, to: 0.8), ControlRange(room, from: 0.8, to: 0.2),
      ControlRange(tone), ControlRange(tone, from: 9000, to: 300),
    ] {
      for number in 0...127 {
        let position = Double(number) / 127
        #expect(abs(range.position(of: range.value(at: position)) - position) < 1e-5)
      }
    }
    for number in 0...4 {
      let range = ControlRange(kind, from: 4, to: 0)
      #expect(range.value(at: range.position(of: Float(number))) == Float(number))
    }
    #expect(ControlRange(room, from: 0.2, to: 0.8).position(of: 1) == 1)
  }

  @Test func `a key steps through named values, and exchanges the ends of others`() {
    let down = ControlRange(kind, from: 3, to: 1)
    #expect([3, 2, 1].map { down.next(after: $0) } == [2, 1, 3])
    // From a value that the control does not have.
    #expect(down.next(after: 0) == 1)
    let range = ControlRange(room, from: 0.1, to: 0.9)
    #expect([0.1, 0.9, 0.5].map { range.next(after: $0) } == [0.9, 0.1, 0.9])
  }
}

/// Tests of pick-up.
@Suite(.timeLimit(.minutes(5))) struct ControlFollowerTests {
  private let range = ControlRange(Parameter("room", "Room", 0...1, default: 0.2))

  /// Moves a control of a parameter.
  ///
  /// - Returns: The parameter's values.
  private func move(
    _ follower: inout ControlFollower, _ positions: [Double], from present: Float,
    in range: ControlRange? = nil, picksUp: Bool = true
  ) -> [Float] {
    var present = present
    return positions.map { position in
      present =
        follower.value(
          at: position, in: range ?? self.range, present: present, picksUp: picksUp) ?? present
      return present
    }
  }

  @Test func `the parameter follows after the control has passed its value, in both directions`() {
    var follower = ControlFollower()
    #expect(move(&follower, [0.1, 0.3, 0.4, 0.7, 0.2], from: 0.5) == [0.5, 0.5, 0.5, 0.7, 0.2])
    follower = ControlFollower()
    #expect(move(&follower, [0.9, 0.6, 0.3, 0.8], from: 0.5) == [0.5, 0.5, 0.3, 0.8])
  }

  @Test func `an inverted control is picked up in both directions`() {
    let inverted = ControlRange(
      Parameter("room", "Room", 0...1, default: 0.2), from: 1, to: 0)
    var follower = ControlFollower()
    let values = move(&follower, [0, 0.25, 0.5, 1], from: 0.625, in: inverted)
    #expect(values == [0.625, 0.625, 0.5, 0])
  }

  @Test func `after an outside change the control must pass the new value`() {
    var follower = ControlFollower()
    #expect(move(&follower, [0.4, 0.6], from: 0.5) == [0.5, 0.6])
    #expect(move(&follower, [0.7, 0.8], from: 0.1) == [0.1, 0.1])
    #expect(move(&follower, [0.05, 0.3], from: 0.1) == [0.05, 0.3])
  }

  @Test func `a control that is next to the value follows at once`() {
    var follower = ControlFollower()
    #expect(move(&follower, [0.506], from: 0.5) == [0.506])
  }

  @Test func `without pick-up the value jumps`() {
    var follower = ControlFollower()
    #expect(move(&follower, [0.9], from: 0.1, picksUp: false) == [0.9])
  }

  @Test func `a value out of the control's range is picked up at the nearer end`() {
    let narrow = ControlRange(
      Parameter("room", "Room", 0...1, default: 0.2), from: 0, to: 0.5)
    var follower = ControlFollower()
    #expect(move(&follower, [0, 0.9, 1, 0.8], from: 0.75, in: narrow) == [0.75, 0.75, 0.5, 0.4])
  }
}

/// Tests of how a moved control is recognized.
@Suite(.timeLimit(.minutes(5))) struct ControlLearnerTests {
  private let keys = LiveInput.Source(1)

  /// Returns what is learned, and after how many messages.
  private func learn(
    _ messages: [ChannelMessage], _ wish: ControlLearner.Wish = .controls
  ) -> (ControlTrigger.Message, Int)? {
    var learner = ControlLearner(wish)
    for (index, message) in messages.enumerated() {
      if case .learned(let trigger) = learner.follow(message, from: keys) {
        return (trigger, index + 1)
      }
    }
    return nil
  }

  @Test func `a controller is learned when it has moved, not when it wavers`() throws {
    #expect(learn([controller(21, 60), controller(21, 61), controller(21, 60)]) == nil)
    let moved = try #require(learn([60, 61, 62, 63].map { controller(21, $0) }))
    #expect(moved == (.controller(21), 3))
  }

  @Test func `a button is learned, also without a release`() throws {
    #expect(try #require(learn([127, 0].map { controller(80, $0) })) == (.controller(80), 2))
    #expect(try #require(learn([127, 127].map { controller(80, $0) })) == (.controller(80), 2))
  }

  @Test(arguments: [true, false])
  func `14 bits are learned when both halves have come`(startsWithUpper: Bool) throws {
    let messages = stride(from: 5000, to: 9000, by: 300).flatMap { value in
      let halves = [controller(21, UInt8(value >> 7)), controller(53, UInt8(value & 127))]
      return startsWithUpper ? halves : halves.reversed()
    }
    #expect(try #require(learn(messages)).0 == .fineController(21))
  }

  @Test func `14 bits are learned also if an unchanged upper half is left out`() throws {
    let messages =
      [controller(21, 64), controller(53, 10)]
      + [30, 60, 90, 120].map { controller(53, $0) }
      + [controller(21, 65), controller(53, 20), controller(21, 66), controller(53, 0)]
    #expect(try #require(learn(messages)).0 == .fineController(21))
  }

  @Test func `two knobs whose numbers differ by 32 are not one`() throws {
    let messages =
      [controller(53, 10)] + [40, 42, 44, 46, 48, 50].map { controller(21, $0) }
    #expect(try #require(learn(messages)).0 == .controller(21))
  }

  @Test func `what is not a control is not learned`() {
    for number: UInt8 in [0, 32, 98, 99, 100, 101, 120, 121, 123, 127] {
      #expect(learn([0, 127, 0, 127].map { controller(number, $0) }) == nil)
    }
    let note = ChannelMessage(.noteOn, channel: 0, 60, 100)
    #expect(learn([note, ChannelMessage(.programChange, channel: 0, 5)]) == nil)
    #expect(learn([note], .notes)! == (.note(60), 1))
    #expect(learn([0, 127].map { controller(21, $0) }, .notes) == nil)
    #expect(learn([note], .anything)! == (.note(60), 1))
  }

  @Test func `two keyboards or channels that send one value each have not moved a control`() {
    var learner = ControlLearner(.controls)
    #expect(learner.follow(controller(21, 0), from: keys) == .followed)
    #expect(learner.follow(controller(21, 99), from: LiveInput.Source(2)) == .followed)
    #expect(learner.follow(controller(21, 50, channel: 4), from: keys) == .followed)
    #expect(
      learner.follow(controller(21, 40), from: LiveInput.Source(2)) == .learned(.controller(21)))
  }

  @Test func `pitch bend and pressure are learned`() throws {
    #expect(try #require(learn([bend(8192), bend(8300), bend(9000)])) == (.pitchBend, 3))
    let pressures = [UInt8(1), 40].map { ChannelMessage(.channelPressure, channel: 0, $0) }
    #expect(try #require(learn(pressures)) == (.pressure, 2))
  }
}
