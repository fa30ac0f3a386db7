import CRealtimeProbe
import LV2Host
import LocalSystem
import RenderCore

/// Makes units of a plugin that is watched while it renders: its figures are those of ``ProbeFigures``.
///
/// It is for a process of its own, because calls of all its libraries are redirected for good.
struct ProbedSource: RenderUnitSource {
  private let source: LV2Source

  init(_ source: LV2Source) {
    var source = source
    source.flushesDenormals = false
    self.source = source
  }

  func makeUnit(_ format: Format) throws -> any RenderUnit {
    try makeUnit(format, for: RenderContext())
  }

  func makeUnit(_ format: Format, for use: RenderContext) throws -> any RenderUnit {
    let unit = ProbedUnit(try source.makeUnit(format, for: use))
    // The plugin's libraries have been loaded.
    realtime_probe_install()
    return unit
  }
}

/// A unit that is watched while it renders.
///
/// `@unchecked Sendable`: `state` belongs to the render thread, except for counters, which are atomic.
private final class ProbedUnit: UnitWrapper, @unchecked Sendable {
  let wrapped: any RenderUnit
  private let memory = RenderMemory()
  private let state: UnsafeMutablePointer<ProbedState>

  init(_ unit: any RenderUnit) {
    wrapped = unit
    let words = SharedWords(count: 2)
    memory.onRelease(words.destroy)
    state = memory.make(ProbedState(unit.renderer, cycles: words[0], denormalCycles: words[1]))
  }

  deinit { memory.release() }

  var renderer: Renderer { Renderer(state: UnsafeMutableRawPointer(state), renderProbed) }

  var status: [UnitStatus] {
    ProbeFigures(
      cycles: Int(state.pointee.cycles.value),
      denormalCycles: realtime_probe_finds_denormals()
        ? Int(state.pointee.denormalCycles.value) : nil
    ).status
  }
}

/// The render thread's state of a unit that is watched.
private struct ProbedState: BitwiseCopyable {
  private let inner: Renderer
  let cycles: SharedWord
  /// The cycles in which the unit has computed with denormal numbers.
  let denormalCycles: SharedWord

  init(_ inner: Renderer, cycles: SharedWord, denormalCycles: SharedWord) {
    (self.inner, self.cycles, self.denormalCycles) = (inner, cycles, denormalCycles)
  }

  @_noLocks func render(_ cycle: UnsafeRawPointer) -> Bool {
    realtime_probe_begin()
    let hasWork = inner.render(cycle.assumingMemoryBound(to: RenderCycle.self))
    if realtime_probe_end() { denormalCycles.store(denormalCycles.value &+ 1) }
    cycles.store(cycles.value &+ 1)
    return hasWork
  }
}

@_noLocks private func renderProbed(
  _ state: UnsafeMutableRawPointer, _ cycle: UnsafeRawPointer
) -> Bool {
  state.assumingMemoryBound(to: ProbedState.self).pointee.render(cycle)
}
