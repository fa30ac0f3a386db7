import RenderCore

/// Merges the messages of several sources for the sounds of zones, by the rules of ``SourceMerger``, before they are
/// written to the FIFO. (The messages of the port's own unit are merged by the render thread, together with a host's.)
///
/// `@unchecked Sendable`: one thread at a time uses it.
final class ZoneMergers: @unchecked Sendable {
  /// By the numbers of the sounds; empty until one plays.
  @exclusivity(unchecked) private var mergers: [SourceMerger?] = []
  private let mergerMemory = RenderMemory()
  @exclusivity(unchecked) private var merged: MergedEvents
  private let memory = RenderMemory()

  init() { merged = MergedEvents(capacity: 1, in: memory) }

  /// Passes the messages that a sound receives for a message of a source to `write`.
  ///
  /// - Parameters:
  ///   - related: One bit for each source with an origin in common.
  ///   - time: In nanoseconds.
  ///   - write: Returns whether there was room.
  /// - Returns: Whether there was room for all.
  func merge(
    _ message: ChannelMessage, from source: LiveInput.Source, to sound: UInt8, related: UInt64,
    at time: Int64, _ write: (ChannelMessage) -> Bool
  ) -> Bool {
    merged.clear()
    merged.begin(at: 0, isOfHost: false)
    merger(sound).merge(
      message, from: source.number, related: related, at: time, into: &merged)
    for event in merged.toPlay {
      if case .channel(let message) = event.content, !write(message) { return false }
    }
    return true
  }

  /// Ends a source for a sound, and passes the messages that the sound receives to `write`.
  ///
  /// - Parameter room: The number of messages that can be written.
  /// - Returns: Whether there is room for all. If not, nothing has changed.
  func end(
    _ source: LiveInput.Source, for sound: UInt8, room: Int, _ write: (ChannelMessage) -> Void
  ) -> Bool {
    if merger(sound).endCount(of: source.number) > room { return false }
    merged.clear()
    merged.begin(at: 0, isOfHost: false)
    merger(sound).end(source.number, into: &merged)
    for event in merged.toPlay { if case .channel(let message) = event.content { write(message) } }
    return true
  }

  /// Updates the state of a sound from a System Exclusive message.
  func follow(sysEx bytes: [UInt8], for sound: UInt8, from source: LiveInput.Source) {
    bytes.withUnsafeBufferPointer { merger(sound).follow(sysEx: $0, from: source.number) }
  }

  /// Forgets the state of all sounds, because everything has been released.
  func removeAll() {
    mergers = []
    mergerMemory.release()
  }

  private func merger(_ sound: UInt8) -> SourceMerger {
    if mergers.isEmpty { mergers = [SourceMerger?](repeating: nil, count: 256) }
    if let merger = mergers[Int(sound)] { return merger }
    // Times are in nanoseconds.
    let merger = SourceMerger(sampleRate: 1_000_000_000, in: mergerMemory)
    mergers[Int(sound)] = merger
    return merger
  }
}
