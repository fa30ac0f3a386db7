import BatchRenderer
import Effects
import LiveAudio
import LocalSystem
import MIDIFile
import NodeHost
import OfflineRenderer
import RenderCore

/// A song at the rate of a sound device, and what plays it.
struct LiveSong {
  let range: FrameRange
  private let settings: LivePlayerSettings
  private let loop: Range<Double>

  init(
    _ song: StandardMIDIFile, _ settings: LivePlayerSettings, sampleRate: Int
  ) throws {
    var renderSettings = settings.range
    renderSettings.sampleRate = sampleRate
    do throws(RenderError) {
      range = try FrameRange(song, renderSettings)
    } catch {
      throw Failure(error, input: settings.song)
    }
    self.settings = settings
    loop = try Self.loop(settings.loopBars, range)
  }

  var start: Int64 { Int64(range.start) }
  var end: Int64 { Int64(range.end) }
  var sampleRate: Int { range.timeline.sampleRate }
  var beatMap: BeatMap { range.timeline.beatMap }

  /// Returns the beats of the loop: the bars, or else the whole range.
  private static func loop(
    _ bars: ClosedRange<Int>?, _ range: FrameRange
  ) throws(Failure) -> Range<Double> {
    let map = range.timeline.beatMap
    guard let bars else {
      let begin = map.beat(at: Int64(range.start))
      return begin..<max(begin, map.beat(at: Int64(range.end)))
    }
    let count = map.bar(at: max(0, Int64(range.end) - 1)).number
    if bars.lowerBound > count {
      throw .usage(
        "--loop-bars must begin in bars 1 to \(count) of the song, but is "
          + "\(bars.lowerBound)-\(bars.upperBound)")
    }
    return map.beat(ofBar: Int64(bars.lowerBound))..<map.beat(ofBar: Int64(bars.upperBound) + 1)
  }

  /// - Parameter earlier: The mixer that played the song before, whose chains are closed.
  func mixer(
    _ chains: [[Connection]], _ format: Format, isClicking: Bool, earlier: NodeMixer? = nil
  ) throws -> NodeMixer {
    let metronome = try MetronomeSource().makeUnit(format)
    try metronome.parameters?.set("count-in", to: settings.countIn > 0 || settings.waits ? 1 : 0)
    let mixer = NodeMixer(
      chains, metronome: metronome, maximumFrames: format.maximumFrames,
      ports: range.timeline.ports.count,
      earlier: earlier?.statistics ?? [])
    mixer.isClicking = isClicking
    return mixer
  }

  func host(
    _ mixer: NodeMixer, _ device: any SoundDevice, recording: RecordedSong
  ) -> LiveHost {
    LiveHost(
      range.timeline, mixer: mixer, device: device, loop: loop, countIn: settings.countIn, end: end,
      recording: recording, link: settings.link?.memory, timebase: settings.timebase,
      waits: settings.waits)
  }

  /// Converts a position in the song at another rate.
  func position(_ position: SongPosition, in other: LiveSong) -> SongPosition {
    var position = position
    if !position.isLooping, position.frame >= other.end {
      // A song that has reached its end stays there at any rate.
      (position.frame, position.isPlaying) = (end, false)
    } else {
      let ratio = Double(sampleRate) / Double(other.sampleRate)
      position.frame = Int64((Double(position.frame) * ratio).rounded())
    }
    return position
  }
}
