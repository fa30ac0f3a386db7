/// Records what is heard while a sound device is open.
///
/// Realtime: no. Threads: one at a time.
package protocol PlaybackRecorder: AnyObject, Sendable {
  /// Begins a recording, because a device is opened. It must not wait for a disk.
  ///
  /// - Parameters:
  ///   - sampleRate: Frames per second.
  ///   - played: What keyboards play until ``end(_:)`` is called; `nil`: it is not kept.
  /// - Returns: A ring for the device's mixer, which keeps it; `nil`: nothing is recorded.
  func begin(sampleRate: Int, _ played: SessionTake?) -> MixRing?

  /// Ends the recording, because the device has stopped. It must not wait for a disk.
  ///
  /// - Parameter take: What keyboards have played, in frames of the device; `nil`: nothing.
  func end(_ take: Take?)
}
