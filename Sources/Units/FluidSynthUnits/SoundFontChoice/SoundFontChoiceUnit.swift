import FluidSynthEngine
import RenderCore
import Synchronization

/// A unit whose SoundFont the host can replace while it renders.
///
/// It plays a unit that is made for the SoundFont. For another SoundFont it makes another one with the same parameters,
/// and plays that from the next cycle on; what sounds fades within 512 frames. A parameter change or program change that
/// acts while the new unit is made may be lost.
///
/// `@unchecked Sendable`: the state belongs to the render thread; ``next`` and ``finished`` are atomic.
final class SoundFontChoiceUnit: RenderUnit, @unchecked Sendable {
  private let library: any SoundFontLibrary
  private let make: @Sendable (SoundFont) throws -> any RenderUnit
  private let units: Mutex<Units>
  /// Held while a unit is made, so that one replacement follows another.
  private let replacing = Mutex(())
  private let memory = RenderMemory()
  private let next: UnsafeMutablePointer<ReplacedRenderer.Next>
  /// The number of units that the render thread no longer uses.
  private let finished: UnsafeMutablePointer<Atomic<Int>>
  private let state: UnsafeMutablePointer<ReplacedRenderer>

  /// The file's identifier in states.
  static let identifier = "soundfont"

  private struct Units {
    var current: PlayedUnit
    /// The earlier units that the render thread may still use, in their order.
    var retired: [PlayedUnit] = []
    /// The number of units that were removed from ``retired``.
    var released = 0
  }

  /// - Parameters:
  ///   - isOffline: Whether the caller prepares each cycle.
  ///   - make: Makes a unit that plays a SoundFont.
  init(
    _ soundFont: SoundFont, _ library: any SoundFontLibrary, _ format: Format, isOffline: Bool,
    _ make: @escaping @Sendable (SoundFont) throws -> any RenderUnit
  ) throws {
    self.library = library
    self.make = make
    let first = PlayedUnit(try make(soundFont), soundFont)
    next = memory.make(ReplacedRenderer.Next(nil))
    finished = memory.make(Atomic(0))
    state = memory.make(
      ReplacedRenderer(
        first.unit.renderer, next: next, finished: finished, format, isOffline: isOffline, memory))
    units = Mutex(Units(current: first))
  }

  private var current: PlayedUnit { units.withLock { $0.current } }
  private var unit: any RenderUnit { current.unit }

  var renderer: Renderer {
    Renderer(
      state: UnsafeMutableRawPointer(state), renderReplaced, readiness: isReplacedReady)
  }

  var latency: Int { unit.latency }
  var tail: Int? { unit.tail }
  var parameters: ParameterStore? { unit.parameters }
  var presets: [Preset] { unit.presets }
  var status: [UnitStatus] { unit.status }

  func save() -> [UInt8] { unit.save() }
  func restore(_ data: [UInt8]) throws { try unit.restore(data) }

  var files: [UnitFile] {
    [UnitFile(Self.identifier, "SoundFont", library.reference(to: current.soundFont))]
  }

  func restore(_ data: [UInt8], files: [String: FileReference]) throws {
    guard let reference = files[Self.identifier] else { return try restore(data) }
    let soundFont = try library.open(reference)
    try replacing.withLock { _ in
      let old = current
      if soundFont === old.soundFont { return try restore(data) }
      let new = try makeUnit(soundFont)
      try new.restore(data)
      if let values = old.unit.parameters?.all { try new.parameters?.set(values) }
      replace(with: PlayedUnit(new, soundFont))
    }
  }

  private func makeUnit(_ soundFont: SoundFont) throws(UnitFileError) -> any RenderUnit {
    do {
      return try make(soundFont)
    } catch {
      throw UnitFileError("the SoundFont '\(soundFont.path)' cannot be played: \(error)")
    }
  }

  private func replace(with new: PlayedUnit) {
    let unused: PlayedUnit? = units.withLock { units in
      let old = units.current
      units.current = new
      // The render thread has not begun to use the old unit if its renderer is still there.
      if next.pointee.exchange(new.renderer, ordering: .acquiringAndReleasing) != nil { return old }
      units.retired.append(old)
      return nil
    }
    // Released without the lock, because the render thread of an offline host may wait for it.
    withExtendedLifetime(unused) {}
  }

  func performDeferredWork() {
    let (unit, ended) = units.withLock { units in
      let count = finished.pointee.load(ordering: .acquiring) - units.released
      let ended = units.retired.prefix(count)
      units.retired.removeFirst(count)
      units.released += count
      return (units.current.unit, Array(ended))
    }
    withExtendedLifetime(ended) {}
    unit.performDeferredWork()
  }

  func prepare(for cycle: MIDICycle) {
    let unit = units.withLock { units in
      state.pointee.useNext()
      return units.current.unit
    }
    unit.prepare(for: cycle)
  }
}

/// A unit that is or was played, with the memory through which the render thread finds it.
private final class PlayedUnit: Sendable {
  let unit: any RenderUnit
  let soundFont: SoundFont
  nonisolated(unsafe) let renderer: UnsafeMutablePointer<Renderer>

  init(_ unit: any RenderUnit, _ soundFont: SoundFont) {
    self.unit = unit
    self.soundFont = soundFont
    renderer = .allocate(capacity: 1)
    renderer.initialize(to: unit.renderer)
  }

  deinit { renderer.deallocate() }
}

@_noLocks @c private func renderReplaced(
  _ state: UnsafeMutableRawPointer, _ cycle: UnsafeRawPointer
) -> Bool {
  state.assumingMemoryBound(to: ReplacedRenderer.self).pointee
    .render(cycle.assumingMemoryBound(to: RenderCycle.self))
}

@_noLocks @c private func isReplacedReady(
  _ state: UnsafeMutableRawPointer, _ cycle: UnsafeRawPointer
) -> Bool {
  state.assumingMemoryBound(to: ReplacedRenderer.self).pointee
    .isReady(for: cycle.assumingMemoryBound(to: RenderCycle.self))
}
