import ConnectionTestSupport
import Effects
import LiveAudio
import LocalSystem
import MIDIFile
import NodeHost
import RenderCore
import SoundTestSupport
import TestSupport

@testable import LivePlayer

/// A song that the test plays cycle by cycle, waiting until each cycle is planned.
final class PlayedSong {
  let nodes: LatencyNodes
  let host: LiveHost
  let device: ManualDevice
  let timeline: Timeline
  private(set) var left: [Float] = []
  private(set) var right: [Float] = []

  init(
    _ song: StandardMIDIFile, latencies: [[Int]] = [[0]], maximumFrames: Int = 256,
    hasMetronome: Bool = false, loop: Range<Double> = 0..<4, countIn: Int = 0,
    mode: RenderMode = .offline, link: LinkMemory? = nil, timebase: Timebase? = nil
  ) throws {
    let format = Format(maximumFrames: maximumFrames)
    timeline = try song.timeline(sampleRate: format.sampleRate)
    nodes = try LatencyNodes(latencies, format, mode: mode)
    device = ManualDevice(format, hasTransport: timebase != nil)
    let metronome = hasMetronome ? try MetronomeSource().makeUnit(format) : nil
    host = LiveHost(
      timeline, mixer: NodeMixer(nodes.chains, metronome: metronome, maximumFrames: maximumFrames),
      device: device, loop: loop, countIn: countIn, end: timeline.endFrame,
      recording: RecordedSong(timeline.beatMap), link: link, timebase: timebase)
  }

  deinit { host.stop() }

  func start(at frame: Int64 = 0) throws { try host.start(at: frame) { _ in } }

  /// Plays `frames` frames in cycles whose lengths repeat those in `cycles`.
  ///
  /// - Parameter start: The time at which the first frame of all is heard; `nil`: the device's clock is the system's.
  func hear(_ frames: Int, cycles: [Int] = [256], since start: Int64? = nil) throws {
    var (done, turn) = (0, 0)
    while done < frames {
      let count = min(cycles[turn % cycles.count], frames - done)
      guard eventually({ host.scheduler.isAhead }) else { throw CancellationError() }
      guard let heard = device.cycle(count, now: time(since: start)) else {
        throw CancellationError()
      }
      left += heard.left
      right += heard.right
      done += count
      turn += 1
    }
  }

  private func time(since start: Int64?) -> Int64 {
    guard let start else { return MonotonicClock.now }
    return start + Int64(left.count) * 1_000_000_000 / Int64(device.format.sampleRate)
  }

  /// Plays the existing plans, so that preceding commands have taken effect.
  func hearPlanned() throws { try hear(4 * LiveHost.scheduledFrames(device.format)) }
}

extension RecordedSong {
  /// Removes and returns what was recorded, interleaved.
  func recorded() -> [Float] {
    var (all, samples) = ([Float](), [Float]())
    while ring.position != nil {
      ring.removeFirst(&samples)
      all += samples
    }
    return all
  }
}

/// Returns a song of notes at 24 000 ticks per quarter note and 120 quarter notes per minute: a tick is a
/// frame at 48 kHz.
func songOfNotes(
  _ notes: [(frame: Int64, key: UInt8, length: Int64)], end: Int64? = nil,
  _ metas: [(Int64, MetaEvent)] = []
) -> StandardMIDIFile {
  var events = metas.map { StandardMIDIFile.Event(tick: $0.0, .meta($0.1)) }
  for note in notes {
    events.append(
      .init(tick: note.frame, .channel(ChannelMessage(.noteOn, channel: 0, note.key, 100))))
    events.append(
      .init(
        tick: note.frame + note.length,
        .channel(ChannelMessage(.noteOff, channel: 0, note.key, 64))))
  }
  events.sort { $0.tick < $1.tick }
  return StandardMIDIFile(
    format: .singleTrack, division: .ticksPerQuarter(24_000),
    tracks: [.init(events, endTick: end)])
}
