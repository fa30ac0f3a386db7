import CALSA
import Glibc
import LiveAudio
import RenderCore
import Threads

/// Creation and destruction, on another thread than the playback thread.
extension PlaybackState {
  /// - Parameter shutdownSignal: Ends the thread; must outlive this state.
  init(
    _ pcm: PCM, _ settings: PCMSettings, _ renderer: Renderer, _ gate: CallbackGate,
    _ flags: DeviceEventFlags, shutdownSignal: ShutdownSignal
  ) throws(PCMFailure) {
    status = try PCM.allocated(snd_pcm_status_malloc)
    self.pcm = pcm.handle
    device = .passUnretained(pcm)
    self.settings = settings
    pace = PlaybackPace(rate: settings.rate, at: MonotonicClock.now)
    runs = BufferRuns(isFixed: snd_pcm_type(pcm.handle) == SND_PCM_TYPE_HW)
    self.renderer = renderer
    self.gate = gate
    self.flags = flags
    let samples = UnsafeMutablePointer<Float>.allocate(capacity: 3 * settings.period)
    samples.initialize(repeating: 0, count: 3 * settings.period)
    channels = .allocate(capacity: 3)
    for channel in 0..<3 {
      (channels + channel).initialize(to: samples + channel * settings.period)
    }
    transfer = settings.access.isMapped ? nil : Self.makeTransfer(settings)
    descriptors = .allocate(capacity: 1 + Self.maximumDescriptors)
    descriptors.initialize(repeating: pollfd(), count: 1 + Self.maximumDescriptors)
    descriptors.pointee = pollfd(fd: shutdownSignal.reading, events: Int16(POLLIN), revents: 0)
  }

  func destroy() {
    snd_pcm_status_free(status)
    channels.pointee.deallocate()
    channels.deallocate()
    transfer?.pointee.addr.deallocate()
    transfer?.deallocate()
    descriptors.deallocate()
  }

  /// Allocates an interleaved buffer of one period, with one area per channel.
  private static func makeTransfer(
    _ settings: PCMSettings
  ) -> UnsafeMutablePointer<snd_pcm_channel_area_t> {
    let size = settings.encoding.size
    let bytes = UnsafeMutableRawPointer.allocate(
      byteCount: settings.period * settings.channels * size, alignment: 16)
    let areas = UnsafeMutablePointer<snd_pcm_channel_area_t>.allocate(capacity: settings.channels)
    for channel in 0..<settings.channels {
      (areas + channel).initialize(
        to: snd_pcm_channel_area_t(
          addr: bytes, first: UInt32(8 * size * channel), step: UInt32(8 * size * settings.channels)
        ))
    }
    return areas
  }
}
