public import RenderCore

extension PublishedPort {
  /// The changes of the host's transport. A new element arrives when the host starts or stops playing or recording,
  /// changes its loop, tempo or meter, or jumps, and `nil` when it no longer provides a transport.
  ///
  /// The first element is the current transport. The transport is polled fifty times a second while the stream is
  /// iterated. A slow consumer gets only the latest element. Threads: any, and any number of consumers.
  public var transportChanges: AsyncStream<Transport?> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let polling = Task { [weak self] in
        var watch = TransportWatch()
        while let port = self, !Task.isCancelled {
          let transport = port.transport
          if watch.hasChanged(to: transport) { continuation.yield(transport) }
          try? await Task.sleep(for: .milliseconds(20))
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in polling.cancel() }
    }
  }
}

/// Detects changes of a transport other than its regular advance.
struct TransportWatch {
  private var last: Transport??

  /// The change of the beat in quarter notes that does not count as a jump.
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
    // The elapsed time is unknown, so only two cases are certain to be jumps: a step back, and an advance of more than
    // one second.
    return new.beat < old.beat - Self.tolerance || new.beat > old.beat + new.tempo / 60
  }
}
