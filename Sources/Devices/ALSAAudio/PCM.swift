import CALSA
import Glibc

/// A device of alsa-lib's, open to play or to record. Its calls do not wait.
///
/// Threads: one at a time.
///
/// The corresponding C type is `snd_pcm_t`.
final class PCM {
  let handle: OpaquePointer
  private var isOpen = true

  /// - Parameter name: As alsa-lib knows it: `default`, `hw:0`, `plughw:CARD=PCH,DEV=3`.
  init(
    opening name: String, _ stream: snd_pcm_stream_t = SND_PCM_STREAM_PLAYBACK
  ) throws(PCMFailure) {
    calsa_keep_quiet()
    var handle: OpaquePointer?
    try check(snd_pcm_open(&handle, name, stream, SND_PCM_NONBLOCK))
    guard let handle else { throw .failed(code: ENOMEM) }
    self.handle = handle
  }

  deinit { close() }

  /// Forgets what was settled, so that something else can be.
  func release() {
    snd_pcm_drop(handle)
    snd_pcm_hw_free(handle)
  }

  /// Throws away what is still to be heard or read, and lets go of the device.
  func close() {
    if !isOpen { return }
    isOpen = false
    snd_pcm_drop(handle)
    snd_pcm_close(handle)
  }
}
