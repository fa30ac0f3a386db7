import LocalSystem
package import NodeHost
package import RenderCore
import Synchronization

/// Makes units that play an LV2 plugin in a process of its own, which is started again when it has ended.
package struct IsolatedPluginSource: RenderUnitSource {
  private let selection: PluginSelection
  private let host: AudioHost

  package init(_ selection: PluginSelection, from host: AudioHost) {
    self.selection = selection
    self.host = host
  }

  package func makeUnit(_ format: Format) throws -> any RenderUnit {
    try makeUnit(format, for: RenderContext())
  }

  package func makeUnit(_ format: Format, for use: RenderContext) throws -> any RenderUnit {
    let source = ChainSource { [selection, host] () throws(ConnectionError) in
      [try PluginProcess.connect(selection, from: host)]
    }
    return try RestartedUnit(format, isOffline: use.isOffline) {
      try source.makeUnit(format, for: use)
    }
  }
}

/// A unit in another process that is made again when the process has ended. Until then there is silence. The new unit has the
/// parameters of the old one, and the state that was last saved or restored.
///
/// `@unchecked Sendable`: the mutex protects what changes.
private final class RestartedUnit: UnitWrapper, @unchecked Sendable {
  private let unit: ReplaceableUnit
  private let make: @Sendable () throws -> any RenderUnit
  private let state = Mutex(State())

  private struct State {
    /// What was saved or restored last.
    var saved: [UInt8] = []
    var backoff = Backoff()
    /// The times of the last attempt and of the next one, in nanoseconds of ``MonotonicClock``.
    var lastAttempt: Int64 = 0
    var nextAttempt: Int64 = 0
  }

  init(
    _ format: Format, isOffline: Bool, _ make: @escaping @Sendable () throws -> any RenderUnit
  ) throws {
    self.make = make
    unit = ReplaceableUnit(try make(), format, isOffline: isOffline)
  }

  var wrapped: any RenderUnit { unit }

  func save() -> [UInt8] {
    let data = unit.save()
    if !isLost { state.withLock { $0.saved = data } }
    return isLost ? state.withLock { $0.saved } : data
  }

  func restore(_ data: [UInt8]) throws {
    try unit.restore(data)
    state.withLock { $0.saved = data }
  }

  func performDeferredWork() {
    unit.performDeferredWork()
    if isLost { restart() }
  }

  /// An offline caller waits for the new unit.
  func prepare(for cycle: MIDICycle) {
    if isLost { restart() }
    unit.prepare(for: cycle)
  }

  private static let trial: Int64 = 10_000_000_000

  private var isLost: Bool { (unit.wrapped as? any LosableUnit)?.isLost ?? false }

  private func restart() {
    let now = MonotonicClock.now
    let saved: [UInt8]? = state.withLock { state in
      guard now >= state.nextAttempt else { return nil }
      // One that has played for some time does not crash again and again.
      if now - state.lastAttempt > Self.trial { state.backoff = Backoff() }
      state.lastAttempt = now
      state.nextAttempt = now + state.backoff.next()
      return state.saved
    }
    guard let saved, let new = try? make() else { return }
    try? new.restore(saved)
    try? unit.replace(with: new)
  }
}
