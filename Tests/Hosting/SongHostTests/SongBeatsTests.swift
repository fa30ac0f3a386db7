import LivePlayer
import MIDIFile
import RenderCore
import TestSupport
import Testing

/// Tests of the beats that a metronome finds in the transport of a song's host.
@Suite(.timeLimit(.minutes(5))) struct SongBeatsTests {
  @Test(arguments: 0..<8)
  func `are on the frames of the song's ticks`(seed: UInt64) throws {
    var numbers = Seeded(seed)
    let file = Songs.random(&numbers, ticks: 96)
    let timeline = try file.timeline(sampleRate: 48_000)
    var song = SongTransport(timeline.beatMap)
    song.start()
    var finder = BeatFinder(sampleRate: 48_000)
    var found: [Int64] = []
    while song.frame < timeline.endFrame {
      let (begin, frames) = (song.frame, Int.random(in: 1...4000, using: &numbers))
      song.advance(by: frames)
      for beat in beats(&finder, song.points, frames) { found.append(begin + Int64(beat.frame)) }
    }
    #expect(found.count > 50)
    #expect(found == lines(file, timeline).filter { $0 < song.frame })
  }

  private func beats(_ finder: inout BeatFinder, _ points: [TransportPoint], _ frames: Int)
    -> [BeatFinder.Beat]
  {
    var found: [BeatFinder.Beat] = []
    points.withUnsafeBufferPointer { points in
      withUnsafeTemporaryAllocation(of: UnsafeMutablePointer<Float>.self, capacity: 1) { output in
        finder.begin(
          RenderCycle(
            midi: MIDICycle(frames: frames), position: 0, hostTime: 0, transport: points,
            output: UnsafePointer(output.baseAddress!)))
        for (index, point) in points.enumerated() {
          finder.follow(point.transport, at: Int(point.offset))
          let end = index + 1 < points.count ? Int(points[index + 1].offset) : frames
          while let beat = finder.next(before: end) { found.append(beat) }
        }
      }
    }
    return found
  }

  /// Returns the frames of all beats, counted in ticks from one time signature to the next.
  private func lines(_ file: StandardMIDIFile, _ timeline: Timeline) -> [Int64] {
    var (lines, tick, beat) = ([Int64](), Int64(0), Int64(96))
    func count(until end: Int64) {
      while tick < end {
        lines.append(timeline.frame(ofTick: tick))
        tick += beat
      }
      tick = end
    }
    for event in file.tracks[0].events {
      guard case .meta(let meta) = event.content, let signature = meta.timeSignature else {
        continue
      }
      count(until: event.tick)
      beat = 4 * 96 >> Int64(signature.denominatorPower)
    }
    count(until: file.tracks[0].endTick + 10_000)
    return lines
  }
}
