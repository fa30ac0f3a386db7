import RenderCore

// The record of when notes begin and end.
extension ExactState {
  /// Enables the log. Must be called before the first cycle. Realtime: no.
  mutating func keepLog(notes: Int, in memory: RenderMemory) {
    log = NoteLog(capacity: notes, in: memory)
  }

  /// The notes so far, with what was measured of those that still sound. Realtime: no.
  var loggedNotes: [LoggedNote] {
    guard let log else { return [] }
    forEachLane { log.close($0.pointee) }
    return (0..<min(log.capacity, statistics.notes)).map { log.notes[$0] }
  }

  /// The notes that channels returned to so far. Realtime: no.
  var loggedReturns: [LoggedNote] {
    guard let log else { return [] }
    forEachLane { log.close($0.pointee) }
    return (0..<log.returnCount).map { log.notes[log.capacity + $0] }
  }

  /// Logs a note that a channel returns to.
  @_noLocks mutating func logReturn(to key: LegatoKeys.Key, _ channel: UInt8, at frame: Int64) {
    log?.beginReturn(to: key, channel, channels[Int(channel)].state.preset, at: frame)
  }

  @_noLocks func pedals(of channel: UInt8) -> NoteLog.Pedals {
    let state = channels + Int(channel)
    return NoteLog.Pedals(
      sustain: state.pointee.isDown(Controller.sustain),
      sostenuto: state.pointee.isDown(Controller.sostenuto))
  }

  /// Logs the note that has just been counted.
  @_noLocks mutating func logNote(_ channel: UInt8, key: UInt8, velocity: UInt8, at frame: Int64) {
    let pedals = pedals(of: channel)
    log?.begin(
      statistics.notes - 1,
      LoggedNote(
        onset: frame, channel: channel, key: key, velocity: velocity,
        preset: channels[Int(channel)].state.preset), pedals: pedals)
  }

  /// Logs a controller, after it was applied to the channel.
  @_noLocks func logController(_ channel: UInt8, number: UInt8, value: UInt8, at frame: Int64) {
    guard let log else { return }
    switch number {
    case Controller.sustain where value < 64: log.lift(.sustain, channel, at: frame)
    case Controller.sostenuto where value < 64: log.lift(.sostenuto, channel, at: frame)
    case Controller.sostenuto: log.pressSostenuto(channel)
    case Controller.resetAll:
      log.lift(.sustain, channel, at: frame)
      log.lift(.sostenuto, channel, at: frame)
    default: break
    }
  }

  /// Logs the end of all notes of a channel.
  @_noLocks func logEnd(_ channel: UInt8, by number: UInt8, at frame: Int64) {
    guard let log else { return }
    if number == Controller.allSoundOff {
      forEachLane(of: channel) { lane in
        if renderUpTo(lane, to: frame) { log.cut(lane.pointee.note) }
      }
      log.silence(channel, at: frame)
    } else {
      log.releaseAll(channel, at: frame, pedals(of: channel))
    }
  }

  /// Logs that the current note continues in the voices of a lane's note.
  @_noLocks func logContinuation(of lane: UnsafeMutablePointer<Lane>, at frame: Int64) {
    guard let log else { return }
    log.close(lane.pointee)
    log.end(lane.pointee.note, .continued, at: frame)
  }
}
