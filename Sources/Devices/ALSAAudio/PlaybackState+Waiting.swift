import CALSA
import Glibc

extension PlaybackState {
  /// The time without progress after which a device counts as lost, in nanoseconds.
  static let idleTime: Int64 = 5_000_000_000

  /// The same before the first cycle, in nanoseconds: a session manager may take seconds to connect the device.
  static let initialIdleTime: Int64 = 4_000_000_000

  /// The greatest number of poll descriptors of a device; the number may vary.
  static let maximumDescriptors = 16

  /// Waits until the device is ready or `milliseconds` have passed.
  ///
  /// - Returns: `false` if the thread has to end.
  mutating func wait(milliseconds: CInt) -> Bool {
    let own = descriptors + 1
    let count = max(0, snd_pcm_poll_descriptors(pcm, own, UInt32(Self.maximumDescriptors)))
    descriptors.pointee.revents = 0
    poll(descriptors, nfds_t(1 + count), milliseconds)
    if descriptors.pointee.revents != 0 { return false }
    // The next device call reports the state, but some plugins require this call after each wake-up.
    var events: UInt16 = 0
    snd_pcm_poll_descriptors_revents(pcm, own, UInt32(count), &events)
    return true
  }

  /// Waits for `milliseconds`.
  ///
  /// - Returns: `false` if the thread has to end.
  @discardableResult
  func rest(milliseconds: CInt) -> Bool {
    descriptors.pointee.revents = 0
    poll(descriptors, 1, milliseconds)
    return descriptors.pointee.revents == 0
  }
}
