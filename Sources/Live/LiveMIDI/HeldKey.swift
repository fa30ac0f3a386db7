/// Who holds one key of one channel: a bit for each source, of which 0 is the host.
///
/// **Law "notes end":** a key ends when the last source that holds it releases it, so nobody ends another's note.
///
/// **The duplicate guard.** The same stroke may come twice: from a keyboard and through the host that it plays, or
/// from a keyboard and through another program. A stroke is a copy if a source of the same origin has struck the key
/// within 3 ms before; it is not heard, and the key is held until both have released it. Sources that have no origin
/// in common never copy each other, nor does a source copy itself.
///
/// Realtime: yes.
struct HeldKey: BitwiseCopyable {
  private var holders: UInt64 = 0
  /// Those of them whose stroke was a copy.
  private var copies: UInt64 = 0
  /// Who has struck it since ``latest``, or within the window before.
  private var strikers: UInt64 = 0
  private var latest = Int64.min / 2

  /// Seconds within which two strokes of one origin are the same.
  static var window: Double { @_noLocks get { 0.003 } }

  private static var host: UInt64 { @_noLocks get { 1 } }

  @_noLocks init() {}

  /// - Parameters:
  ///   - source: Its bit.
  ///   - related: Those that have an origin in common with it.
  ///   - frame: When; not before the stroke before.
  ///   - window: ``window`` in frames.
  @_noLocks mutating func strike(
    by source: UInt64, related: UInt64, at frame: Int64, window: Int64
  ) -> Passage {
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

  @_noLocks mutating func release(by source: UInt64) -> Passage {
    let others = holders & ~source
    let isCopy = copies & source != 0
    forget(source)
    return Passage(
      isPlayed: others == 0, isRecorded: !isCopy && others & ~copies & ~Self.host == 0)
  }

  /// A message of the source's ended all its notes.
  @_noLocks mutating func forget(_ source: UInt64) {
    holders &= ~source
    copies &= ~source
  }

  @_noLocks func isHeld(by source: UInt64) -> Bool { holders & source != 0 }

  @_noLocks func isHeld(byOthersThan source: UInt64) -> Bool { holders & ~source != 0 }
}

/// Where a message goes that one of several sources has sent.
struct Passage: BitwiseCopyable {
  /// To the unit.
  var isPlayed: Bool
  /// To the host that records what keyboards play; it knows itself what it sends.
  var isRecorded: Bool

  @_noLocks init(isPlayed: Bool, isRecorded: Bool) {
    self.isPlayed = isPlayed
    self.isRecorded = isRecorded
  }

  static var everywhere: Self { @_noLocks get { Self(isPlayed: true, isRecorded: true) } }
  static var nowhere: Self { @_noLocks get { Self(isPlayed: false, isRecorded: false) } }
}
