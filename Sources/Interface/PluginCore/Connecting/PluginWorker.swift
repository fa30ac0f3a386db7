import FoundationEssentials
package import LocalSystem
import NodeHost
package import NodeProtocol
import PluginBundles
package import RenderCore
package import Synchronization

/// Connects an instance to its port, on a thread of its own, and keeps the unit's state.
///
/// The thread does everything that may block: it finds and starts the node, connects, restores the state, and does so
/// again when the connection is lost or parked. It waits for a port that is missing or in use, and writes one line to
/// the host's log when its situation changes.
///
/// The extensions contain the choice of the port, the playing, the state and the files.
package final class PluginWorker: Sendable {
  let shared: PluginShared
  private let format: Format
  private let component: Mutex<ComponentDescription?>
  private let isStopped = Mutex(false)
  /// The port of the last unit, and the latency that it has reported when it was made.
  private let firstLatency = Mutex<(port: ComponentDescription, frames: Int)?>(nil)
  /// The connection while its unit can be asked.
  let current = Mutex<Connection?>(nil)
  /// Held while a state passes between the unit, the store and the host: a new unit does not miss a state that the host
  /// restores meanwhile, and the unit's earlier state does not replace it. The render thread never takes it.
  let stateExchange = Mutex(())
  /// The last line about the connection.
  package let lastReport = Mutex("")
  /// The last line about something else.
  package let lastRemark = Mutex("")
  private let host: AudioHost
  private let environment: ProcessEnvironment

  var signals: PluginSignals { shared.signals }
  var plugin: PluginDescription { shared.plugin }

  /// - Parameters:
  ///   - shared: What the worker and the instance share.
  ///   - format: The format of the instance's cycles.
  package init(_ shared: PluginShared, _ format: Format, in environment: ProcessEnvironment) {
    self.environment = environment
    host = AudioHost(name: HostProcess.name, environment: environment)
    self.shared = shared
    self.format = format
    component = Mutex(shared.plugin.port?.component)
  }

  /// Starts the thread. Call this once.
  package func start() {
    do throws(SystemError) {
      try SystemThread(name: "portative-host") { self.run() }.detach()
    } catch {
      shared.door.write("\(name): cannot start a thread: \(error)", isError: true)
    }
  }

  /// Ends the thread, and releases the port. Does not wait for the thread, which may be starting a node.
  package func stop() {
    isStopped.withLock { $0 = true }
    current.withLock { $0 }?.close()
    signals.wakeWorker()
  }

  private var name: String {
    plugin.port?.name ?? component.withLock { $0?.description } ?? "Portative"
  }

  private var mustEnd: Bool { isStopped.withLock { $0 } }

  private func run() {
    var delay = Backoff()
    while !mustEnd {
      shared.door.exchange(with: self)
      let received = signals.work.value
      do throws(ConnectionError) {
        guard let connection = try connect() else {
          reportFailure()
          wait(after: received, nanoseconds: nil)
          continue
        }
        defer { connection.close() }
        var isPlaying = true
        while !mustEnd, isPlaying {
          isPlaying = try play(connection) {
            delay = Backoff()
            // Only after a problem that was reported.
            let hasReported = lastReport.withLock { !$0.isEmpty }
            if hasReported { report("connected to \(connection.node.name)", isError: false) }
          }
        }
      } catch {
        if mustEnd { return }
        // The worker itself has closed the connection, in order to connect again.
        if error != .connectionLost(.closed) {
          report(error.description)
          reportFailure()
        }
      }
      wait(after: received, nanoseconds: delay.next())
    }
  }

  /// - Parameter nanoseconds: The longest wait; `nil` for no limit.
  private func wait(after value: UInt32, nanoseconds: Int64?) {
    signals.work.wait(while: value, until: nanoseconds.map { MonotonicClock.now + $0 })
  }

  /// Writes a line to the host's log unless it was the last.
  func report(_ line: String, isError: Bool = true) {
    let isNew = lastReport.withLock { last in
      defer { last = line }
      return last != line
    }
    if isNew { write(line, isError: isError) }
  }

  /// Writes a line that is not about the connection to the host's log.
  private func remark(_ line: String) {
    lastRemark.withLock { $0 = line }
    write(line, isError: true)
  }

  private func write(_ line: String, isError: Bool) {
    if !mustEnd { shared.door.write("\(name): \(line)", isError: isError) }
  }

  /// Ends the wait of a render thread.
  private func reportFailure() {
    signals.hasFailed.store(1)
    signals.wakeRenderThread()
  }
}

