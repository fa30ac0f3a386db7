import LocalSystem
import NodeDirectory
import NodeHost
import NodeProtocol
import PluginBundle
import RenderCore
import Synchronization
import Threads

/// Connects an instance to its port, on a thread of its own, and keeps the unit's state.
///
/// The thread does everything that may block: it finds and starts the node, connects, restores the state, and does so
/// again when the connection is lost or parked. It waits for a port that is missing or in use, and writes one line to
/// the host's log when its situation changes.
final class PluginWorker: Sendable {
  let shared: PluginShared
  private let format: Format
  private let component: Mutex<ComponentDescription?>
  private let isStopped = Mutex(false)
  /// The connection while its unit can be asked.
  let current = Mutex<Connection?>(nil)
  /// Held while a state passes between the unit, the store and the host: a new unit does not miss a state that the host
  /// restores meanwhile, and the unit's earlier state does not replace it. The render thread never takes it.
  let stateExchange = Mutex(())
  private let lastReport = Mutex("")
  private let host: AudioHost
  private let environment: ProcessEnvironment

  var signals: PluginSignals { shared.signals }
  var plugin: PluginDescription { shared.plugin }

  init(_ shared: PluginShared, _ format: Format, in environment: ProcessEnvironment) {
    self.environment = environment
    host = AudioHost(name: HostProcess.name, environment: environment)
    self.shared = shared
    self.format = format
    component = Mutex(shared.plugin.port?.component)
  }

  func start() {
    do throws(SystemError) {
      try SystemThread(name: "portative-lv2") { self.run() }.detach()
    } catch {
      shared.host.write("\(name): cannot start a thread: \(error)")
    }
  }

  /// Ends the thread, and releases the port. Does not wait for the thread, which may be starting a node.
  func stop() {
    isStopped.withLock { $0 = true }
    current.withLock { $0 }?.close()
    signals.wakeWorker()
  }

  private var name: String {
    plugin.port?.name ?? component.withLock { $0?.description } ?? "Portative"
  }

  // MARK: The port

  /// The selected component; `nil` for none.
  var selection: ComponentDescription? { component.withLock { $0 } }

  /// Selects the port of a plugin without one of its own.
  func select(_ text: String) {
    guard plugin.port == nil else { return }
    guard let selected = ComponentDescription(text: text), selected.type == plugin.type else {
      shared.host.write(
        "'\(text)' is not a port of type \(plugin.type): write its type, subtype and manufacturer as "
          + "portative list shows them")
      return
    }
    if component.withLock({ component in
      defer { component = selected }
      return component == selected
    }) {
      return
    }
    current.withLock { $0 }?.close()
    signals.wakeWorker()
  }

  private func readSelection() {
    let count = Int(signals.portTextCount.value)
    if count == 0 { return }
    let bytes = UnsafeBufferPointer(start: signals.portText, count: count)
    let text = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    signals.portTextCount.store(0)
    select(text)
  }

  // MARK: The thread

  private var mustEnd: Bool { isStopped.withLock { $0 } }

  private func run() {
    var delay = RetryDelay()
    while !mustEnd {
      readSelection()
      let received = signals.work.value
      do throws(ConnectionError) {
        guard let connection = try connect() else {
          reportFailure()
          wait(after: received, milliseconds: nil)
          continue
        }
        delay = RetryDelay()
        defer { connection.close() }
        while !mustEnd, try play(connection) {}
      } catch {
        if mustEnd { return }
        report(error.description)
        reportFailure()
      }
      wait(after: received, milliseconds: delay.next())
    }
  }

  /// - Parameter milliseconds: The longest wait; `nil` for no limit.
  private func wait(after value: UInt32, milliseconds: Int64?) {
    signals.work.wait(
      while: value, until: milliseconds.map { MonotonicClock.now + $0 * 1_000_000 })
  }

  /// Writes a line to the host's log unless it was the last.
  func report(_ line: String, isError: Bool = true) {
    let isNew = lastReport.withLock { last in
      defer { last = line }
      return last != line
    }
    if isNew, !mustEnd { shared.host.write("\(name): \(line)", isError: isError) }
  }

  /// Ends the wait of a render thread.
  private func reportFailure() {
    signals.hasFailed.store(1)
    signals.wakeRenderThread()
  }

  /// Acquires the port, and starts its node if necessary.
  ///
  /// - Returns: `nil` if no port is selected.
  private func connect() throws(ConnectionError) -> Connection? {
    guard let wanted = component.withLock({ $0 }) else {
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

  /// Plays until the connection is parked or lost.
  ///
  /// - Returns: Whether to initialize the connection again.
  /// - Throws: ``ConnectionError`` if the connection is lost.
  private func play(_ connection: Connection) throws(ConnectionError) -> Bool {
    connection.onChange = { [signals] _ in signals.wakeWorker() }
    connection.onNotice = { [signals] notice in
      if case .latency(let frames) = notice { signals.latency.store(UInt32(clamping: frames)) }
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
    if !lastReport.withLock({ $0.isEmpty }) {
      report("connected to \(connection.node.name)", isError: false)
    }
    keepState(of: connection, until: restart)
    shared.slot.remove()
    active.destroy()
    current.withLock { $0 = nil }
    if case .lost(let reason) = connection.status { throw .connectionLost(reason) }
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
      readSelection()
      if mustEnd { return false }
      if case .lost = connection.status { return false }
      wait(after: received, milliseconds: nil)
    }
  }

  /// Stores the unit's state at most once per second while it changes, until the connection is parked or lost, or the
  /// render thread requests a new unit.
  private func keepState(of connection: Connection, until restart: UInt32) {
    while true {
      let received = signals.work.value
      readSelection()
      guard !mustEnd, case .initialized = connection.status else { return }
      if signals.restart.value != restart {
        storeState(of: connection)
        return
      }
      if signals.hasChanged.value == 0 {
        wait(after: received, milliseconds: nil)
        continue
      }
      let end = MonotonicClock.now + 1_000_000_000
      while MonotonicClock.now < end, !mustEnd, signals.restart.value == restart,
        case .initialized = connection.status
      {
        let received = signals.work.value
        signals.work.wait(while: received, until: end)
      }
      storeState(of: connection)
    }
  }
}
