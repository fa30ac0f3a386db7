import MIDIFile
import RenderCore
import TestSupport

/// Returns a common sample rate, which depends on the seed.
func usualRate(_ seed: UInt64) -> Int {
  [48_000, 44_100, 96_000, 8000, 88_200, 22_050, 32_000][Int(seed % 7)]
}

/// Songs for tests.
enum Songs {
  /// Returns a song with random tempi and meters, and random notes, controllers, programs and bends on all
  /// channels.
  static func random(_ numbers: inout Seeded, ticks: UInt16? = nil, events count: Int = 400)
    -> StandardMIDIFile
  {
    let ticks = ticks ?? .random(in: 24...960, using: &numbers)
    var (tick, events) = (Int64(0), [StandardMIDIFile.Event]())
    for _ in 0..<count {
      events.append(.init(tick: tick, content(&numbers)))
      tick += Int64.random(in: 0...Int64(ticks) / 4, using: &numbers)
    }
    return StandardMIDIFile(
      format: .singleTrack, division: .ticksPerQuarter(ticks),
      tracks: [.init(events, endTick: tick)])
  }

  private static func content(_ numbers: inout Seeded) -> StandardMIDIFile.Content {
    func data() -> UInt8 { .random(in: 0...127, using: &numbers) }
    let channel = UInt8.random(in: 0...15, using: &numbers)
    switch Int.random(in: 0..<14, using: &numbers) {
    case 0: return .meta(.tempo(.random(in: 200_000...1_500_000, using: &numbers)))
    case 1:
      return .meta(
        .timeSignature(
          TimeSignature(
            numerator: .random(in: 1...13, using: &numbers),
            denominatorPower: .random(in: 0...4, using: &numbers))!))
    case 2: return .channel(ChannelMessage(.controlChange, channel: channel, data(), data()))
    case 3:
      // Controllers with special semantics are more frequent.
      let controller: UInt8 = [0, 6, 7, 32, 38, 64, 98, 100, 101, 121].randomElement(
        using: &numbers)!
      let value = controller >= 100 ? UInt8.random(in: 0...6, using: &numbers) / 2 : data()
      return .channel(ChannelMessage(.controlChange, channel: channel, controller, value))
    case 4: return .channel(ChannelMessage(.programChange, channel: channel, data()))
    case 5: return .channel(ChannelMessage(.pitchBend, channel: channel, data(), data()))
    case 6...9: return .channel(ChannelMessage(.noteOn, channel: channel, data(), data()))
    default: return .channel(ChannelMessage(.noteOff, channel: channel, data(), data()))
    }
  }

  /// Returns a song without channel events.
  static func silent(
    _ division: Division = .ticksPerQuarter(480), _ metas: [(Int64, MetaEvent)] = []
  ) -> StandardMIDIFile {
    StandardMIDIFile(
      format: .singleTrack, division: division,
      tracks: [.init(metas.map { .init(tick: $0.0, .meta($0.1)) })])
  }
}
