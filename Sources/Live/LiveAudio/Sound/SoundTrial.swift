import Glibc
import Synchronization
import Threads

/// Tests whether a sound device plays, by playing silence to it. A device that can be opened may still never request
/// audio.
package enum SoundTrial {
  /// Plays silence until the device has requested a cycle, and stops the device.
  ///
  /// - Parameters:
  ///   - name: The device's name, for the error.
  ///   - seconds: The timeout.
  /// - Throws: The reason why the device does not play.
  package static func run(
    _ device: any SoundDevice, named name: String, within seconds: Double = 6
  ) throws(SoundDeviceError) {
    let signal = DeferredWorkSignal()
    let mixer = Mixer(device.format, signal: signal)
    let loss = Mutex<String?>(nil)
    defer {
      device.stop()
      withExtendedLifetime(mixer) {}
      signal.destroy()
    }
    try device.start(mixer.renderer) { event in
      if case .lost(let reason) = event { loss.withLock { $0 = reason } }
    }
    let limit = MonotonicClock.now + Int64(seconds * 1e9)
    while !mixer.hasPlayed {
      let reason = loss.withLock { $0 }
      if let reason { throw SoundDeviceError(device: name, isTemporary: true, reason: reason) }
      if MonotonicClock.now > limit {
        throw SoundDeviceError(
          device: name, isTemporary: true, reason: "it is open, but requests no audio")
      }
      usleep(2000)
    }
  }
}
