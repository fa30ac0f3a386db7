/// The first and the last audible frame of a note, as far as it has been rendered.
///
/// Realtime: yes.
struct AudibleFrames: BitwiseCopyable {
  /// The number of the note in the ``NoteLog``; −1 if nothing is measured.
  let note: Int32
  /// −1 if no frame was audible.
  private(set) var first: Int64 = -1
  private(set) var last: Int64 = -1

  @_noLocks init(ofNote note: Int32 = -1) { self.note = note }

  /// Measures further frames of the note.
  ///
  /// - Parameters:
  ///   - left: May be `nil`, for silence.
  ///   - right: The same for the right channel.
  ///   - start: The first of the frames.
  @_noLocks mutating func measure(
    _ left: UnsafePointer<Float>?, _ right: UnsafePointer<Float>?, frames: Int, from start: Int64
  ) {
    guard note >= 0 else { return }
    var last = -1
    if let left { last = Self.last(in: left, from: 0, frames) }
    if let right { last = max(last, Self.last(in: right, from: last + 1, frames)) }
    if last < 0 { return }
    self.last = start + Int64(last)
    guard self.first < 0 else { return }
    var first = last
    if let left { first = Self.first(in: left, before: first) }
    if let right { first = Self.first(in: right, before: first) }
    self.first = start + Int64(first)
  }

  /// - Returns: −1 if no sample from `begin` on is audible.
  @_noLocks private static func last(
    in samples: UnsafePointer<Float>, from begin: Int, _ end: Int
  ) -> Int {
    var i = end - 1
    while i >= begin {
      if abs(samples[i]) >= LoggedNote.threshold { return i }
      i -= 1
    }
    return -1
  }

  /// - Returns: `end` if no earlier sample is audible.
  @_noLocks private static func first(in samples: UnsafePointer<Float>, before end: Int) -> Int {
    for i in 0..<end where abs(samples[i]) >= LoggedNote.threshold { return i }
    return end
  }
}
