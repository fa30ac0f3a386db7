public import RenderCore
import Synchronization

/// Makes metronomes: generators that click on the beats of their host's song.
///
/// Every beat of the meter clicks on its exact frame, by the rules of ``BeatFinder``, and the first of a bar with an
/// accent of its own. Before beat 0 there is silence, or a count-in; where the song stands still, and where the host
/// says nothing of beats, there is silence as well, unless it is to run freely.
///
/// | parameter | what | range | default |
/// |---|---|---|---|
/// | `level` | a beat's click; the parts of beats are 6 dB below | −60…0 dB | −12 |
/// | `pitch` | its pitch | 200…5000 Hz | 1000 |
/// | `accent.level` | the click that begins a bar | −60…0 dB | −6 |
/// | `accent.pitch` | its pitch | 200…5000 Hz | 1500 |
/// | `song` | clicks from beat 0 on | off, on | on |
/// | `count-in` | clicks before beat 0 | off, on | off |
/// | `subdivision` | clicks per beat | 1…4 | 1 |
/// | `free.run` | clicks where the host says nothing of beats, from beat 0 on | off, on | off |
/// | `free.tempo` | then, in 4/4 | 20…400 beats per minute | 120 |
public struct MetronomeSource: RenderUnitSource {
  public init() {}

  /// - Throws: ``FormatError`` where there is input.
  public func makeUnit(_ format: Format) throws -> any RenderUnit { try MetronomeUnit(format) }
}

/// What is made and freed off the render thread.
///
/// `@unchecked Sendable`: of the state, only the render thread touches more than the atomic count.
final class MetronomeUnit: RenderUnit, @unchecked Sendable {
  private let state: UnsafeMutablePointer<MetronomeState>
  private let board = ParameterStore(MetronomeParameter.tree)
  private let format: Format

  init(_ format: Format) throws(FormatError) {
    guard format.inputChannels == 0 else {
      throw FormatError(field: "inputChannels", value: format.inputChannels, allowed: 0...0)
    }
    self.format = format
    state = .allocate(capacity: 1)
    state.initialize(to: MetronomeState(format, board.values))
  }

  deinit {
    state.deinitialize(count: 1)
    state.deallocate()
  }

  var renderer: Renderer { Renderer(state: UnsafeMutableRawPointer(state), renderMetronome) }
  var parameters: ParameterStore? { board }
  var tail: Int? { Click.frames(format.sampleRate) }

  var status: [UnitStatus] {
    [UnitStatus("beats clicked", state.pointee.clicked.load(ordering: .relaxed))]
  }
}

/// What the render thread calls; the compiler proves that it neither allocates nor locks.
@_noLocks @c private func renderMetronome(
  _ state: UnsafeMutableRawPointer, _ cycle: UnsafeRawPointer
) -> Bool {
  state.assumingMemoryBound(to: MetronomeState.self).pointee.render(cycle.renderCycle)
  return false
}
