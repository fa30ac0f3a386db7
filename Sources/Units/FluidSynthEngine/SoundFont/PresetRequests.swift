import RenderCore
import Synchronization

/// What passes between the render thread of an instrument with shared presets and a thread that loads
/// presets of its own for it, without a lock.
struct PresetRequests: ~Copyable {
  /// Whether music has asked for legato, which shared presets cannot play. Render thread.
  private let isWanted = Atomic<Bool>(false)
  /// Whether that was seen to, if only in vain. Loading thread.
  private let isSeenTo = Atomic<Bool>(false)
  /// Loading thread, before it sets `isSeenTo`; not changed afterwards.
  private let own: UnsafeMutablePointer<PresetTables?>

  init() {
    own = .allocate(capacity: 1)
    own.initialize(to: nil)
  }

  deinit { own.deallocate() }

  /// Whether there is something to load. Threads: any.
  var isWaitedFor: Bool {
    @_noLocks get {
      isWanted.load(ordering: .relaxed) && !isSeenTo.load(ordering: .relaxed)
    }
  }

  /// Asks for presets, if `message` needs them. Render thread.
  @_noLocks func ask(for message: ChannelMessage) {
    if message.asksForLegato { isWanted.store(true, ordering: .relaxed) }
  }

  /// What was loaded. Render thread.
  var loaded: PresetTables? {
    @_noLocks get { isSeenTo.load(ordering: .acquiring) ? own.pointee : nil }
  }

  /// Loads presets, if they are wanted: once, whether it succeeds or not. Realtime: no.
  ///
  /// - Throws: ``InstrumentError``.
  func load(from soundFont: PlayedSoundFont) throws(InstrumentError) {
    guard isWaitedFor else { return }
    defer { isSeenTo.store(true, ordering: .releasing) }
    own.pointee = try soundFont.makeOwnTables()
  }
}
