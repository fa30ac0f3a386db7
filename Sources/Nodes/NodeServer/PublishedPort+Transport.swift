public import RenderCore

extension PublishedPort {
  /// What its host's transport does, off the render thread: a new element when the host starts or stops, records,
  /// loops otherwise, changes tempo or meter, or jumps; and `nil` when it says nothing any more.
  ///
  /// The first element is how it is now. Looked at fifty times a second, while someone listens; of what a slow
  /// listener has not taken, the latest stays. Threads: any, and any number of listeners.
  public var transportChanges: AsyncStream<Transport?> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { listener in
      let watching = Task { [weak self] in
        var watch = TransportWatch()
        while let port = self, !Task.isCancelled {
          let transport = port.transport
          if watch.hasChanged(to: transport) { listener.yield(transport) }
          try? await Task.sleep(for: .milliseconds(20))
        }
        listener.finish()
      }
      listener.onTermination = { _ in watching.cancel() }
    }
  }
}

/// Tells whether a transport goes on as it did, or has changed.
struct TransportWatch {
  private var last: Transport??

  /// How far the beat may be from where the tempo would have taken it, in quarter notes.
  private static let tolerance = 0.02

  mutating func hasChanged(to new: Transport?) -> Bool {
    defer { last = .some(new) }
    guard let last else { return true }
    guard let old = last, let new else { return last != nil || new != nil }
    return old.provides != new.provides || old.isPlaying != new.isPlaying
      || old.isRecording != new.isRecording || old.isLooping != new.isLooping
      || old.meter != new.meter || old.loopStart != new.loopStart || old.loopEnd != new.loopEnd
      || abs(old.tempo - new.tempo) > 1e-6 || hasJumped(from: old, to: new)
  }

  private func hasJumped(from old: Transport, to new: Transport) -> Bool {
    guard new.provides.has(.beat) else { return false }
    if !new.advances { return abs(new.beat - old.beat) > Self.tolerance }
    // Without the time that has passed, only what goes back is sure; what goes on by a second is none either.
    return new.beat < old.beat - Self.tolerance || new.beat > old.beat + new.tempo / 60
  }
}
