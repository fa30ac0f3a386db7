import FluidSynthEngine
import Foundation
import RenderCore
import Testing

@Suite(.timeLimit(.minutes(5))) struct MultiSynthSourceTests {
  @Test(arguments: [1, 3, 33, 35, 64])
  func `other numbers of channels are refused`(channels: Int) throws {
    let error = #expect(throws: FormatError.self) {
      try MultiSynthPlayer().unit(channels: channels)
    }
    #expect(error?.description == "outputChannels must be 34, but is \(channels)")
  }

  @Test func `an unsupported rate is refused`() throws {
    let error = #expect(throws: FormatError.self) {
      try MultiSynthPlayer(rate: 192_000).unit(channels: 34)
    }
    #expect(error?.description == "sampleRate must be 8000 to 96000, but is 192000")
  }

  @Test(arguments: Timing.allCases)
  func `parameters, presets and tail are those of the stereo unit`(timing: Timing) throws {
    let player = MultiSynthPlayer(timing: timing)
    let (apart, stereo) = (try player.unit(channels: 34), try player.unit(channels: 2))
    #expect(apart.parameters?.tree == stereo.parameters?.tree)
    #expect(apart.presets == stereo.presets && apart.presets.count > 100)
    #expect(apart.tail == stereo.tail && apart.tail != nil)
    #expect(apart.save() == stereo.save())
  }

  @Test(arguments: Timing.allCases)
  func `a state that one unit saves makes the other sound the same`(timing: Timing) throws {
    let player = MultiSynthPlayer(timing: timing)
    var settling = UnitPerformance()
    for channel in 0..<16 {
      settling.performance.add(channel, .programChange, channel, 3 * channel)
      settling.performance.add(100 + channel, .controlChange, channel, 7, 127 - 5 * channel)
      settling.performance.add(200 + channel, .pitchBend, channel, 0, 40 + channel)
    }
    var notes = UnitPerformance()
    for channel in 0..<16 {
      notes.performance.note(64 * channel, channel, 50 + channel, 100, length: 5000)
    }
    for (from, to) in [(34, 2), (2, 34)] {
      let first = try player.unit(channels: from)
      _ = first.play(settling, frames: 1024, channels: from)
      let second = try player.unit(channels: to)
      try second.restore(first.save())
      _ = second.play(UnitPerformance(), frames: 1024, channels: to)
      #expect(second.save() == first.save())
      let played = first.play(notes, frames: 12_000, channels: from)
      let restored = second.play(notes, frames: 12_000, channels: to)
      let (apart, stereo) = from == 34 ? (played, restored) : (restored, played)
      #expect(rounding(apart, stereo) <= roundingLimit)
      #expect(apart.allSatisfy { $0.contains { abs($0) > 1e-4 } })
    }
  }

  @Test(arguments: Timing.allCases)
  func `preset parameters and program changes select the first channel's preset`(
    timing: Timing
  ) throws {
    func play(_ before: (inout UnitPerformance) -> Void) throws -> [[Float]] {
      var performance = UnitPerformance()
      before(&performance)
      performance.performance.note(640, 0, 60, 100, length: 5000)
      return try MultiSynthPlayer(timing: timing).apart(performance, frames: 12_000)
    }
    let parameter = try play { $0.change(0, "preset.program", to: 56) }
    #expect(try play { $0.performance.add(0, .programChange, 0, 56) } == parameter)
    #expect(try play { _ in } != parameter)
  }

  @Test(arguments: Timing.allCases)
  func `gain acts on its frame in all channels`(timing: Timing) throws {
    var plain = UnitPerformance(performance: busyPerformance(seed: 22, seconds: 0.5))
    let player = MultiSynthPlayer(timing: timing)
    let reference = try player.apart(plain, frames: 30_000)
    plain.change(10_001, "gain", to: -6)
    plain.change(20_001, "gain", to: 6, ramp: 5001)
    let played = try player.apart(plain, frames: 30_000) { 777 }
    var isExact = true
    for channel in 0..<34 {
      for frame in 0..<30_000 {
        let decibels =
          frame < 10_001
          ? 0 : frame < 20_001 ? -6 : -6 + 12 * min(1, Double(frame - 20_001) / 5001)
        let expected = Float(Double(reference[channel][frame]) * pow(10, decibels / 20))
        if abs(played[channel][frame] - expected) > 1e-6 * abs(expected) + 1e-12 { isExact = false }
      }
    }
    #expect(isExact)
  }
}
