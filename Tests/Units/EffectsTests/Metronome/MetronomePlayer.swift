import RenderCore
import TestSupport

@testable import Effects

/// The cycle lengths in frames; 0 stands for random lengths.
let cycleLengths = [1, 16, 64, 100, 480, 1024, 0]

/// Renders a metronome.
final class MetronomePlayer {
  let unit: MetronomeUnit
  private let format: Format
  private let memory: UnsafeMutablePointer<Float>
  private var random = Seeded(11)
  private var position = 0

  init(sampleRate: Int = 48_000, channels: Int = 1) {
    format = Format(sampleRate: sampleRate, outputChannels: channels, maximumFrames: 2048)
    unit = try! MetronomeUnit(format)
    memory = .allocate(capacity: 2048 * channels)
  }

  deinit { memory.deallocate() }

  /// Renders a cycle.
  ///
  /// - Returns: The output of each channel.
  func render(
    frames: Int, _ points: [TransportPoint] = [], _ changes: [ParameterChange] = []
  ) -> [UnsafeBufferPointer<Float>] {
    let channels = (0..<format.outputChannels).map { memory + $0 * 2048 }
    for channel in channels { channel.update(repeating: .nan, count: frames) }
    points.withUnsafeBufferPointer { points in
      changes.withUnsafeBufferPointer { changes in
        channels.withUnsafeBufferPointer { channels in
          let none = UnsafeBufferPointer<MIDIEvent>(start: nil, count: 0)
          var cycle = RenderCycle(
            midi: MIDICycle(
              frames: frames, events: none, sysEx: UnsafeBufferPointer(start: nil, count: 0)),
            position: Int64(position), hostTime: 0, transport: points, parameters: changes,
            output: channels.baseAddress!)
          _ = unit.renderer.procedure(unit.renderer.state, &cycle)
        }
      }
    }
    position += frames
    return channels.map { UnsafeBufferPointer(start: UnsafePointer($0), count: frames) }
  }

  /// Renders `frames` frames in cycles of `cycle` frames.
  ///
  /// - Parameters:
  ///   - points: Returns the host's transports for a cycle, given its first frame and its length.
  ///   - changes: Returns the parameter changes that begin in the cycle.
  func play(
    frames: Int, cycle: Int, _ points: (Int, Int) -> [TransportPoint] = { _, _ in [] },
    _ changes: (Int, Int) -> [ParameterChange] = { _, _ in [] }
  ) -> [Float] {
    var all: [Float] = []
    all.reserveCapacity(frames)
    while all.count < frames {
      let length = cycle > 0 ? cycle : Int.random(in: 1...2048, using: &random)
      let count = min(length, frames - all.count)
      all += render(frames: count, points(all.count, count), changes(all.count, count))[0]
    }
    return all
  }

  func play(_ song: HostSong, cycle: Int) -> [Float] {
    play(frames: song.frames, cycle: cycle) { song.points(from: $0, frames: $1) }
  }
}

/// Returns the frames at which sound follows silence.
func onsets(_ samples: [Float]) -> [Int] {
  samples.withUnsafeBufferPointer { samples in
    var onsets: [Int] = []
    var wasSilent = true
    for frame in 0..<samples.count {
      let isSilent = samples[frame] == 0
      if wasSilent, !isSilent { onsets.append(frame) }
      wasSilent = isSilent
    }
    return onsets
  }
}
