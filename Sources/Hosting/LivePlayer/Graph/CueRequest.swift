import LocalSystem

/// A request of the render thread to the scheduler: the song is to be ready to play from a frame. Cycles that were scheduled
/// before do not belong to the course of the request.
///
/// Realtime: yes, except creation and destruction.
struct CueRequest: Sendable, BitwiseCopyable {
  private let words = SharedWords(count: 2)

  func destroy() { words.destroy() }

  /// The number of the last request; 0 before the first.
  var course: UInt32 { @_noLocks get { words[0].value } }
  /// The frame of the last request, in JACK's range. Must be read after ``course``.
  var frame: Int64 { @_noLocks get { Int64(words[1].value) } }

  /// Threads: the render thread only.
  @_noLocks func post(_ frame: Int64) {
    words[1].store(UInt32(truncatingIfNeeded: frame))
    words[0].increase()
  }
}
