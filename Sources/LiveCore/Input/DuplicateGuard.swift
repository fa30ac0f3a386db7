import MIDICore

/// Plays a note once that arrives twice: through a patchbay and directly, or from a keyboard and through
/// a host.
///
/// A note-on that follows one of the same key and channel within 3 ms, but from another source, is left
/// out, and so is the note-off that belongs to it. A source's own repetitions are its own affair.
///
/// Realtime: yes. Allocates when it is made; ``destroy()`` must follow.
struct DuplicateGuard: BitwiseCopyable {
  /// One for each channel and key.
  private let strokes: UnsafeMutablePointer<Stroke>
  /// Frames within which it is the same note.
  private let window: Int64

  private struct Stroke: BitwiseCopyable {
    var frame = Int64.min / 2
    var source: UInt8 = 0
    /// A bit for each source whose note-on was left out.
    var left: UInt64 = 0
  }

  private static var count: Int { 16 * 128 }
  /// Seconds.
  private static var span: Double { 0.003 }

  init(sampleRate: Int) {
    strokes = .allocate(capacity: Self.count)
    strokes.initialize(repeating: Stroke(), count: Self.count)
    window = Int64(Double(sampleRate) * Self.span)
  }

  func destroy() { strokes.deallocate() }

  /// - Parameters:
  ///   - source: 0 for the host, else that of a ``LiveInput``.
  ///   - frame: On a scale that goes on from cycle to cycle; not before that of the message before.
  /// - Returns: Whether the message is to be played.
  @_noLocks func admits(_ message: ChannelMessage, from source: UInt8, at frame: Int64) -> Bool {
    guard message.startsNote || message.endsNote else { return true }
    let stroke = strokes + Int(message.channel) * 128 + Int(message.data1)
    let bit = UInt64(1) << UInt64(source & 63)
    if message.startsNote {
      if frame - stroke.pointee.frame <= window, stroke.pointee.source != source {
        stroke.pointee.left |= bit
        return false
      }
      stroke.pointee.frame = frame
      stroke.pointee.source = source
      stroke.pointee.left &= ~bit
      return true
    }
    if stroke.pointee.left & bit == 0 { return true }
    stroke.pointee.left &= ~bit
    return false
  }
}
