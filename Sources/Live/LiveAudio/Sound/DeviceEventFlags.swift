import Threads

/// What the realtime thread of a sound device has to say, for a ``SoundDeviceTeller`` to pass on.
///
/// Realtime: yes; each costs one system call that does not block. Threads: the device's.
package struct DeviceEventFlags: BitwiseCopyable, Sendable {
  let xruns: SharedWord
  let resumptions: SharedWord
  /// Frames of the buffer once it was made longer; 0 before.
  let buffer: SharedWord
  /// Not 0 once it is lost.
  let loss: SharedWord
  let bell: DeferredWorkSignal

  @_noLocks package func countXrun() {
    xruns.increase()
    bell.ring()
  }

  @_noLocks package func countResumption() {
    resumptions.increase()
    bell.ring()
  }

  /// - Parameter frames: Of the buffer, which was shorter so far.
  @_noLocks package func lengthen(to frames: Int) {
    buffer.store(UInt32(truncatingIfNeeded: frames))
    bell.ring()
  }

  /// - Parameter cause: The device's own number for it, not 0. The first is kept.
  @_noLocks package func lose(_ cause: Int32) {
    _ = loss.exchange(0, for: UInt32(bitPattern: cause))
    bell.ring()
  }

  /// What ``lengthen(to:)`` was given last; 0 before.
  package var lengthenedBuffer: Int { Int(buffer.value) }

  /// Whether it is lost, and why; 0: it is not.
  package var cause: Int32 { @_noLocks get { Int32(bitPattern: loss.value) } }
}
