import CALSA
import Glibc
import Threads

extension PlaybackState {
  /// Reads the device's status.
  ///
  /// - Throws: If the device has stopped.
  func update() throws(PCMFailure) {
    try check(snd_pcm_status(pcm, status))
    switch snd_pcm_status_get_state(status) {
    case SND_PCM_STATE_XRUN: throw .failed(code: EPIPE)
    case SND_PCM_STATE_SUSPENDED: throw .failed(code: ESTRPIPE)
    case SND_PCM_STATE_DISCONNECTED: throw .failed(code: ENODEV)
    default: break
    }
  }

  /// The ``MonotonicClock`` time at which the next frame written to the device will be heard, in nanoseconds. It is
  /// calculated from the delay and timestamp at the last ``update()``.
  var timeOfNextFrame: Int64 {
    Self.time(
      of: Int(snd_pcm_status_get_delay(status)), at: settings.rate,
      after: settings.stamp(of: status), now: MonotonicClock.now)
  }

  /// Returns the time at which a frame is heard, in nanoseconds.
  ///
  /// - Parameters:
  ///   - delay: The number of frames before it; clamped, because a plugin may report any value.
  ///   - stamp: The time at which `delay` was measured. If it is implausible, because a plugin has no timestamp or uses
  ///     another clock, `now` is used.
  static func time(of delay: Int, at rate: Int, after stamp: Int64, now: Int64) -> Int64 {
    let isPlausible = stamp <= now && now - stamp < 1_000_000_000
    let delay = Int64(max(0, min(60 * rate, delay)))
    return (isPlausible ? stamp : now) + delay * 1_000_000_000 / Int64(rate)
  }

  /// Advances ``position`` by the frames missed while the device was stopped, so that it stays in step with time.
  @_noLocks mutating func skipTo(_ time: Int64) {
    let rate = Int64(settings.rate)
    if let expectedTime, hasStopped {
      position += max(0, (time - expectedTime) * rate / 1_000_000_000)
    }
    hasStopped = false
    expectedTime = time + Int64(settings.period) * 1_000_000_000 / rate
  }
}

extension PCMSettings {
  /// Returns the timestamp of a status in nanoseconds; 0 if the device has none.
  func stamp(of status: OpaquePointer) -> Int64 {
    var stamp = timespec()
    if isStamped { snd_pcm_status_get_htstamp(status, &stamp) }
    return Int64(stamp.tv_sec) * 1_000_000_000 + Int64(stamp.tv_nsec)
  }
}
