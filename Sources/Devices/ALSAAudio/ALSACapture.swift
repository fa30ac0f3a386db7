import CALSA
import Glibc
package import LiveAudio
import LocalSystem
import Threads

/// Records from a device of alsa-lib's, and says when each frame came: for measurements, not for playing.
///
/// It has room for two seconds, where the device has. Who reads later than that has lost something, which is an error.
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
  /// Frames read.
  private var taken = 0

  /// Opens a device.
  ///
  /// - Parameters:
  ///   - name: As alsa-lib knows it.
  ///   - rate: Frames per second; the nearest that the device has is taken, of 8000…96000.
  ///   - period: Frames after which ``read()`` looks again; the nearest that the device can do is taken.
  /// - Throws: When there is no such device, when it is in use or not permitted, or when it does nothing
  ///   that we can follow.
  package init(named name: String, rate: Int, period: Int) throws(SoundDeviceError) {
    let periods = max(4, 2 * rate / period)
    do throws(PCMFailure) {
      pcm = try PCM(opening: name, SND_PCM_STREAM_CAPTURE)
      settings = try pcm.settle(
        PCMWish(rate: rate, period: period, periods: periods, accesses: [.written]))
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

  /// Waits until there is something, a fifth of a second at most, and takes it.
  package func read() throws(SoundDeviceError) -> CapturedSound {
    try attempt { () throws(PCMFailure) in
      try check(snd_pcm_wait(pcm.handle, 200))
      try check(snd_pcm_status(pcm.handle, status))
      let stamp = FrameStamp(frame: taken + inside, time: stampTime)
      return CapturedSound(levels: try take(), stamp: stamp)
    }
  }

  /// Frames that came in and are not read, also those that the device does not yet give away.
  private var inside: Int {
    let waiting = Int(snd_pcm_status_get_avail(status))
    return max(waiting, min(waiting + rate, Int(snd_pcm_status_get_delay(status))))
  }

  private var stampTime: Int64 {
    PlaybackState.time(
      of: 0, at: rate, after: settings.stamp(of: status), now: MonotonicClock.now)
  }

  private func take() throws(PCMFailure) -> [Float] {
    let waiting = min(Int(snd_pcm_status_get_avail(status)), settings.buffer)
    if waiting <= 0 { return [] }
    let result = snd_pcm_readi(pcm.handle, block, snd_pcm_uframes_t(waiting))
    if result == -snd_pcm_sframes_t(EAGAIN) { return [] }
    let count = Int(try check(result))
    taken += count
    return (0..<count).map(level)
  }

  /// How loud the loudest channel is.
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

/// What came in between two looks.
package struct CapturedSound: Equatable, Sendable {
  /// One for each frame, of whichever channel is the loudest: 0…1, without sign.
  package let levels: [Float]
  package let stamp: FrameStamp
}

/// When a device was about to take in a frame.
package struct FrameStamp: Equatable, Sendable {
  /// Counted from the start.
  package let frame: Int
  /// Nanoseconds of CLOCK_MONOTONIC.
  package let time: Int64

  package init(frame: Int, time: Int64) {
    self.frame = frame
    self.time = time
  }
}
