import NodeProtocol
import RenderCore
import Threads

// The node's answer.
extension HostState {
  /// Waits until the node has answered the cycle.
  ///
  /// - Parameter limit: The longest wait in nanoseconds after ``postTime``; `nil` for the limit of the mode.
  @_noLocks mutating func finish(within limit: Int64?) -> RenderStatus {
    if let outcome { return outcome }
    let status: RenderStatus
    if let limit {
      status = awaitAnswer(within: max(0, limit))
    } else {
      status = awaitAnswer(within: self.limit)
    }
    outcome = status
    return status
  }

  @_noLocks private mutating func awaitAnswer(within limit: Int64?) -> RenderStatus {
    phase.beginWait()
    defer { phase.endWait() }
    guard let limit else { return awaitAnswerOffline() }
    let (sum, overflows) = postTime.addingReportingOverflow(limit)
    let deadline = overflows ? .max : sum
    // With a limit of 0, the kernel's timeout ends the wait immediately.
    guard let waitDeadline, limit > 0 else {
      return awaitAnswer(until: deadline, timer: deadline)
    }
    waitDeadline.set(deadline, limit: limit)
    let status = awaitAnswer(until: deadline, timer: nil)
    waitDeadline.clear()
    return status
  }

  /// Waits until the node has answered the cycle.
  ///
  /// - Parameters:
  ///   - deadline: The time after which the cycle is late; `nil` for no limit.
  ///   - timer: The time at which the kernel ends the wait; `nil` if the ``DeadlineTimer`` does.
  @_noLocks mutating func awaitAnswer(until deadline: Int64?, timer: Int64?) -> RenderStatus {
    var isInTime = true
    while true {
      let answer = cycle.answered.value
      if answer == number { return done() }
      if let status = phase.obstacle { return status }
      if !isInTime { return countLate() }
      cycle.answered.wait(while: answer, until: timer)
      // The clock decides whether the cycle is late, because a word that changes continuously would end every wait
      // early. It is not read if the node has answered, to save time.
      if let deadline, cycle.answered.value != number { isInTime = MonotonicClock.now < deadline }
    }
  }

  /// Waits as long as the node makes progress with the cycle.
  @_noLocks private mutating func awaitAnswerOffline() -> RenderStatus {
    guard let stallLimit else { return awaitAnswer(until: nil, timer: nil) }
    var progress = counters.progress.value
    var deadline = postTime + stallLimit
    while true {
      let answer = cycle.answered.value
      if answer == number { return done() }
      if let status = phase.obstacle { return status }
      let (latest, now) = (counters.progress.value, MonotonicClock.now)
      if latest != progress {
        progress = latest
        deadline = now + stallLimit
      } else if now >= deadline {
        // Offline, the first late cycle parks the connection, because a rendered song with a gap is unusable.
        lateRun = lateLimit
        return countLate()
      }
      // The thread that reads the socket also wakes this thread regularly, so the time is checked above.
      cycle.answered.wait(while: answer, until: deadline)
    }
  }

  @_noLocks private mutating func done() -> RenderStatus {
    isOutstanding = false
    isRendered = true
    lateRun = 0
    statistics.pointee.cycles += 1
    let nanoseconds = MonotonicClock.now - postTime
    statistics.pointee.roundTrips.add(nanoseconds)
    roundTrip = UInt32(clamping: nanoseconds)
    findDefects()
    receive()
    return .rendered
  }

  /// Replaces infinite and NaN samples by 0 while the host owns the shared memory, and reads the node's counters.
  @_noLocks private mutating func findDefects() {
    for channel in 0..<format.outputChannels {
      defects.invalidSamples += Sample.silenceInvalid(channels[channel], count: frames)
    }
    if defects.invalidSamples > 0 {
      statistics.pointee.invalidSamples += defects.invalidSamples
      counters.invalidOutput.store(UInt32(truncatingIfNeeded: statistics.pointee.invalidSamples))
    }
    let late = counters.lateNotes.value
    if late != lateNotes {
      defects.lateNotes = Int(late &- lateNotes)
      statistics.pointee.lateNotes += defects.lateNotes
      lateNotes = late
    }
    let invalid = counters.invalidInput.value
    if invalid != invalidInput {
      defects.invalidInputSamples = Int(invalid &- invalidInput)
      statistics.pointee.invalidInputSamples += defects.invalidInputSamples
      invalidInput = invalid
    }
  }

  /// Reads the events that the node has sent in this cycle and in late cycles before it.
  @_noLocks private mutating func receive() {
    received = reader.next(from: position, frames: frames)
    statistics.pointee.receivedEvents += received.events.count
    statistics.pointee.lateEvents = reader.late
    statistics.pointee.malformedEvents = reader.malformed
    statistics.pointee.refusedEvents = Int(counters.refusedEvents.value)
  }

  @_noLocks mutating func countLate() -> RenderStatus {
    statistics.pointee.cycles += 1
    statistics.pointee.lateCycles += 1
    lateRun += 1
    if lateRun >= lateLimit { phase.park(.late) }
    return .late
  }
}
