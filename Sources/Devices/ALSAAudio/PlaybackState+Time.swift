import CALSA
import Glibc
import Threads

extension PlaybackState {
  /// Asks the device how it is.
  ///
  /// - Throws: When it does not play any more.
  func update() throws(PCMFailure) {
    try check(snd_pcm_status(pcm, status))
    switch snd_pcm_status_get_state(status) {
    case SND_PCM_STATE_XRUN: throw .failed(code: EPIPE)
    case SND_PCM_STATE_SUSPENDED: throw .failed(code: ESTRPIPE)
    case SND_PCM_STATE_DISCONNECTED: throw .failed(code: ENODEV)
    default: break
    }
  }

  /// When the first frame is heard that the device did not have at the last ``update()``, in nanoseconds of
  /// ``MonotonicClock``: it was at a frame at a certain time, and says how many were to come.
  var timeOfNextFrame: Int64 {
    Self.time(
      of: Int(snd_pcm_status_get_delay(status)), at: settings.rate,
      after: settings.stamp(of: status), now: MonotonicClock.now)
  }

  /// When a frame is heard that others come before.
  ///
  /// - Parameters:
  ///   - delay: How many; a plugin may say anything.
  ///   - stamp: When that was so. Some plugins have no stamp, or one of another clock: then it is now.
  static func time(of delay: Int, at rate: Int, after stamp: Int64, now: Int64) -> Int64 {
    let isPlausible = stamp <= now && now - stamp < 1_000_000_000
    let delay = Int64(max(0, min(60 * rate, delay)))
    return (isPlausible ? stamp : now) + delay * 1_000_000_000 / Int64(rate)
  }

  /// Lets the position jump over what was missed when the device has stopped for a while, so that it goes on
  /// as time does.
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
  /// When a device was as its status says, in nanoseconds; 0 where it does not say.
  func stamp(of status: OpaquePointer) -> Int64 {
    var stamp = timespec()
    if isStamped { snd_pcm_status_get_htstamp(status, &stamp) }
    return Int64(stamp.tv_sec) * 1_000_000_000 + Int64(stamp.tv_nsec)
  }
}
