import CALSA
import Testing

/// Checks that audio written to the loopback card can be captured unchanged.
@Suite(
  .timeLimit(Rig.timeLimit),
  .enabled(if: Rig.hasLoopback, "needs the card of snd-aloop, in real time: make test-alsa"))
struct LoopbackTests {
  @Test func `the loopback returns the samples bit for bit`() throws {
    let output = try open("hw:Loopback,0", SND_PCM_STREAM_PLAYBACK)
    defer { snd_pcm_close(output) }
    let input = try open("hw:Loopback,1", SND_PCM_STREAM_CAPTURE)
    defer { snd_pcm_close(input) }

    // Half a second, written before its first frame is due. No sample is zero.
    let played = (1...24_000).flatMap { [Int16($0), Int16(-$0)] }
    #expect(snd_pcm_start(input) == 0)
    #expect(snd_pcm_writei(output, played, 24_000) == 24_000)
    #expect(snd_pcm_start(output) == 0)

    var heard: [Int16] = []
    while heard.count < played.count {
      var block = [Int16](repeating: 0, count: 2 * 1200)
      let frames = snd_pcm_readi(input, &block, 1200)
      try #require(frames > 0)
      heard += block[..<(2 * frames)]
      if let first = heard.firstIndex(where: { $0 != 0 }) {
        heard.removeFirst(first)
      } else {
        heard = []
      }
    }
    #expect(heard.prefix(played.count) == played[...])
  }

  /// Opens a device with 48 kHz, two channels and a buffer of five seconds, because a busy machine may
  /// delay the test.
  private func open(_ device: String, _ direction: snd_pcm_stream_t) throws -> OpaquePointer {
    var handle: OpaquePointer?
    try #require(snd_pcm_open(&handle, device, direction, 0) == 0)
    let pcm = try #require(handle)
    try #require(
      snd_pcm_set_params(
        pcm, SND_PCM_FORMAT_S16_LE, SND_PCM_ACCESS_RW_INTERLEAVED, 2, 48_000, 0, 5_000_000) == 0)
    return pcm
  }
}
