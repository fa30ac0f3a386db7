/// The state of one source of notes, which ends with the source: keys and switches (``HeldNotes``), and wheels,
/// pedals and pressure (``ControlPositions``).
///
/// Realtime: yes.
package struct SourceState: BitwiseCopyable, Sendable {
  package private(set) var notes = HeldNotes()
  package private(set) var positions = ControlPositions()

  @_noLocks package init() {}

  /// Whether the source holds nothing, and everything is at rest.
  package var isEmpty: Bool { @_noLocks get { notes.isEmpty && positions.areAtRest } }

  /// Updates the state from a message of the source.
  @_noLocks package mutating func follow(_ message: ChannelMessage) {
    notes.follow(message)
    positions.follow(message)
  }

  /// Updates the state from a System Exclusive message of the source, without F0 and F7.
  @_noLocks package mutating func follow(sysEx bytes: UnsafeBufferPointer<UInt8>) {
    if SystemExclusive.resets(bytes) { self = SourceState() }
  }

  /// Ends one thing: keys first, then switches, then positions.
  ///
  /// - Returns: The message that ends it; `nil` when nothing is left.
  @_noLocks package mutating func popEnd() -> ChannelMessage? {
    if let release = notes.popRelease() { return release }
    return positions.popRest()
  }

  /// Ends everything, as far as `send` has room for the messages that do so.
  ///
  /// - Parameter send: Returns `false` if there is no room; what the message ends then remains.
  @_noLocks package mutating func end(_ send: (ChannelMessage) -> Bool) {
    while !isEmpty {
      var rest = self
      guard let message = rest.popEnd(), send(message) else { return }
      self = rest
    }
  }

  /// Forgets the keys and switches, which have been released.
  @_noLocks package mutating func forgetNotes() { notes = HeldNotes() }

  /// Forgets the positions of a channel, or of all, because a message of another source has reset the instrument.
  @_noLocks package mutating func resetPositions(of channel: UInt8? = nil) {
    if let channel { positions.reset(channel) } else { positions = ControlPositions() }
  }
}
