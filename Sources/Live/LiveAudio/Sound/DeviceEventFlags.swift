import Threads

/// The events of a sound device's realtime thread, which ``DeviceEventNotifier`` reports.
///
/// Realtime: yes; each function performs one system call that does not block. Threads: the device's.
package struct DeviceEventFlags: BitwiseCopyable, Sendable {
  let xruns: SharedWord
  let resumptions: SharedWord
  /// The length of the buffer in frames after it was lengthened; 0 before.
  let buffer: SharedWord
  /// Not 0 once the device is lost.
  let loss: SharedWord
  let signal: DeferredWorkSignal

  @_noLocks package func countXrun() {
    xruns.increase()
    signal.wake()
  }

  @_noLocks package func countResumption() {
    resumptions.increase()
    signal.wake()
  }

  /// Reports that the buffer was lengthened.
  ///
  /// - Parameter frames: The new length of the buffer.
  @_noLocks package func reportBuffer(frames: Int) {
    buffer.store(UInt32(truncatingIfNeeded: frames))
    signal.wake()
  }

  /// Reports that the device is lost.
  ///
  /// - Parameter code: The device's own code for the reason, not 0. The first code is kept.
  @_noLocks package func reportLoss(_ code: Int32) {
    _ = loss.exchange(0, for: UInt32(bitPattern: code))
    signal.wake()
  }

  /// The length of the buffer in frames after it was lengthened; 0 before.
  package var lengthenedBuffer: Int { Int(buffer.value) }

  /// The code of the loss; 0: the device is not lost.
  package var lossCode: Int32 { @_noLocks get { Int32(bitPattern: loss.value) } }
}
