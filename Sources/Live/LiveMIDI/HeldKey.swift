/// The sources that hold one key of one channel: one bit for each source; bit 0 is the host.
///
/// **Law "notes end":** a note ends when the last source that holds its key releases it. No source ends the note of
/// another source.
///
/// **The duplicate guard.** The same note-on may arrive twice: from a keyboard and through the host, or from a keyboard
/// and through another program. A note-on is a copy if another source with a common origin has struck the key at most
/// 3 ms before. A copy is not played, and the key is held until both sources have released it. Sources without a common
/// origin never copy each other, and a source never copies itself.
///
/// Realtime: yes.
struct HeldKey: BitwiseCopyable {
  private var holders: UInt64 = 0
  /// The holders whose note-on was a copy.
  private var copies: UInt64 = 0
  /// The sources of the latest note-ons that were not copies, each at most the window after the previous one.
  private var strikers: UInt64 = 0
  /// The frame of the last note-on that was not a copy.
  private var latest = Int64.min / 2

  /// The time in seconds within which two note-ons of a common origin are the same.
  static var window: Double { @_noLocks get { 0.003 } }

  private static var host: UInt64 { @_noLocks get { 1 } }

  /// Handles a note-on.
  ///
  /// - Parameters:
  ///   - source: The source's bit.
  ///   - related: The bits of the sources with a common origin.
  ///   - frame: The frame of the note-on; not before that of the previous one.
  ///   - window: ``window`` in frames.
  @_noLocks mutating func strike(
    by source: UInt64, related: UInt64, at frame: Int64, window: Int64
  ) -> EventRoute {
    if frame - latest > window { strikers = 0 }
    holders |= source
    if strikers & related & ~source != 0 {
      copies |= source
      return .nowhere
    }
    strikers |= source
    latest = frame
    copies &= ~source
    return .everywhere
  }

  /// Handles a note-off.
  @_noLocks mutating func release(by source: UInt64) -> EventRoute {
    let others = holders & ~source
    let isCopy = copies & source != 0
    forget(source)
    return EventRoute(
      isPlayed: others == 0, isRecorded: !isCopy && others & ~copies & ~Self.host == 0)
  }

  /// Removes a source, because another of its messages has ended all its notes.
  @_noLocks mutating func forget(_ source: UInt64) {
    holders &= ~source
    copies &= ~source
  }

  @_noLocks func isHeld(by source: UInt64) -> Bool { holders & source != 0 }

  @_noLocks func isHeld(byOthersThan source: UInt64) -> Bool { holders & ~source != 0 }
}

/// The destinations of a message from one of several sources.
struct EventRoute: BitwiseCopyable {
  /// Whether the unit receives it.
  var isPlayed: Bool
  /// Whether the host receives it, for recording. The host never receives its own messages.
  var isRecorded: Bool

  @_noLocks init(isPlayed: Bool, isRecorded: Bool) {
    self.isPlayed = isPlayed
    self.isRecorded = isRecorded
  }

  static var everywhere: Self { @_noLocks get { Self(isPlayed: true, isRecorded: true) } }
  static var nowhere: Self { @_noLocks get { Self(isPlayed: false, isRecorded: false) } }
}
