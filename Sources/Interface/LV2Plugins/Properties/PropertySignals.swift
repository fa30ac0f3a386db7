import LocalSystem

/// The properties that pass between an instance's render thread and its worker.
///
/// Realtime: yes, except for creation and ``destroy()``.
struct PropertySignals: BitwiseCopyable {
  private let words = SharedWords(count: 1)
  /// A property that the host has set by a message.
  let fromHost = PropertyMailbox()
  /// A property of which the host is told by a message.
  let toHost = PropertyMailbox()

  func destroy() {
    words.destroy()
    fromHost.destroy()
    toHost.destroy()
  }

  /// 1 after the host has asked for the values of all properties.
  var asksForAll: SharedWord { @_noLocks get { words[0] } }
}
