package import LocalSystem
import Synchronization

/// The words by which the render thread and the other threads of an instance communicate.
///
/// Realtime: yes, except for creation and ``destroy()``. `@unchecked Sendable`: all values are atomic.
package struct PluginSignals: @unchecked Sendable, BitwiseCopyable {
  private let words = SharedWords(count: 15)
  private let controls: UnsafeMutablePointer<Atomic<UInt32>>
  package let count: Int

  /// - Parameter defaults: The default of each control port.
  init(defaults: [Float]) {
    count = defaults.count
    controls = .allocate(capacity: max(1, count))
    for (index, value) in defaults.enumerated() {
      (controls + index).initialize(to: Atomic(value.bitPattern))
    }
    tail.store(.max)
  }

  func destroy() {
    words.destroy()
    controls.deallocate()
  }

  /// Increased to wake the instance's worker.
  package var work: SharedWord { @_noLocks get { words[0] } }
  /// Increased when a connection is available or an attempt to connect has failed; a render thread without a deadline
  /// waits for it.
  package var arrival: SharedWord { @_noLocks get { words[1] } }
  /// 1 while the worker waits for a call of `run`.
  package var awaitsRun: SharedWord { @_noLocks get { words[2] } }
  /// 1 after the unit's settings have changed.
  package var hasChanged: SharedWord { @_noLocks get { words[3] } }
  /// Increased when settings are restored: the messages before that no longer count.
  package var restored: SharedWord { @_noLocks get { words[4] } }
  /// The latency in frames.
  package var latency: SharedWord { @_noLocks get { words[5] } }

  /// The frames that the unit sounds after its input; `UInt32.max` if that is not known.
  package var tail: SharedWord { @_noLocks get { words[13] } }

  /// The SCHED_FIFO priority of the render thread, or 0.
  package var priority: SharedWord { @_noLocks get { words[6] } }
  /// 1 after an attempt to connect has failed, until one succeeds.
  package var hasFailed: SharedWord { @_noLocks get { words[8] } }
  /// Increased to request a new unit with the settings of the current one.
  package var restart: SharedWord { @_noLocks get { words[9] } }
  /// 1 while the host renders without a deadline.
  package var isFreewheeling: SharedWord { @_noLocks get { words[10] } }
  /// The number of cycles that were silent because the node did not answer in time, of those that came after one that sounded or
  /// had a message.
  package var interruptions: SharedWord { @_noLocks get { words[7] } }
  /// 1 after such a cycle, until the worker has reported it.
  package var wasLate: SharedWord { @_noLocks get { words[11] } }
  /// 1 after the host has asked for the window.
  package var asksForWindow: SharedWord { @_noLocks get { words[14] } }
  /// 1 after another program has changed the unit's settings.
  package var wereSettingsChanged: SharedWord { @_noLocks get { words[12] } }

  /// Ends the wait of a render thread without a deadline, which then looks for a connection again.
  func wakeRenderThread() {
    arrival.increase()
    arrival.wake()
  }

  @_noLocks package func wakeWorker() {
    work.increase()
    work.wake()
  }

  /// Reports that the unit's settings differ from the last snapshot. A system call for the first report only.
  @_noLocks package func reportChange() {
    if hasChanged.exchange(0, for: 1) { wakeWorker() }
  }

  /// Reports a late cycle that has interrupted or delayed a sound. A system call for the first report only.
  @_noLocks package func reportInterruption() {
    interruptions.increase()
    if wasLate.exchange(0, for: 1) { wakeWorker() }
  }

  /// Asks the node to show a window for the unit.
  @_noLocks package func askForWindow() {
    asksForWindow.store(1)
    wakeWorker()
  }

  /// The value of a control port that the unit has.
  package subscript(control index: Int) -> Float {
    @_noLocks get { Float(bitPattern: controls[index].load(ordering: .relaxed)) }
    @_noLocks nonmutating set { controls[index].store(newValue.bitPattern, ordering: .relaxed) }
  }
}
