import RenderCore
import Testing

@testable import ALSA

@Suite(.timeLimit(.minutes(5))) struct PCMSettingsTests {
  private let settings = PCMSettings(
    rate: 48_000, channels: 2, encoding: .integer16, access: .mappedInterleaved, period: 256,
    buffer: 768, isStamped: true)

  @Test func `the summary states the settings`() {
    #expect(settings.summary == "48000 Hz, 3 × 256 frames, 16 bits")
    var odd = settings
    odd.buffer = 700
    odd.encoding = .packed24
    #expect(odd.summary == "48000 Hz, 256 of 700 frames, 24 bits")
    var mono = settings
    mono.channels = 1
    #expect(mono.summary.hasSuffix(", 16 bits, mono"))
    mono.channels = 8
    #expect(mono.summary.hasSuffix(", the first two of 8 channels"))
  }

  @Test func `the renderer is asked for two channels, whatever the device has`() {
    var other = settings
    other.channels = 8
    #expect(other.format == settings.format)
    #expect(other.format.outputChannels == 2)
    #expect(other.format.maximumFrames == 256)
  }

  @Test(arguments: [(1, [2, 3, 1]), (2, [2, 3, 1]), (6, [2, 3, 4, 5, 6, 1])])
  func `two channels are preferred, else the fewest above, else one`(most: Int, counts: [Int]) {
    #expect(PCMSettings.channelCounts(upTo: most) == counts)
  }
}
