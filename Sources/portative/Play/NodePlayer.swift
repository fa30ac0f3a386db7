import Components
import HostConnection
import MIDICore
import NodeHost
import OfflineRenderer
import RenderCore

/// Plays a song through a connection: schedules each event on its frame, and has the audio back.
///
/// Realtime: no. It could be, cycle for cycle; but it feeds files and waits for clocks.
final class NodePlayer: SongPlayer {
  private let connection: Connection
  private let lengths: CycleLengths
  private var pace: Pace?
  private let output: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private let maximumFrames: Int
  private(set) var notes = 0

  /// - Parameters:
  ///   - connection: Initialized, for two channels.
  ///   - pace: Waits before each cycle until its time has come; `nil`: as fast as it goes.
  init(_ connection: Connection, _ format: Format, lengths: CycleLengths, pace: Pace?) {
    self.connection = connection
    self.lengths = lengths
    self.pace = pace
    maximumFrames = format.maximumFrames
    output = .allocate(capacity: 2)
    for channel in 0..<2 { output[channel] = .allocate(capacity: maximumFrames) }
  }

  deinit {
    for channel in 0..<2 { output[channel].deallocate() }
    output.deallocate()
  }

  func render(_ cycle: Cycle, notes: Int, _ take: Taker) throws(RenderError) {
    self.notes += notes
    var done = 0
    for event in cycle.events {
      // The connection holds a good many events ahead. When it is full, time has to go on first.
      while try !schedule(event, of: cycle, at: Int(event.offset) - done) {
        guard Int(event.offset) > done else { throw .player(tooManyAtOnce) }
        done += try renderNext(atMost: Int(event.offset) - done, take)
      }
    }
    while done < cycle.frames { done += try renderNext(atMost: cycle.frames - done, take) }
  }

  private func schedule(
    _ event: MIDIEvent, of cycle: Cycle, at offset: Int
  ) throws(RenderError) -> Bool {
    let status: ScheduleStatus
    switch event.content {
    case .channel(let message):
      status = connection.schedule(message, at: offset)
    case .sysEx(let start, let count):
      status = schedule(sysEx: cycle.sysEx[Int(start)..<Int(start + count)], at: offset)
    // Files have none.
    case .system: return true
    }
    switch status {
    case .accepted: return true
    case .full: return false
    // A message that no FIFO can hold, or that FluidSynth would not take either, is left out.
    case .tooLong, .malformed, .unknownParameter, .outOfRange: return true
    case .notRunning: throw ended
    }
  }

  private func schedule(sysEx: Slice<UnsafeBufferPointer<UInt8>>, at offset: Int) -> ScheduleStatus
  {
    ([0xF0] + sysEx + [0xF7]).withUnsafeBufferPointer {
      connection.schedule(bytes: $0, at: offset)
    }
  }

  private func renderNext(atMost limit: Int, _ take: Taker) throws(RenderError) -> Int {
    let frames = min(limit, lengths.next())
    pace?.wait(forNext: frames)
    switch connection.render(frames: frames, into: UnsafePointer(output)) {
    case .rendered, .late:
      take(
        UnsafeBufferPointer(start: output[0], count: frames),
        UnsafeBufferPointer(start: output[1], count: frames))
      return frames
    case .parked, .notInitialized, .connectionLost, .badFrameCount:
      throw ended
    }
  }

  /// Why the song cannot go on, and what to do about it.
  private var ended: RenderError {
    let (port, node) = (connection.port.name, connection.node)
    switch connection.status {
    case .lost(.nodeEnded):
      return .player(
        "\(port) is gone in the middle of the song: the node '\(node.name)' (process "
          + "\(node.processID)) has ended; start it again, then play again")
    case .lost(.portWithdrawn):
      return .player(
        "\(port) is gone in the middle of the song: the node '\(node.name)' does not publish it any "
          + "more; start the node, or publish the port, then play again")
    case .lost(let reason):
      return .player("\(port) is lost in the middle of the song: \(reason); play again")
    case .parked(.late):
      return .player(
        "\(port) was late in \(connection.lateLimit) cycles running, so it was given up: use longer "
          + "cycles (--cycle), end what else keeps the machine busy, or see that the node may have "
          + "realtime priority")
    case .parked(.notRendered):
      return .player(
        "\(port) was given to others, for this host had stopped playing: play again")
    case .open, .initialized:
      return .player("\(port) plays no more: \(connection.status)")
    }
  }

  private var tooManyAtOnce: String {
    "more events on one frame than a connection can hold: render the song with portative render"
  }
}
