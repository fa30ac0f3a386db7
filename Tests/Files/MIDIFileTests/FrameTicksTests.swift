import MIDIFile
import RenderCore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct FrameTicksTests {
  @Test(arguments: [
    (8000, 4000), (11_025, 11_025), (22_050, 11_025), (44_100, 22_050), (48_000, 24_000),
    (88_200, 22_050), (96_000, 24_000), (176_400, 22_050), (192_000, 24_000),
  ])
  func `at the usual rates, a tick is a frame`(rate: Int, division: Int) {
    let ticks = FrameTicks(sampleRate: rate)
    #expect(Int(ticks.division) == division)
    for frame in [0, 1, 2, 12_345, 1 << 40] as [Int64] { #expect(ticks.tick(of: frame) == frame) }
  }

  @Test(arguments: [8000, 8001, 11_025, 44_099, 44_101, 47_999, 65_535, 96_001, 191_999, 192_000])
  func `a file keeps each frame, at any rate`(rate: Int) throws {
    let ticks = FrameTicks(sampleRate: rate)
    var random = Seeded(UInt64(rate))
    let limit = Int64(rate) * 86_400
    let frames = ((0..<500).map { _ in Int64.random(in: 0..<limit, using: &random) } + [0, 1, 2])
      .sorted()
    let note = ChannelMessage(.noteOn, channel: 0, 60, 100)
    let file = StandardMIDIFile(
      format: .simultaneous, division: .ticksPerQuarter(ticks.division),
      tracks: [
        .init([.init(tick: 0, .meta(.tempo(ticks.tempo)))]),
        .init(bridging: frames.map { .init(tick: ticks.tick(of: $0), .channel(note)) }),
      ])
    let read = try StandardMIDIFile(decoding: file.encoded())
    #expect(try read.timeline(sampleRate: rate).events.map(\.frame) == frames)
  }
}
