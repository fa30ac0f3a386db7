import Dispatch
import LocalSystem
package import NodeHost
import NodeProtocol
package import RenderCore
import Synchronization

/// Makes units that play an LV2 plugin in a process of its own, which is started again when it has ended.
package struct IsolatedPluginSource: RenderUnitSource {
  private let selection: PluginSelection
  private let host: AudioHost
  private let report: @Sendable (String) -> Void

  /// - Parameter report: Receives a sentence when a plugin that plays has been lost, or cannot be started again. Threads: any.
  package init(
    _ selection: PluginSelection, from host: AudioHost,
    report: @escaping @Sendable (String) -> Void
  ) {
    self.selection = selection
    self.host = host
    self.report = report
  }

  package func makeUnit(_ format: Format) throws -> any RenderUnit {
    try makeUnit(format, for: RenderContext())
  }

  package func makeUnit(_ format: Format, for use: RenderContext) throws -> any RenderUnit {
    try RestartedUnit(format, isOffline: use.isOffline, report) { [selection, host] in
      let connection = try PluginProcess.connect(selection, from: host)
      do {
        let unit = try ChainSource { [connection] }.makeUnit(format, for: use)
        return PluginInstance(unit: unit, connection: connection)
      } catch let error as ConnectionError {
        throw PluginProcess.explained(error, connection)
      }
    }
  }
}

/// A unit in a process of its own, and the connection to the process.
private struct PluginInstance: Sendable {
  let unit: any RenderUnit
  let connection: Connection
}

/// A unit in another process that is made again when the process has ended. Until then there is silence. The new unit has the
/// parameters of the old one, and the state that was last saved or restored.
///
/// `@unchecked Sendable`: the mutex protects what changes.
private final class RestartedUnit: UnitWrapper, @unchecked Sendable {
  private let unit: ReplaceableUnit
  private let make: @Sendable () throws -> PluginInstance
  private let report: @Sendable (String) -> Void
  private let state: Mutex<State>

  private struct State {
    /// The connection of the unit that plays, or has been lost.
    var connection: Connection
    /// What was saved or restored last.
    var saved: [UInt8] = []
    var recovery = Recovery<PluginInstance>()
    /// What was reported last of the attempts to make a new unit.
    var problem: String?
  }

  init(
    _ format: Format, isOffline: Bool, _ report: @escaping @Sendable (String) -> Void,
    _ make: @escaping @Sendable () throws -> PluginInstance
  ) throws {
    self.make = make
    self.report = report
    let first = try make()
    state = Mutex(State(connection: first.connection))
    unit = ReplaceableUnit(first.unit, format, isOffline: isOffline)
  }

  var wrapped: any RenderUnit { unit }

  func save() -> [UInt8] {
    let data = unit.save()
    if !isLost { state.withLock { $0.saved = data } }
    return isLost ? state.withLock { $0.saved } : data
  }

  func restore(_ data: [UInt8]) throws { try restore(data, files: [:]) }

  func restore(_ data: [UInt8], files: [String: FileReference]) throws {
    do {
      try unit.restore(data, files: files)
    } catch {
      if !isLost { throw error }
      let loss = PluginProcess.loss(of: state.withLock { $0.connection })
      throw ConnectionError.system("the plugin cannot restore this state: \(loss)")
    }
    if files.isEmpty {
      state.withLock { $0.saved = data }
    } else {
      // With the files.
      _ = save()
    }
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
    let (outcome, isInProgress, lost) = state.withLock { [make, report] state in
      let now = MonotonicClock.now
      var lost: Connection?
      if isLost, !state.recovery.isInProgress {
        lost = state.connection
        state.recovery.begin(at: now) { [saved = state.saved] in
          try Self.restore(saved, make, report)
        }
      }
      let outcome = state.recovery.update(at: now, waking: wake)
      let isInProgress = state.recovery.isInProgress && state.recovery.nextUpdate == nil
      return (outcome, isInProgress, lost)
    }
    if let lost { report(PluginProcess.loss(of: lost)) }
    switch outcome {
    case .value(let new, _): replace(with: new)
    case .failure(let error): reportOnce("\(error)")
    case nil: break
    }
    return isInProgress
  }

  private func replace(with new: PluginInstance) {
    state.withLock { $0.connection = new.connection }
    do {
      try unit.replace(with: new.unit)
      state.withLock { $0.problem = nil }
    } catch {
      reportOnce("\(error)")
    }
  }

  private func reportOnce(_ problem: String) {
    let isNew = state.withLock { state in
      defer { state.problem = problem }
      return state.problem != problem
    }
    if isNew { report(problem) }
  }

  /// Makes a unit with a saved state. A state that ends its process is left out, because it would do so again.
  private static func restore(
    _ saved: [UInt8], _ make: () throws -> PluginInstance, _ report: (String) -> Void
  ) throws -> PluginInstance {
    let new = try make()
    do {
      try new.unit.restore(saved)
    } catch {
      report("\(new.connection.node.name) plays without its saved state: \(error)")
      if case .lost = new.connection.status { return try make() }
    }
    return new
  }
}
