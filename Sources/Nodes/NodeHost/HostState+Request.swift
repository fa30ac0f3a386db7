import NodeProtocol
import RenderCore
import Threads

// The request of a cycle.
extension HostState {
  /// Requests a cycle: writes the due events, the transports and the input, and wakes the node.
  ///
  /// - Parameters:
  ///   - frames: The number of frames: 1 to the format's maximum.
  ///   - hostTime: The time at which the first frame is audible, in nanoseconds of ``MonotonicClock``; `nil` for now.
  ///   - input: The input. Copied; missing channels are silent.
  ///   - together: Whether this thread only waits until the node has answered.
  ///   - limit: The longest wait in nanoseconds, except offline; `nil` for a fraction of the cycle's duration.
  /// - Returns: The status of the cycle if it could not be requested; `nil` while the node renders it.
  @_noLocks mutating func post(
    frames: Int, hostTime: Int64?, input: AudioInput = AudioInput(), together: Bool,
    within limit: Int64? = nil
  ) -> RenderStatus? {
    let status = request(
      frames: frames, hostTime: hostTime, input: input, together: together, within: limit)
    // The transports apply only to this cycle, even if it could not be requested.
    transport.removeAll()
    return status
  }

  @_noLocks private mutating func request(
    frames: Int, hostTime: Int64?, input: AudioInput, together: Bool, within limit: Int64?
  ) -> RenderStatus? {
    if processor == Self.unknown { processor = SystemThread.pinnedProcessor }
    isRendered = false
    received = Self.nothing
    defects = CycleDefects()
    outcome = obstacle(frames: frames)
    if let outcome { return outcome }
    writeEvents(before: nextPosition)
    transportWriter.write(transport.points(frames: frames))
    copy(input, frames: frames)
    postTime = MonotonicClock.now
    cycle.frames = UInt32(frames)
    cycle.position = position
    cycle.hostTime = hostTime ?? postTime
    cycle.processor = together ? processor : -1
    cycle.roundTrip = roundTrip
    roundTrip = 0
    // A host that begins several nodes has not set the limit for this one yet, so the node gets no deadline.
    self.limit = isOffline ? nil : limit ?? defaultLimit
    if let limit = self.limit, together {
      cycle.deadline = postTime + limit
    } else {
      cycle.deadline = 0
    }
    number &+= 1
    isOutstanding = true
    cycle.posted.store(number)
    cycle.posted.wake()
    return nil
  }

  /// Advances the position by one cycle.
  ///
  /// - Returns: The status if the cycle cannot be requested; otherwise `nil`.
  @_noLocks private mutating func obstacle(frames: Int) -> RenderStatus? {
    guard frames >= 1, frames <= format.maximumFrames else { return .badFrameCount }
    self.frames = frames
    position = nextPosition
    nextPosition += Int64(frames)
    if let status = phase.obstacle { return status }
    // While a cycle is outstanding, no other is requested. Its answer only ends that state: the cycle has timed out.
    return isOutstanding && cycle.answered.value != number ? countLate() : nil
  }

  /// The limit of the wait in nanoseconds, as a fraction of the cycle's duration.
  private var defaultLimit: Int64 {
    @_noLocks mutating get {
      Int64(Double(frames) * deadlineFraction * 1e9 / Double(format.sampleRate))
    }
  }

  @_noLocks private mutating func copy(_ input: AudioInput, frames: Int) {
    for channel in 0..<format.inputChannels {
      if channel < input.count {
        UnsafeMutableRawPointer(inputs[channel]).copyMemory(
          from: input[channel], byteCount: frames * MemoryLayout<Float>.stride)
      } else {
        inputs[channel].update(repeating: 0, count: frames)
      }
    }
  }

  /// Writes the events that act before `end` to the FIFO.
  @_noLocks private mutating func writeEvents(before end: Int64) {
    while let event = store.first, event.frame < end {
      let isWritten =
        switch event.content {
        case .channel(let message):
          writer.write(message, at: event.frame)
        case .system(let message):
          writer.write(message, at: event.frame)
        case .sysEx(let message):
          store.sysEx.write(message, to: &writer, at: event.frame)
        case .parameter(let change):
          writer.write(change, at: event.frame)
        }
      if !isWritten { break }
      store.removeFirst()
    }
    writer.publish()
  }
}
