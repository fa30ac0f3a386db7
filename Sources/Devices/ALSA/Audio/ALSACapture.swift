import CALSA
import Glibc
package import LiveAudio
import LocalSystem

/// Records from an alsa-lib device, with a timestamp for each block. For measurements only.
///
/// The buffer holds two seconds, if the device supports that. Reading later than that loses frames, which is an error.
///
/// Realtime: no.
///
/// `@unchecked Sendable`: used by one thread at a time.
package final class ALSACapture: @unchecked Sendable {
  /// Frames per second.
  package let rate: Int
  private let name: String
  private let pcm: PCM
  private let settings: PCMSettings
  private let status: OpaquePointer
  private let block: UnsafeMutableRawPointer
  /// The number of frames read so far.
  private var framesRead = 0

  /// Opens a device.
  ///
  /// - Parameters:
  ///   - name: The alsa-lib name of the device.
  ///   - rate: Frames per second, 8000…96000; the nearest supported rate is used.
  ///   - period: Frames between wake-ups of ``read()``; the nearest supported length is used.
  /// - Throws: If the device does not exist, is in use, denies access, or supports none of our formats.
  package init(named name: String, rate: Int, period: Int) throws(SoundDeviceError) {
    let periods = max(4, 2 * rate / period)
    do throws(PCMFailure) {
      pcm = try PCM(opening: name, SND_PCM_STREAM_CAPTURE)
      settings = try pcm.configure(
        PCMRequest(rate: rate, period: period, periods: periods, accesses: [.written]))
      status = try PCM.allocated(snd_pcm_status_malloc)
    } catch {
      throw SoundDeviceError(recordingFrom: name, error, in: .current)
    }
    self.name = name
    self.rate = settings.rate
    block = .allocate(
      byteCount: settings.buffer * settings.channels * settings.encoding.size, alignment: 16)
  }

  deinit {
    snd_pcm_status_free(status)
    block.deallocate()
  }

  package func start() throws(SoundDeviceError) {
    try attempt { () throws(PCMFailure) in
      try check(snd_pcm_prepare(pcm.handle))
      try check(snd_pcm_start(pcm.handle))
    }
  }

  /// Waits up to 200 ms for a period, then reads everything that is available.
  package func read() throws(SoundDeviceError) -> CapturedSound {
    try attempt { () throws(PCMFailure) in
      try check(snd_pcm_wait(pcm.handle, 200))
      try check(snd_pcm_status(pcm.handle, status))
      let stamp = FrameStamp(frame: framesRead + pendingFrames, time: stampTime)
      return CapturedSound(levels: try readLevels(), stamp: stamp)
    }
  }

  /// Frames that were captured but not read, including those that the device does not make available yet.
  private var pendingFrames: Int {
    let waiting = Int(snd_pcm_status_get_avail(status))
    return max(waiting, min(waiting + rate, Int(snd_pcm_status_get_delay(status))))
  }

  private var stampTime: Int64 {
    PlaybackState.time(
      of: 0, at: rate, after: settings.stamp(of: status), now: MonotonicClock.now)
  }

  private func readLevels() throws(PCMFailure) -> [Float] {
    let waiting = min(Int(snd_pcm_status_get_avail(status)), settings.buffer)
    if waiting <= 0 { return [] }
    let result = snd_pcm_readi(pcm.handle, block, snd_pcm_uframes_t(waiting))
    if result == -snd_pcm_sframes_t(EAGAIN) { return [] }
    let count = Int(try check(result))
    framesRead += count
    return (0..<count).map(level)
  }

  /// Returns the peak level of all channels at a frame.
  private func level(of frame: Int) -> Float {
    let size = settings.encoding.size
    var sample = block + frame * settings.channels * size
    var level: Float = 0
    for _ in 0..<settings.channels {
      level = max(level, abs(settings.encoding.sample(at: sample)))
      sample += size
    }
    return level
  }

  private func attempt<Result>(
    _ body: () throws(PCMFailure) -> Result
  ) throws(SoundDeviceError) -> Result {
    do throws(PCMFailure) {
      return try body()
    } catch {
      throw SoundDeviceError(recordingFrom: name, error, in: .current)
    }
  }
}

/// The frames returned by one call of ``ALSACapture/read()``.
package struct CapturedSound: Equatable, Sendable {
  /// For each frame, the absolute level of the loudest channel, 0…1.
  package let levels: [Float]
  package let stamp: FrameStamp
}

/// The time at which a device was about to capture a frame.
package struct FrameStamp: Equatable, Sendable {
  /// The number of the frame, from the start of the capture.
  package let frame: Int
  /// The CLOCK_MONOTONIC time in nanoseconds.
  package let time: Int64

  package init(frame: Int, time: Int64) {
    self.frame = frame
    self.time = time
  }
}
