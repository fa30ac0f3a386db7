import NodeHost
import NodeProtocol
import PluginBundle
import RenderCore
import Synchronization
import Threads

extension PluginWorker {
  /// Plays until the connection is parked or lost.
  ///
  /// - Parameter onPlay: Called when the render thread has the connection.
  /// - Returns: Whether to initialize the connection again.
  /// - Throws: ``ConnectionError`` if the connection is lost, or if the unit cannot have its state now.
  func play(_ connection: Connection, onPlay: () -> Void) throws(ConnectionError) -> Bool {
    // The closures may be called after this worker has ended. They keep `shared`, which owns the signals' memory.
    connection.onChange = { [shared] _ in shared.signals.wakeWorker() }
    connection.onNotice = { [shared] notice in
      let signals = shared.signals
      switch notice {
      case .latency(let frames): signals.latency.store(UInt32(clamping: frames))
      case .settings:
        signals.wereSettingsChanged.store(1)
        signals.wakeWorker()
      case .tail, .show: break
      }
    }
    guard awaitRun(connection) else { return false }
    let restart = signals.restart.value
    connection.uninitialize()
    let mode: RenderMode = signals.isFreewheeling.value == 1 ? .offline : .realtime
    try connection.initialize(format, mode: mode, priority: Int(signals.priority.value))
    signals.latency.store(UInt32(clamping: connection.latency))
    try establishState(of: connection)
    let active = ActiveConnection.make(connection, plugin.parameters, restart: restart)
    signals.hasFailed.store(0)
    shared.slot.put(active)
    signals.wakeRenderThread()
    onPlay()
    reportFiles(of: connection)
    keepState(of: connection, until: restart)
    shared.slot.remove()
    active.destroy()
    current.withLock { $0 = nil }
    switch connection.status {
    case .lost(let reason): throw .connectionLost(reason)
    case .parked(.late): report("the node does not answer in time; its unit is made again")
    default: break
    }
    return true
  }

  /// Waits for a cycle of the host, so that a plugin that is not run does not initialize its port again and again.
  ///
  /// - Returns: `false` if the connection has ended meanwhile.
  private func awaitRun(_ connection: Connection) -> Bool {
    signals.awaitsRun.store(1)
    // A render thread may already wait for a connection.
    signals.wakeRenderThread()
    while true {
      let received = signals.work.value
      if signals.awaitsRun.value == 0 { return true }
      exchangeProperties()
      if mustEnd { return false }
      if case .lost = connection.status { return false }
      wait(after: received, milliseconds: nil)
    }
  }

  /// Stores the unit's state at most once per second while it changes, until the connection is parked or lost, or the
  /// render thread requests a new unit.
  private func keepState(of connection: Connection, until restart: UInt32) {
    var lateness = LatenessReport(signals.lateCycles.value)
    while true {
      let received = signals.work.value
      exchangeProperties()
      reportLateCycles(&lateness)
      if signals.wereSettingsChanged.exchange(1, for: 0) { storeSettings(of: connection) }
      guard !mustEnd, case .initialized = connection.status else { return }
      if signals.restart.value != restart {
        storeState(of: connection)
        return
      }
      if signals.hasChanged.value == 0 {
        // The render thread does not wake the worker again before late cycles are reported.
        let isReportPending = signals.wasLate.value != 0
        wait(after: received, milliseconds: isReportPending ? lateness.milliseconds : nil)
        continue
      }
      let end = MonotonicClock.now + 1_000_000_000
      while MonotonicClock.now < end, !mustEnd, signals.restart.value == restart,
        case .initialized = connection.status
      {
        let received = signals.work.value
        exchangeProperties()
        signals.work.wait(while: received, until: end)
      }
      storeState(of: connection)
    }
  }

  /// Writes a line about late cycles, at most one in ten seconds.
  private func reportLateCycles(_ lateness: inout LatenessReport) {
    guard signals.wasLate.value != 0, lateness.isDue else { return }
    signals.wasLate.store(0)
    let count = lateness.count(signals.lateCycles.value)
    if count == 0 { return }
    let cycles = count == 1 ? "a cycle was" : "\(count) cycles were"
    report(
      lateness: "\(cycles) silent, because the node did not answer in time: "
        + "choose a longer cycle in the host, or play fewer notes at once")
  }
}

/// When late cycles were reported last, and how many there had been.
private struct LatenessReport {
  private var reported: UInt32
  private var next: Int64 = 0

  init(_ count: UInt32) { reported = count }

  var isDue: Bool { MonotonicClock.now >= next }

  /// The time until the next report is due.
  var milliseconds: Int64 { max(0, next - MonotonicClock.now) / 1_000_000 + 1 }

  /// Returns the number of cycles since the last report.
  mutating func count(_ total: UInt32) -> UInt32 {
    let count = total &- reported
    reported = total
    if count > 0 { next = MonotonicClock.now + 10_000_000_000 }
    return count
  }
}
