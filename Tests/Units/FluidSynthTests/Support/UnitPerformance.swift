import FluidSynthEngine
import RenderCore

/// The input of a unit: a performance, parameter changes and audio.
struct UnitPerformance {
  var performance = Performance()
  /// The parameter changes, ordered by frame.
  var changes: [Change] = []
  /// The input samples of each channel, as many as frames are played.
  var input: [[Float]] = []

  struct Change {
    var frame: Int
    var identifier: String
    var value: Float
    var ramp = 0
  }

  mutating func change(_ frame: Int, _ identifier: String, to value: Float, ramp: Int = 0) {
    changes.append(Change(frame: frame, identifier: identifier, value: value, ramp: ramp))
  }
}

extension RenderUnit {
  /// Plays as an offline host does, in cycles whose lengths `cycles` returns one by one.
  ///
  /// - Parameters:
  ///   - channels: The number of output channels.
  ///   - isPrepared: Whether the unit prepares each cycle.
  /// - Returns: The output channels.
  func play(
    _ unit: UnitPerformance, frames: Int, channels: Int = 2, isPrepared: Bool = true,
    cycles: () -> Int = { 1024 },
    render: (Renderer, inout RenderCycle) -> Void = { _ = $0.procedure($0.state, &$1) }
  ) -> [[Float]] {
    var output = [[Float]](repeating: [Float](repeating: .nan, count: frames), count: channels)
    let steps = unit.performance.sorted.steps
    var (start, nextStep, nextChange) = (0, 0, 0)
    while start < frames {
      let end = min(start + cycles(), frames)
      var events: [MIDIEvent] = []
      while nextStep < steps.count, steps[nextStep].frame < end {
        let step = steps[nextStep]
        events.append(MIDIEvent(offset: UInt32(step.frame - start), content: step.content))
        nextStep += 1
      }
      var changes: [ParameterChange] = []
      while nextChange < unit.changes.count, unit.changes[nextChange].frame < end {
        changes.append(change(unit.changes[nextChange], from: start))
        nextChange += 1
      }
      let memory = CycleMemory(
        input: unit.input.map { Array($0[start..<end]) }, outputs: channels, frames: end - start)
      events.withUnsafeBufferPointer { events in
        changes.withUnsafeBufferPointer { changes in
          unit.performance.sysEx.withUnsafeBufferPointer { sysEx in
            let cycle = MIDICycle(frames: end - start, events: events, sysEx: sysEx)
            if isPrepared { prepare(for: cycle) }
            var rendered = RenderCycle(
              midi: cycle, position: Int64(start), hostTime: 0, parameters: changes,
              input: memory.input, output: UnsafePointer(memory.output))
            render(renderer, &rendered)
          }
        }
      }
      for channel in 0..<channels {
        output[channel].replaceSubrange(
          start..<end, with: UnsafeBufferPointer(start: memory.output[channel], count: end - start))
      }
      start = end
    }
    return output
  }

  private func change(_ change: UnitPerformance.Change, from start: Int) -> ParameterChange {
    guard let index = parameters?.tree.index(of: change.identifier) else {
      preconditionFailure("there is no \(change.identifier)")
    }
    return ParameterChange(
      offset: UInt32(change.frame - start), index: UInt32(index), value: change.value,
      ramp: UInt32(change.ramp))
  }
}

/// Audio buffers for the input and output of a cycle.
private final class CycleMemory {
  let output: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  let input: AudioInput
  private let inputs: UnsafeMutablePointer<UnsafePointer<Float>>
  private let count: Int
  private let outputs: Int

  init(input samples: [[Float]], outputs: Int, frames: Int) {
    count = samples.count
    self.outputs = outputs
    output = .allocate(capacity: outputs)
    inputs = .allocate(capacity: max(1, count))
    for channel in 0..<outputs {
      let memory = UnsafeMutablePointer<Float>.allocate(capacity: frames)
      memory.initialize(repeating: .nan, count: frames)
      (output + channel).initialize(to: memory)
    }
    for channel in 0..<count {
      let memory = UnsafeMutablePointer<Float>.allocate(capacity: frames)
      for (frame, sample) in samples[channel].enumerated() { memory[frame] = sample }
      (inputs + channel).initialize(to: UnsafePointer(memory))
    }
    input = AudioInput(inputs, count: count)
  }

  deinit {
    for channel in 0..<outputs { output[channel].deallocate() }
    for channel in 0..<count { inputs[channel].deallocate() }
    output.deallocate()
    inputs.deallocate()
  }
}

/// Creates an instrument with two channels at 48 kHz.
func makeUnit(
  _ timing: Timing = .exact, effects: Effects = Effects(), preset: PresetSelection? = nil,
  font: String = Fonts.timGM6mb
) throws -> any RenderUnit {
  var settings = InstrumentSettings(timing: timing, effects: effects)
  settings.preset = preset
  return try InstrumentSource(soundFont: .open(font), settings: settings)
    .makeUnit(Format(sampleRate: 48_000, outputChannels: 2, maximumFrames: 8192))
}

extension Effects {
  static let off = Effects(reverb: false, chorus: false)
}
