import ConnectionTestSupport
import FluidSynthEngine
import NodeHost
import RenderCore

/// A unit under test, in this process or in that of a node.
protocol Stage: AnyObject {
  var tree: ParameterTree { get }

  /// Renders one cycle.
  ///
  /// - Returns: The audio, which is valid until the next cycle.
  func render(_ turn: Performance.Turn, input: AudioInput) throws -> AudioInput
}

/// A unit in this process.
final class DirectStage: Stage {
  let unit: any RenderUnit
  private let output = StereoOutput(frames: 8192)

  init(_ unit: ShippedUnit, _ effects: Effects = Effects(), sampleRate: Int = 48_000) throws {
    self.unit = try unit.source(effects).makeUnit(
      Format(
        sampleRate: sampleRate, inputChannels: unit.inputs, outputChannels: 2, maximumFrames: 8192),
      for: RenderContext(isOffline: true))
  }

  var tree: ParameterTree { unit.parameters?.tree ?? ParameterTree() }

  func render(_ turn: Performance.Turn, input: AudioInput) -> AudioInput {
    turn.events.withUnsafeBufferPointer { events in
      turn.changes.withUnsafeBufferPointer { changes in
        turn.transports.withUnsafeBufferPointer { transports in
          let cycle = MIDICycle(
            frames: turn.frames, events: events,
            sysEx: UnsafeBufferPointer(start: nil, count: 0))
          unit.prepare(for: cycle)
          var whole = RenderCycle(
            midi: cycle, position: 0, hostTime: 0, transport: transports, parameters: changes,
            input: input, output: UnsafePointer(output.pointers))
          _ = unit.renderer.procedure(unit.renderer.state, &whole)
        }
      }
    }
    return output.audio
  }
}

/// A port of a node in another process.
final class HostedStage: Stage {
  let connection: Connection

  struct Obstacle: Error {
    var render: RenderStatus?
    var schedule: ScheduleStatus?
  }

  init(
    _ connection: Connection, inputs: Int, sampleRate: Int = 48_000, maximumFrames: Int = 1024
  ) throws {
    self.connection = connection
    try connection.initialize(
      Format(
        sampleRate: sampleRate, inputChannels: inputs, outputChannels: 2,
        maximumFrames: maximumFrames),
      mode: .offline)
  }

  var tree: ParameterTree { connection.parameters }

  func render(_ turn: Performance.Turn, input: AudioInput) throws -> AudioInput {
    for point in turn.transports {
      try check(connection.setTransport(point.transport, at: Int(point.offset)))
    }
    for change in turn.changes {
      try check(
        connection.schedule(
          parameter: Int(change.index), to: change.value, over: Int(change.ramp),
          at: Int(change.offset)))
    }
    for event in turn.events {
      guard case .channel(let message) = event.content else { continue }
      try check(connection.schedule(message, at: Int(event.offset)))
    }
    let status = connection.render(frames: turn.frames, input: input)
    guard status == .rendered else { throw Obstacle(render: status) }
    return connection.audio
  }

  private func check(_ status: ScheduleStatus) throws {
    if status != .accepted { throw Obstacle(schedule: status) }
  }
}

extension Performance {
  /// Plays it from its beginning, in cycles of the given lengths.
  ///
  /// - Returns: The left and the right channel.
  func play(on stages: [any Stage], _ lengths: [Int]) throws -> [[Float]] {
    var output: [[Float]] = [[], []]
    for length in lengths {
      let begin = output[0].count
      let cycle = try play(begin..<begin + length, on: stages)
      for channel in 0..<2 { output[channel] += cycle[channel] }
    }
    return output
  }

  /// Plays one cycle of it.
  func play(_ range: Range<Int>, on stages: [any Stage]) throws -> [[Float]] {
    let memory = StereoOutput(frames: range.count)
    for channel in input.indices {
      for frame in range {
        memory.pointers[channel][frame - range.lowerBound] = input[channel][frame]
      }
    }
    var audio = input.isEmpty ? AudioInput() : memory.audio
    for (stage, part) in zip(stages, parts) {
      audio = try stage.render(turn(range, for: part, stage.tree), input: audio)
    }
    return (0..<2).map { Array(UnsafeBufferPointer(start: audio[$0], count: range.count)) }
  }
}

/// Returns the first difference in any bit between two recordings, searched channel by channel; `nil` if there is none.
func difference(_ one: [[Float]], _ other: [[Float]]) -> (channel: Int, frame: Int)? {
  for (channel, (left, right)) in zip(one, other).enumerated() {
    if left.count != right.count { return (channel, min(left.count, right.count)) }
    for frame in left.indices where left[frame].bitPattern != right[frame].bitPattern {
      return (channel, frame)
    }
  }
  return nil
}