extension PluginWorker {
  /// Plays until the connection is parked or lost.
  ///
  /// - Parameter onPlay: Called when the render thread has the connection.
  /// - Returns: Whether to initialize the connection again.
  /// - Throws: ``ConnectionError`` if the connection is lost, or if the unit cannot have its state now.
  private func play(_ connection: Connection, onPlay: () -> Void) throws(ConnectionError) -> Bool {
    // The closures may be called after this worker has ended. They keep `shared`, which owns the signals' memory.
    connection.onChange = { [shared] _ in shared.signals.wakeWorker() }
    connection.onNotice = { [shared, weak self] notice in
      let signals = shared.signals
      switch notice {
      case .latency(let frames):
        signals.latency.store(UInt32(clamping: frames))
        shared.door.latencyChanged()
      case .settings:
        signals.wereSettingsChanged.store(1)
        signals.wakeWorker()
      case .page(let link): self?.open(link)
      case .tail, .show: break
      }
    }
    guard awaitRun(connection) else { return false }
    let restart = signals.restart.value
    connection.uninitialize()
    let mode: RenderMode = signals.isFreewheeling.value == 1 ? .offline : .realtime
    try connection.initialize(format, mode: mode, priority: Int(signals.priority.value))
    takeLatency(of: connection)
    signals.tail.store(connection.tail.map { UInt32(clamping: $0) } ?? .max)
    shared.door.latencyChanged()
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
      shared.door.exchange(with: self)
      if mustEnd { return false }
      if case .lost = connection.status { return false }
      wait(after: received, nanoseconds: nil)
    }
  }

  /// Takes the latency of a new unit.
  ///
  /// Some units know theirs only after they have rendered. One that begins as the last unit of the port did has its settings, and so will
  /// have its latency: an export, for which the unit is made again, is compensated from the beginning.
  private func takeLatency(of connection: Connection) {
    let new = (port: connection.port.component, frames: connection.latency)
    let isKnown = firstLatency.withLock { last in
      defer { last = new }
      return last.map { $0 == new } ?? false
    }
    if !isKnown { signals.latency.store(UInt32(clamping: new.frames)) }
  }

  /// Opens the page that the host has asked for, which the node cannot open in its own session.
  private func open(_ link: String) {
    do throws(Browser.Problem) {
      try Browser.open(link, in: environment)
    } catch {
      remark(
        "its page cannot be shown, neither by the node nor here: \(error); portative serve --panel-link "
          + "prints the link of the panel")
    }
  }

  /// Passes on what the host has set and asked for since the worker was woken.
  private func exchange(for connection: Connection) {
    shared.door.exchange(with: self)
    if signals.asksForWindow.exchange(1, for: 0) { connection.show() }
  }

  /// Stores the unit's state at most once per second while it changes, until the connection is parked or lost, or the
  /// render thread requests a new unit.
  private func keepState(of connection: Connection, until restart: UInt32) {
    var lateness = LatenessReport(signals)
    while true {
      let received = signals.work.value
      exchange(for: connection)
      reportLateCycles(&lateness)
      if signals.wereSettingsChanged.exchange(1, for: 0) { takeSettings(of: connection) }
      guard !mustEnd, case .initialized = connection.status else { return }
      if signals.restart.value != restart {
        storeState(of: connection)
        return
      }
      if signals.hasChanged.value == 0 {
        // The render thread does not wake the worker again before late cycles are reported.
        let isReportPending = signals.wasLate.value != 0
        wait(after: received, nanoseconds: isReportPending ? lateness.remainingTime : nil)
        continue
      }
      let end = MonotonicClock.now + 1_000_000_000
      while MonotonicClock.now < end, !mustEnd, signals.restart.value == restart,
        case .initialized = connection.status
      {
        let received = signals.work.value
        exchange(for: connection)
        signals.work.wait(while: received, until: end)
      }
      storeState(of: connection)
    }
  }

  /// Writes a line about late cycles, at most one in ten seconds. Those while nothing sounds are not reported.
  private func reportLateCycles(_ lateness: inout LatenessReport) {
    guard signals.wasLate.value != 0, lateness.isDue else { return }
    signals.wasLate.store(0)
    let count = lateness.take(signals)
    if count == 0 { return }
    let cycles = count == 1 ? "a cycle was" : "\(count) cycles were"
    remark(
      "\(cycles) silent, because the node did not answer in time: "
        + "choose a longer cycle in the host, or play fewer notes at once")
  }
}

// The port of a plugin, which its user may select.
extension PluginWorker {
  /// The selected component; `nil` for none.
  package var selection: ComponentDescription? { component.withLock { $0 } }

  /// Selects the port of a plugin without one of its own.
  package func select(_ text: String) {
    guard plugin.port == nil else { return }
    guard let selected = ComponentDescription(text: text), selected.type == plugin.type else {
      shared.door.write(
        "'\(text)' is not a port of type \(plugin.type): write its type, subtype and manufacturer as "
          + "portative list shows them", isError: true)
      return
    }
    shared.door.report(.port, selected.description)
    if component.withLock({ component in
      defer { component = selected }
      return component == selected
    }) {
      return
    }
    current.withLock { $0 }?.close()
    signals.wakeWorker()
  }

  /// Acquires the port, and starts its node if necessary.
  ///
  /// - Returns: `nil` if no port is selected.
  private func connect() throws(ConnectionError) -> Connection? {
    guard let wanted = selection else {
      report("no port is selected: set the property Port", isError: false)
      return nil
    }
    let registry = ComponentRegistry(environment)
    guard let found = registry.components(matching: ComponentQuery(wanted)).first else {
      throw .system(
        "no node offers the port '\(wanted)': install or start its node; the plugin is silent until then, and its "
          + "state is kept")
    }
    return try host.connect(to: found)
  }
}

/// The program that has loaded the plugins.
package enum HostProcess {
  /// The program's name, such as `ardour-7.3.0`, which other hosts are told while this one has a port.
  package static let name: String = {
    let name = try? String(contentsOfFile: "/proc/self/comm", encoding: .utf8)
    return name?.split(separator: "\n").first.map { String($0) } ?? "plugin host"
  }()
}
