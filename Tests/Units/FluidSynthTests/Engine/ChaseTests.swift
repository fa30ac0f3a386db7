import CFluidSynth
import FluidSynthEngine
import RenderCore
import TestSupport
import Testing

/// Checks that an instrument after a chase sounds like one that received all messages.
@Suite(.timeLimit(.minutes(5))) struct ChaseTests {
  /// Plays messages on a plain FluidSynth, the reference.
  private func plain(_ messages: [ChannelMessage]) throws -> [Float] {
    let plain = try #require(PlainSynth(Fonts.timGM6mb))
    defer { withExtendedLifetime(plain) {} }
    let synth = plain.synth
    for message in messages + [Self.bendAfter] { tell(synth, message) }
    fluid_synth_noteon(synth, 2, 60, 100)
    var left = [Float](repeating: 0, count: 4000)
    var right = left
    fluid_synth_write_float(synth, 4000, &left, 0, 1, &right, 0, 1)
    return left + right
  }

  private func tell(_ synth: OpaquePointer, _ message: ChannelMessage) {
    let (data1, data2) = (Int32(message.data1), Int32(message.data2))
    switch message.kind {
    case .controlChange: fluid_synth_cc(synth, 2, data1, data2)
    case .programChange: fluid_synth_program_change(synth, 2, data1)
    case .pitchBend: fluid_synth_pitch_bend(synth, 2, Int32(message.bend))
    case .channelPressure: fluid_synth_channel_pressure(synth, 2, data1)
    case .noteOn, .noteOff, .keyPressure: break
    }
  }

  /// A bend after the chase, which makes the bend range audible.
  private static let bendAfter = ChannelMessage(.pitchBend, channel: 2, 0, 80)

  private func exact(_ messages: [ChannelMessage], _ timing: Timing) throws -> [[Float]] {
    var unit = UnitPerformance()
    for message in messages + [Self.bendAfter] {
      unit.performance.add(0, message.kind, 2, Int(message.data1), Int(message.data2))
    }
    unit.performance.add(0, .noteOn, 2, 60, 100)
    return try makeUnit(timing).play(unit, frames: 4000)
  }

  /// Returns random messages that set up a channel, including resets.
  private func history(_ numbers: inout Seeded) -> [ChannelMessage] {
    func value() -> UInt8 { UInt8.random(in: 0...127, using: &numbers) }
    func control(_ controller: UInt8, _ value: UInt8) -> ChannelMessage {
      ChannelMessage(.controlChange, channel: 2, controller, value)
    }
    return (0..<60).flatMap { _ -> [ChannelMessage] in
      switch Int.random(in: 0..<13, using: &numbers) {
      case 0: return [ChannelMessage(.programChange, channel: 2, value())]
      case 1: return [ChannelMessage(.pitchBend, channel: 2, value(), value())]
      case 2: return [ChannelMessage(.channelPressure, channel: 2, value())]
      case 3: return [control(121, 0)]
      case 4: return [control(101, 0), control(100, .random(in: 0...2, using: &numbers))]
      case 5: return [control(6, .random(in: 50...78, using: &numbers))]
      case 6: return [control(38, value())]
      case 7:
        return [control([7, 8, 10, 11, 71, 74, 91, 93].randomElement(using: &numbers)!, value())]
      // A non-registered parameter that FluidSynth does not know.
      case 8: return [control(99, 5), control(98, value())]
      // Neither switches, whose effect depends on earlier notes, nor mode messages.
      default: return [control(.random(in: 1...63, using: &numbers), value())]
      }
    }
  }

  private func settings(_ chase: InstrumentChase) -> [ChannelMessage] {
    chase.settings.compactMap { if case .channel(let message) = $0 { message } else { nil } }
  }

  @Test(arguments: 0..<48)
  func `after a chase the sound is identical to that after the whole history`(seed: UInt64) throws {
    var numbers = Seeded(seed)
    let history = history(&numbers)
    var chase = InstrumentChase()
    for message in history { chase.follow(message) }
    var difference: [ChannelMessage] = []
    chase.difference(from: InstrumentChase()) { difference.append($0) }
    let wanted = try plain(history)
    #expect(wanted.contains { $0 != 0 } || history.contains { $0.data1 == 7 || $0.data1 == 11 })
    #expect(try plain(difference) == wanted)
    #expect(try plain(settings(chase)) == wanted)
  }

  @Test(arguments: [Timing.exact, .stock])
  func `after a chase an exact instrument sounds identical to one after the whole history`(
    timing: Timing
  ) throws {
    for seed in 50..<54 {
      var numbers = Seeded(UInt64(seed))
      let history = history(&numbers)
      var chase = InstrumentChase()
      for message in history { chase.follow(message) }
      #expect(try exact(settings(chase), timing) == exact(history, timing), "\(seed)")
    }
  }
}
