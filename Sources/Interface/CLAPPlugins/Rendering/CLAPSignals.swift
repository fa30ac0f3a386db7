import LocalSystem

/// The words by which an instance's main thread and its audio thread communicate.
///
/// Realtime: yes, except for creation and ``destroy()``.
struct CLAPSignals: BitwiseCopyable {
  private let words = SharedWords(count: 3)

  func destroy() { words.destroy() }

  /// 1 while the host renders without a deadline.
  var isOffline: SharedWord { @_noLocks get { words[0] } }
  /// 1 while the plugin is bypassed.
  var isBypassed: SharedWord { @_noLocks get { words[1] } }
  /// - Parameter value: A value of the parameter that bypasses the plugin.
  @_noLocks func setBypass(_ value: Double) { isBypassed.store(value >= 0.5 ? 1 : 0) }

  /// 1 until the next cycle has ended all sound.
  var mustReset: SharedWord { @_noLocks get { words[2] } }
}
