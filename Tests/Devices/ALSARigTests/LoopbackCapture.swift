import CALSA
import Testing

/// Captures the audio of one subdevice of the loopback card, with a buffer of five seconds.
final class LoopbackCapture {
  private let handle: OpaquePointer
  private let is32: Bool

  /// - Parameters:
  ///   - place: The subdevice: the audio of `hw:Loopback,0` with the same number is captured.
  ///   - format: `SND_PCM_FORMAT_S16_LE` or `SND_PCM_FORMAT_S32_LE`.
  init(
    place: Int, _ format: snd_pcm_format_t = SND_PCM_FORMAT_S32_LE, rate: UInt32 = 48_000
  ) throws {
    var handle: OpaquePointer?
    try #require(
      snd_pcm_open(&handle, "hw:Loopback,1,\(place)", SND_PCM_STREAM_CAPTURE, 0) == 0)
    self.handle = try #require(handle)
    is32 = format == SND_PCM_FORMAT_S32_LE
    try #require(
      snd_pcm_set_params(
        handle, format, SND_PCM_ACCESS_RW_INTERLEAVED, 2, rate, 0, 5_000_000) == 0)
    try #require(snd_pcm_start(handle) == 0)
  }

  deinit { snd_pcm_close(handle) }

  /// Reads at most `frames` frames, interleaved.
  func read(_ frames: Int) throws -> [Int32] {
    if is32 {
      var block = [Int32](repeating: 0, count: 2 * frames)
      let count = snd_pcm_readi(handle, &block, snd_pcm_uframes_t(frames))
      try #require(count > 0)
      return Array(block.prefix(2 * count))
    }
    var block = [Int16](repeating: 0, count: 2 * frames)
    let count = snd_pcm_readi(handle, &block, snd_pcm_uframes_t(frames))
    try #require(count > 0)
    return block.prefix(2 * count).map(Int32.init)
  }

  /// Reads `frames` frames, starting at the first that is not silent.
  func readSound(_ frames: Int) throws -> [Int32] {
    var heard: [Int32] = []
    while heard.count < 2 * frames {
      heard += try read(1024)
      if let first = heard.firstIndex(where: { $0 != 0 }) {
        heard.removeFirst(first & ~1)
      } else {
        heard = []
      }
    }
    return Array(heard.prefix(2 * frames))
  }
}
