import CALSA
import Glibc

extension PlaybackState {
  /// How long a device may take nothing before it is given up.
  static let idleTime: Int64 = 5_000_000_000

  /// And one that has not taken anything yet, in nanoseconds: a session manager may take seconds to connect it.
  static let initialIdleTime: Int64 = 4_000_000_000

  /// How many descriptors a device may have; their number may change.
  static let maximumDescriptors = 16

  /// Waits until the device wants something, or a while has passed.
  ///
  /// - Returns: `false` when the thread is to end.
  mutating func wait(milliseconds: CInt) -> Bool {
    let own = descriptors + 1
    let count = max(0, snd_pcm_poll_descriptors(pcm, own, UInt32(Self.maximumDescriptors)))
    descriptors.pointee.revents = 0
    poll(descriptors, nfds_t(1 + count), milliseconds)
    if descriptors.pointee.revents != 0 { return false }
    // Whatever it was, the next call says so; but a plugin may have to be told that we were woken.
    var events: UInt16 = 0
    snd_pcm_poll_descriptors_revents(pcm, own, UInt32(count), &events)
    return true
  }

  /// Waits for a while.
  ///
  /// - Returns: `false` when the thread is to end.
  @discardableResult
  func rest(milliseconds: CInt) -> Bool {
    descriptors.pointee.revents = 0
    poll(descriptors, 1, milliseconds)
    return descriptors.pointee.revents == 0
  }
}
