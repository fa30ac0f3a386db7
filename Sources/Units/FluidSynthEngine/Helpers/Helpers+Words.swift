import Threads

// The shared words.
extension Helpers {
  /// The number of lanes that helpers have rendered in the cycle, and ``waitingBit``.
  var finished: SharedWord { @_noLocks get { words[0] } }
  /// Set while the render thread blocks until ``finished`` changes.
  static var waitingBit: UInt32 { @_noLocks get { 1 << 31 } }
  /// The identifier of the render thread, which writes it.
  var leader: SharedWord { @_noLocks get { words[1] } }
  /// Not 0: the helpers must end. Written by the owner.
  var stopping: SharedWord { @_noLocks get { words[2] } }
  /// For tests: while not 0, helpers block after they have taken lanes.
  var obstacle: SharedWord { @_noLocks get { words[3] } }
  /// A value of ``HelperCall``.
  @_noLocks func word(of helper: Int) -> SharedWord { words[Self.sharedWords + helper] }

  static var sharedWords: Int { @_noLocks get { 4 } }
}

/// The values of the word with which the render thread calls a helper.
enum HelperCall {
  static var none: UInt32 { @_noLocks get { 0 } }
  static var pending: UInt32 { @_noLocks get { 1 } }
  /// The helper cannot follow the render thread.
  static var declined: UInt32 { @_noLocks get { 2 } }
}
