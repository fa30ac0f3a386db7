import CALSA
import Glibc

/// An alsa-lib device opened for playback or capture, in non-blocking mode.
///
/// Threads: one at a time.
///
/// The corresponding C type is `snd_pcm_t`.
final class PCM {
  let handle: OpaquePointer
  private var isOpen = true

  /// - Parameter name: The alsa-lib name: `default`, `hw:0`, `plughw:CARD=PCH,DEV=3`.
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

  /// Stops the device and frees its configuration, so that it can be configured again.
  func release() {
    snd_pcm_drop(handle)
    snd_pcm_hw_free(handle)
  }

  /// Drops all pending frames and closes the device.
  func close() {
    if !isOpen { return }
    isOpen = false
    snd_pcm_drop(handle)
    snd_pcm_close(handle)
  }
}
