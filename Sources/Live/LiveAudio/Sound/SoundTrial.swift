import Glibc
import Synchronization
import Threads

/// Finds out whether a sound device plays, by playing silence to it for an instant: one that can be opened may take
/// nothing all the same.
package enum SoundTrial {
  /// Plays silence until the device has asked for a cycle, and stops it.
  ///
  /// - Parameter seconds: How long to wait for that.
  /// - Throws: Why it does not play.
  package static func run(
    _ device: any SoundDevice, named name: String, within seconds: Double = 6
  ) throws(SoundDeviceError) {
    let bell = DeferredWorkSignal()
    let mixer = Mixer(device.format, bell: bell)
    let loss = Mutex<String?>(nil)
    defer {
      device.stop()
      withExtendedLifetime(mixer) {}
      bell.destroy()
    }
    try device.start(mixer.renderer) { event in
      if case .lost(let reason) = event { loss.withLock { $0 = reason } }
    }
    let limit = MonotonicClock.now + Int64(seconds * 1e9)
    while !mixer.hasPlayed {
      let reason = loss.withLock { $0 }
      if let reason { throw SoundDeviceError(device: name, mayPass: true, reason: reason) }
      if MonotonicClock.now > limit {
        throw SoundDeviceError(
          device: name, mayPass: true, reason: "it was opened, but asks for no sound")
      }
      usleep(2000)
    }
  }
}
