import BatchRenderer
import Effects
import LiveAudio
import LocalSystem
import MIDIFile
import OfflineRenderer
import RenderCore
import Threads

// The parts that live playback is assembled from.
extension LivePlayer {
  static func open(_ settings: LivePlayerSettings) throws(Failure) -> any SoundDevice {
    do throws(SoundDeviceError) {
      return try settings.openDevice()
    } catch {
      throw Failure(.failed, error.description)
    }
  }

  /// Returns the frame range of the song at the device's rate.
  static func range(
    _ song: StandardMIDIFile, _ options: LivePlayerSettings, sampleRate: Int
  ) throws(Failure) -> FrameRange {
    do throws(RenderError) {
      var range = options.range
      range.sampleRate = sampleRate
      return try FrameRange(song, range)
    } catch {
      throw Failure(error, input: options.song)
    }
  }

  static func metronome(
    _ format: Format, _ options: LivePlayerSettings
  ) throws(Failure) -> any RenderUnit {
    do {
      let unit = try MetronomeSource().makeUnit(format)
      try unit.parameters?.set("count-in", to: options.countIn > 0 ? 1 : 0)
      return unit
    } catch {
      throw Failure(.failed, "the metronome: \(error)")
    }
  }

  /// Returns the range to loop, in beats: the bars given by `--loop-bars`, or else the whole song.
  static func loop(
    _ options: LivePlayerSettings, _ range: FrameRange
  ) throws(Failure) -> Range<Double> {
    let map = range.timeline.beatMap
    guard let bars = options.loopBars else {
      let begin = map.beat(at: Int64(range.start))
      return begin..<max(begin, map.beat(at: Int64(range.end)))
    }
    let count = map.bar(at: max(0, Int64(range.end) - 1)).number
    if bars.lowerBound > count {
      throw .usage(
        "--loop-bars \(bars.lowerBound)-\(bars.upperBound) begins after the song's end: it has "
          + "\(count) bars")
    }
    let begin = map.beat(ofBar: Int64(bars.lowerBound))
    return begin..<map.beat(ofBar: Int64(bars.upperBound) + 1)
  }

  /// Returns the realtime priority that the device's thread will have, which nodes need to know; 0 if it is denied.
  static func permittedPriority() throws(Failure) -> Int {
    // Requested on another thread because the main thread must keep its normal priority.
    try interruptibly { (try? RealtimePriority.request(PacedDevice.priority)) ?? 0 }
  }
}
