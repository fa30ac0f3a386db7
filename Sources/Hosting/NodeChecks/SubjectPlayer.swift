import Glibc
import LocalSystem
import NodeHost
import NodeProtocol
import PluginNodes
import RenderCore

/// Why a subject did not play: a sentence without a subject, such as "was ended by signal 11 in cycle 3".
struct CheckFault: Error {
  let text: String
}

/// Plays new units of a subject, which are ended with their process by a fault. The next unit then gets a new process.
///
/// Threads: one.
final class SubjectPlayer {
  private let subject: any CheckSubject
  private let isProbed: Bool
  private var connection: Connection?
  private var format = Format()
  /// The cycles of the present unit.
  private var cycles = 0
  /// The frames that the present unit has played.
  private var position = 0
  /// Of all units: the cycles, the samples that were infinite or NaN, and the faults.
  private(set) var totalCycles = 0
  private(set) var invalidSamples = 0
  private(set) var faults = 0
  /// Whether a unit may follow another one in the same process.
  var reusesProcess = true

  /// The rate at which most is measured.
  static let rate = 48_000
  /// The cycle with which most is measured, in frames.
  static let cycle = 1024
  /// The longest wait for a cycle without a sign of life.
  private static let stallLimit = 10
  /// The longest wait for a process to end.
  private static let endLimit = 2

  /// - Parameter isProbed: Whether the subject is watched, in realtime mode: work of its plugins is not done in the cycle.
  init(_ subject: any CheckSubject, isProbed: Bool = false) {
    (self.subject, self.isProbed) = (subject, isProbed)
  }

  deinit { leaveProcess() }

  /// Makes a new unit, and plays it.
  func play(
    _ stimulus: Stimulus, rate: Int = rate, cycle: Int = cycle
  ) throws(CheckFault) -> Recording {
    _ = try begin(rate: rate)
    return try render(stimulus, cycle: cycle)
  }

  /// Makes a new unit.
  func begin(rate: Int = rate) throws(CheckFault) -> Connection {
    (cycles, position) = (0, 0)
    if !reusesProcess { leaveProcess() }
    do throws(ConnectionError) {
      let connection = try connect()
      connection.uninitialize()
      connection.stallLimit = .seconds(Self.stallLimit)
      // A watched unit may take its time.
      connection.deadlineFraction = 1000
      format = Format(
        sampleRate: rate, inputChannels: subject.inputs, outputChannels: subject.outputs,
        maximumFrames: subject.longestCycle)
      try PluginProcess.initialize(
        connection, format, mode: isProbed ? .realtime : .offline, priority: 0)
      return connection
    } catch {
      leaveProcess()
      faults += 1
      throw CheckFault(text: "does not start: \(error)")
    }
  }

  private func connect() throws(ConnectionError) -> Connection {
    if let connection { return connection }
    let new = try subject.connect(isProbed: isProbed)
    connection = new
    return new
  }

  /// Lets the present unit play on.
  func render(_ stimulus: Stimulus, cycle: Int = cycle) throws(CheckFault) -> Recording {
    guard let connection else { throw CheckFault(text: "has no process") }
    schedule(stimulus, connection)
    var recording = Recording(channels: format.outputChannels, frames: stimulus.frames)
    var input = stimulus.input
    if input.count < stimulus.frames {
      input += [Float](repeating: 0, count: stimulus.frames - input.count)
    }
    var begin = 0
    while begin < stimulus.frames {
      if Interruption.signal != nil { throw CheckFault(text: "was interrupted") }
      let frames = min(cycle, stimulus.frames - begin)
      if stimulus.transports.isEmpty {
        if subject.type == .generator { connection.setTransport(song) }
      } else {
        for (frame, transport) in stimulus.transports where (begin..<begin + frames).contains(frame)
        {
          connection.setTransport(transport, at: frame - begin)
        }
      }
      position += frames
      let status = input.withUnsafeBufferPointer { samples in
        let pointer = samples.baseAddress.unsafelyUnwrapped + begin
        let channels = [UnsafePointer<Float>](repeating: pointer, count: format.inputChannels)
        return channels.withUnsafeBufferPointer { channels in
          connection.render(
            frames: frames,
            input: channels.baseAddress.map { AudioInput($0, count: channels.count) }
              ?? AudioInput())
        }
      }
      cycles += 1
      totalCycles += 1
      if status != .rendered { throw fault(status, connection) }
      recording.invalidSamples += connection.defects.invalidSamples
      recording.append(connection.receivedEvents, at: begin)
      for channel in 0..<format.outputChannels {
        recording.append(
          UnsafeBufferPointer(start: connection.output(channel: channel), count: frames),
          to: channel)
      }
      begin += frames
    }
    invalidSamples += recording.invalidSamples
    return recording
  }

  /// A song that plays from the first frame on, which generators may follow.
  private var song: Transport {
    var song = Transport()
    song.isPlaying = true
    song.songFrame = Int64(position)
    song.beat = Double(position) / Double(format.sampleRate) * song.tempo / 60
    song.barStart = (song.beat / 4).rounded(.down) * 4
    return song
  }

  /// Ends the present process, so that the next unit has a new one. It may end by itself, because it may hold locks that plugins of other
  /// processes wait for.
  func leaveProcess() {
    connection?.close()
    if let program = connection?.program, program.waitForEnd(atMost: .seconds(Self.endLimit)) == nil
    {
      program.kill()
    }
    connection = nil
  }

  /// Calls a function with requests to the present unit.
  func request<Value>(
    _ body: (Connection) throws(ConnectionError) -> Value
  ) throws(CheckFault) -> Value {
    guard let connection else { throw CheckFault(text: "has no process") }
    do throws(ConnectionError) {
      return try body(connection)
    } catch {
      if case .lost = connection.status { throw fault(.connectionLost, connection) }
      throw CheckFault(text: "refuses: \(error)")
    }
  }

  private func schedule(_ stimulus: Stimulus, _ connection: Connection) {
    for note in stimulus.notes {
      _ = connection.schedule(
        ChannelMessage(.noteOn, channel: 0, note.key, 100), at: note.frame)
      guard let length = note.length else { continue }
      _ = connection.schedule(
        ChannelMessage(.noteOff, channel: 0, note.key, 64), at: note.frame + length)
    }
    for change in stimulus.changes {
      _ = connection.schedule(
        parameter: change.index, to: change.value, over: change.ramp, at: change.frame)
    }
    for (frame, bytes) in stimulus.sysEx {
      bytes.withUnsafeBufferPointer { _ = connection.schedule(bytes: $0, at: frame) }
    }
  }

  /// Ends the process of a unit that has not rendered a cycle.
  private func fault(_ status: RenderStatus, _ connection: Connection) -> CheckFault {
    faults += 1
    defer { leaveProcess() }
    if case .connectionLost = status {
      let ending = connection.program?.waitForEnd(atMost: .seconds(2))
      return CheckFault(
        text: "\(ending.map { "\($0)" } ?? "has left the connection") in cycle \(cycles)")
    }
    return CheckFault(text: "hangs in cycle \(cycles), for \(Self.stallLimit) s")
  }
}
