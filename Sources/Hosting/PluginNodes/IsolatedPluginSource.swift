import Dispatch
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
    var recovery = Recovery<any RenderUnit>()
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
    _ = recover()
  }

  /// An offline caller waits for an attempt to make a new unit.
  func prepare(for cycle: MIDICycle) {
    if isLost {
      let attempt = DispatchSemaphore(value: 0)
      if recover(waking: { attempt.signal() }) {
        attempt.wait()
        _ = recover()
      }
    }
    unit.prepare(for: cycle)
  }

  private var isLost: Bool { (unit.wrapped as? any LosableUnit)?.isLost ?? false }

  /// Replaces a unit that is lost when a new one has been made.
  ///
  /// - Parameter wake: Called when an attempt has ended that begins now.
  /// - Returns: Whether an attempt is in progress.
  private func recover(waking wake: @escaping @Sendable () -> Void = {}) -> Bool {
    let (outcome, isInProgress) = state.withLock { [make] state in
      let now = MonotonicClock.now
      if isLost, !state.recovery.isInProgress {
        state.recovery.begin(at: now) { [saved = state.saved] in
          let new = try make()
          try? new.restore(saved)
          return new
        }
      }
      let outcome = state.recovery.update(at: now, waking: wake)
      return (outcome, state.recovery.isInProgress && state.recovery.nextUpdate == nil)
    }
    if case .value(let new, _) = outcome { try? unit.replace(with: new) }
    return isInProgress
  }
}
