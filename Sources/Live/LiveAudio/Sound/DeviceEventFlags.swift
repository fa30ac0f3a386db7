import LocalSystem

/// The events of a sound device's realtime thread, which ``DeviceEventNotifier`` reports.
///
/// Realtime: yes, except ``init()``, which allocates, and ``destroy()``, which the owner must call. Each function performs
/// one system call that does not block. Threads: the device's.
package struct DeviceEventFlags: BitwiseCopyable, Sendable {
  private let words = SharedWords(count: 5)
  let signal = DeferredWorkSignal()

  func destroy() {
    words.destroy()
    signal.destroy()
  }

  var xruns: SharedWord { @_noLocks get { words[0] } }
  var resumptions: SharedWord { @_noLocks get { words[1] } }
  /// The length of the buffer in frames after it was lengthened; 0 before.
  private var buffer: SharedWord { @_noLocks get { words[2] } }
  /// Not 0 once the device is lost.
  private var loss: SharedWord { @_noLocks get { words[3] } }
  var refusedMIDI: SharedWord { @_noLocks get { words[4] } }

  @_noLocks package func countXrun() {
    xruns.increase()
    signal.wake()
  }

  /// Counts MIDI messages that the device had no room for.
  @_noLocks package func count(refusedMIDI count: Int) {
    refusedMIDI.store(refusedMIDI.value &+ UInt32(truncatingIfNeeded: count))
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
