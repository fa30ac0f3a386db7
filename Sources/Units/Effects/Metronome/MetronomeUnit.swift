public import RenderCore
import Synchronization

/// Creates metronomes: generators that click on the beats of their host's song.
///
/// Every beat of the meter clicks on its exact frame, as found by ``BeatFinder``; the first beat of a bar has its own
/// accent. Before beat 0 there is silence or a count-in. While the song is stopped there is silence. While the host
/// provides no beats there is silence too, unless `free.run` is on.
///
/// | parameter | description | range | default |
/// |---|---|---|---|
/// | `level` | level of a beat's click; subdivisions are 6 dB lower | −60…0 dB | −12 |
/// | `pitch` | pitch of a beat's click | 200…5000 Hz | 1000 |
/// | `accent.level` | level of the first click of a bar | −60…0 dB | −6 |
/// | `accent.pitch` | pitch of the first click of a bar | 200…5000 Hz | 1500 |
/// | `song` | clicks from beat 0 on | off, on | on |
/// | `count-in` | clicks before beat 0 | off, on | off |
/// | `subdivision` | clicks per beat | 1…4 | 1 |
/// | `free.run` | clicks while the host provides no beats, from beat 0 on | off, on | off |
/// | `free.tempo` | tempo of the free run, in 4/4 | 20…400 beats per minute | 120 |
public struct MetronomeSource: RenderUnitSource {
  public init() {}

  /// Creates a metronome.
  ///
  /// - Throws: ``FormatError`` if `format` has input channels.
  public func makeUnit(_ format: Format) throws -> any RenderUnit { try MetronomeUnit(format) }
}

/// A metronome; created and destroyed off the render thread.
///
/// `@unchecked Sendable`: the state belongs to the render thread, except for the atomic click count.
final class MetronomeUnit: RenderUnit, @unchecked Sendable {
  private let memory = RenderMemory()
  private let state: UnsafeMutablePointer<MetronomeState>
  private let store = ParameterStore(MetronomeParameter.tree)
  private let format: Format

  init(_ format: Format) throws(FormatError) {
    try Format.check("inputChannels", format.inputChannels, in: 0...0)
    self.format = format
    state = memory.make(MetronomeState(format, store.values))
  }

  var renderer: Renderer { Renderer(state: UnsafeMutableRawPointer(state), renderMetronome) }
  var parameters: ParameterStore? { store }
  var tail: Int? { Click.frames(format.sampleRate) }

  var status: [UnitStatus] {
    [UnitStatus("beats clicked", state.pointee.clickCount.load(ordering: .relaxed))]
  }
}

/// The render thread's entry point. The compiler verifies that it neither allocates nor locks.
@_noLocks private func renderMetronome(
  _ state: UnsafeMutableRawPointer, _ cycle: UnsafeRawPointer
) -> Bool {
  state.assumingMemoryBound(to: MetronomeState.self).pointee.render(cycle.renderCycle)
  return false
}

/// The parameters of a metronome.
///
/// A click uses the values at its first frame.
enum MetronomeParameter: Int, CaseIterable {
  /// The level of a beat's click: the peak of its envelope, in dBFS. Subdivisions of a beat are 6 dB lower.
  case level
  /// The level of the first click of a bar.
  case accentLevel
  case pitch
  case accentPitch
  /// Whether there are clicks before the start of the song.
  case countIn
  /// The number of clicks per beat, minus 1.
  case subdivision
  /// Whether the metronome clicks while the host provides no beats.
  case freeRun
  /// The tempo without a host, in beats per minute; four beats per bar.
  case freeTempo
  /// Whether there are clicks from the start of the song on.
  case song

  static var tree: ParameterTree {
    ParameterTree(
      allCases.map(\.parameter),
      groups: [.init("accent", "Accent"), .init("free", "Free run")])
  }

  private var parameter: Parameter {
    switch self {
    case .level: Parameter("level", "Level", -60...0, default: -12, unit: .decibels)
    case .accentLevel:
      Parameter("accent.level", "Accent Level", -60...0, default: -6, unit: .decibels)
    case .pitch:
      Parameter("pitch", "Pitch", 200...5000, default: 1000, unit: .hertz, scale: .logarithmic)
    case .accentPitch:
      Parameter(
        "accent.pitch", "Accent Pitch", 200...5000, default: 1500, unit: .hertz, scale: .logarithmic
      )
    case .song: Parameter(toggle: "song", "In the song", default: true)
    case .countIn: Parameter(toggle: "count-in", "Count-in", default: false)
    case .subdivision:
      Parameter(
        choice: "subdivision", "Clicks per beat", of: ["1", "2", "3", "4"], default: 0)
    case .freeRun: Parameter(toggle: "free.run", "Free run", default: false)
    case .freeTempo: Parameter("free.tempo", "Tempo, beats per minute", 20...400, default: 120)
    }
  }
}

extension ParameterValues {
  @_noLocks subscript(parameter: MetronomeParameter) -> Float { self[parameter.rawValue] }
}
