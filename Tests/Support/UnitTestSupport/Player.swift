import CRender
package import RenderCore

/// Plays scores on one unit, as a host does.
package final class Player {
  package let unit: any RenderUnit
  private let format: Format

  package init(
    _ source: any RenderUnitSource, _ format: Format, for use: RenderContext = RenderContext()
  ) throws {
    unit = try source.makeUnit(format, for: use)
    self.format = format
  }

  /// - Returns: One array per output channel.
  package static func play(
    _ source: any RenderUnitSource, _ score: Score, _ cut: Cut = .every(256)
  ) throws -> [[Float]] {
    try Player(source, score.format).play(score, cut)
  }

  /// - Returns: One array per output channel.
  package func play(_ score: Score, _ cut: Cut = .every(256)) -> [[Float]] {
    var output = [[Float]](repeating: [], count: format.outputChannels)
    var begin = 0
    for frames in cut.lengths(score.frames) {
      let cycle = cycle(score, begin, frames)
      for channel in 0..<format.outputChannels { output[channel] += cycle[channel] }
      begin += frames
    }
    return output
  }

  private func cycle(_ score: Score, _ begin: Int, _ frames: Int) -> [[Float]] {
    let range = begin..<begin + frames
    var (events, sysEx) = ([MIDIEvent](), [UInt8]())
    for (frame, message) in score.messages where range.contains(frame) {
      events.append(MIDIEvent(offset: UInt32(frame - begin), content: .channel(message)))
    }
    for (frame, bytes) in score.sysEx where range.contains(frame) {
      let content = MIDIEvent.Content.sysEx(
        start: UInt32(sysEx.count), count: UInt32(bytes.count))
      events.append(MIDIEvent(offset: UInt32(frame - begin), content: content))
      sysEx += bytes
    }
    events.sort { $0.offset < $1.offset }
    var changes: [ParameterChange] = []
    for (frame, change) in score.changes where range.contains(frame) {
      changes.append(change)
      changes[changes.count - 1].offset = UInt32(frame - begin)
    }
    changes.sort { $0.offset < $1.offset }
    return render(
      events, sysEx, changes, transport(score, range), score.input.map { Array($0[range]) },
      frames: frames, position: begin)
  }

  /// Returns the host's transports in a cycle: the position at the first frame, and later changes.
  private func transport(_ score: Score, _ range: Range<Int>) -> [TransportPoint] {
    var points: [TransportPoint] = []
    for (frame, transport) in score.transports where frame < range.upperBound {
      if frame <= range.lowerBound {
        let now = transport.after(
          frames: range.lowerBound - frame, sampleRate: Double(score.sampleRate))
        points = [TransportPoint(offset: 0, now)]
      } else {
        points.append(TransportPoint(offset: UInt32(frame - range.lowerBound), transport))
      }
    }
    return points
  }

  package func render(
    _ events: [MIDIEvent], _ sysEx: [UInt8], _ changes: [ParameterChange],
    _ transport: [TransportPoint], _ input: [[Float]], frames: Int? = nil, position: Int = 0,
    midiOutput: MIDIOutput = MIDIOutput()
  ) -> [[Float]] {
    let frames = frames ?? input[0].count
    let inputs = input.map { samples in
      let copy = UnsafeMutablePointer<Float>.allocate(capacity: frames)
      copy.initialize(from: samples, count: frames)
      return UnsafePointer(copy)
    }
    // NaN reveals samples that the unit does not write.
    let outputs = (0..<format.outputChannels).map { _ in
      let output = UnsafeMutablePointer<Float>.allocate(capacity: frames)
      output.initialize(repeating: .signalingNaN, count: frames)
      return output
    }
    defer {
      for pointer in inputs { pointer.deallocate() }
      for pointer in outputs { pointer.deallocate() }
    }
    let renderer = unit.renderer
    events.withUnsafeBufferPointer { events in
      sysEx.withUnsafeBufferPointer { sysEx in
        changes.withUnsafeBufferPointer { changes in
          transport.withUnsafeBufferPointer { transport in
            inputs.withUnsafeBufferPointer { inputs in
              outputs.withUnsafeBufferPointer { outputs in
                var cycle = RenderCycle(
                  midi: MIDICycle(frames: frames, events: events, sysEx: sysEx),
                  position: Int64(position),
                  hostTime: 0, transport: transport, parameters: changes,
                  input: inputs.baseAddress.map { AudioInput($0, count: inputs.count) }
                    ?? AudioInput(),
                  output: outputs.baseAddress!, midiOutput: midiOutput)
                realtime_enter()
                _ = renderer.procedure(renderer.state, &cycle)
                realtime_exit()
              }
            }
          }
        }
      }
    }
    return outputs.map { Array(UnsafeBufferPointer(start: $0, count: frames)) }
  }
}

/// Returns the first frame at which two signals differ in a bit, or `nil` if they are equal.
package func difference(_ one: [Float], _ other: [Float]) -> Int? {
  if one.count != other.count { return min(one.count, other.count) }
  return zip(one, other).enumerated().first { $1.0.bitPattern != $1.1.bitPattern }?.offset
}

/// Returns the maximum absolute difference of two signals.
package func distance(_ one: [Float], _ other: [Double]) -> Double {
  zip(one, other).map { abs(Double($0) - $1) }.max() ?? 0
}
