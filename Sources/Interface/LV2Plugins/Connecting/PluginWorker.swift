import CLV2
import FoundationEssentials
import LV2Bundles
import LocalSystem
import NodeHost
import NodeProtocol
import RenderCore
import Synchronization

/// Connects an instance to its port, on a thread of its own, and keeps the unit's state.
///
/// The thread does everything that may block: it finds and starts the node, connects, restores the state, and does so
/// again when the connection is lost or parked. It waits for a port that is missing or in use, and writes one line to
/// the host's log when its situation changes.
///
/// The extensions contain the choice of the port, the playing, the state and the properties.
final class PluginWorker: Sendable {
  private let shared: PluginShared
  private let format: Format
  private let component: Mutex<ComponentDescription?>
  private let isStopped = Mutex(false)
  /// The connection while its unit can be asked.
  private let current = Mutex<Connection?>(nil)
  /// Held while a state passes between the unit, the store and the host: a new unit does not miss a state that the host
  /// restores meanwhile, and the unit's earlier state does not replace it. The render thread never takes it.
  private let stateExchange = Mutex(())
  /// The last line about the connection.
  let lastReport = Mutex("")
  /// The last line about late cycles.
  let lastLateness = Mutex("")
  private let host: AudioHost
  private let environment: ProcessEnvironment

  var signals: PluginSignals { shared.signals }
  private var plugin: PluginDescription { shared.plugin }

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

  private var mustEnd: Bool { isStopped.withLock { $0 } }

  private func run() {
    var delay = Backoff()
    while !mustEnd {
      exchangeProperties()
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
  private func report(_ line: String, isError: Bool = true) {
    let isNew = lastReport.withLock { last in
      defer { last = line }
      return last != line
    }
    if isNew { write(line, isError: isError) }
  }

  /// Writes a line about late cycles to the host's log.
  private func report(lateness line: String) {
    lastLateness.withLock { $0 = line }
    write(line, isError: true)
  }

  private func write(_ line: String, isError: Bool) {
    if !mustEnd { shared.host.write("\(name): \(line)", isError: isError) }
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
      wait(after: received, nanoseconds: nil)
    }
  }

  /// Stores the unit's state at most once per second while it changes, until the connection is parked or lost, or the
  /// render thread requests a new unit.
  private func keepState(of connection: Connection, until restart: UInt32) {
    var lateness = LatenessReport(signals)
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
        wait(after: received, nanoseconds: isReportPending ? lateness.remainingTime : nil)
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
    let (count, interruptions) = lateness.take(signals)
    if count == 0 { return }
    let cycles = count == 1 ? "a cycle was" : "\(count) cycles were"
    report(
      lateness: "\(cycles) silent, because the node did not answer in time: "
        + "choose a longer cycle in the host"
        + (interruptions > 0 ? ", or play fewer notes at once" : "; nothing was sounding"))
  }
}

/// When late cycles were reported last, and how many there had been.
private struct LatenessReport {
  private var reported: (lateCycles: UInt32, interruptions: UInt32)
  private var next: Int64 = 0

  init(_ signals: PluginSignals) {
    reported = (signals.lateCycles.value, signals.interruptions.value)
  }

  var isDue: Bool { MonotonicClock.now >= next }

  /// The time until the next report is due.
  var remainingTime: Int64 { max(0, next - MonotonicClock.now) }

  /// Returns the number of late cycles since the last report, and of those that interrupted a sound.
  mutating func take(_ signals: PluginSignals) -> (count: UInt32, interruptions: UInt32) {
    let total = (signals.lateCycles.value, signals.interruptions.value)
    defer { reported = total }
    let count = total.0 &- reported.lateCycles
    if count > 0 { next = MonotonicClock.now + 10_000_000_000 }
    return (count, total.1 &- reported.interruptions)
  }
}

// The port of a plugin, which its user may select.
extension PluginWorker {
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
    shared.properties.set(.port, to: selected.description)
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

// The properties that the host shows and sets.
extension PluginWorker {
  /// Sets what the host has set, and reports what it does not know.
  private func exchangeProperties() {
    if let new = signals.propertyFromHost.content {
      let text = String(decoding: new.bytes.prefix { $0 != 0 }, as: UTF8.self)
      signals.propertyFromHost.clear()
      set(new.key, to: text)
    }
    if signals.asksForProperties.exchange(1, for: 0) { shared.properties.reportAll() }
    shared.properties.report { key, subject, value in
      let type = subject == .port ? shared.types.string : shared.types.path
      return Array("\(value)\0".utf8).withUnsafeBytes {
        signals.propertyToHost.put(PropertyMailbox.Value(key: key, type: type, bytes: $0))
      }
    }
  }

  private func set(_ key: LV2_URID, to value: String) {
    switch shared.properties[key] {
    case .port: select(value)
    case .file(let identifier): chooseFile(identifier, value)
    case nil: break
    }
  }

  /// Plays another file. Without a unit, the next one receives it.
  func chooseFile(_ identifier: String, _ path: String) {
    let file = FileReference(path: path)
    guard let connection = current.withLock({ $0 }) else {
      shared.store.setFile(identifier, to: file)
      shared.properties.set(.file(identifier), to: path)
      return
    }
    do throws(ConnectionError) {
      try connection.setFile(identifier, to: file)
      storeSettings(of: connection)
    } catch {
      report(error.description)
      shared.properties.reportAll()
    }
  }

  /// Reports the files that the unit plays.
  private func reportFiles(of connection: Connection) {
    if plugin.properties.allSatisfy({ $0.subject == .port }) { return }
    for file in (try? connection.files()) ?? [] {
      shared.properties.set(.file(file.identifier), to: file.file.path)
    }
  }
}

// The unit's state. An exchange waits for another one, whose requests the node must answer within 5 s each.
extension PluginWorker {
  /// The string that the host saves; `nil` for nothing.
  func savedText() -> String? {
    if let connection = current.withLock({ $0 }) { storeState(of: connection) }
    return shared.store.text
  }

  /// Restores a string that the host has saved. Without a connection, the next one receives it.
  ///
  /// - Parameter paths: Where the files of the state are now, by their identifiers, as far as the host knows that.
  func restore(_ text: String, paths: [String: String] = [:]) {
    let problem: String? = stateExchange.withLock { _ in
      do throws(SavedState.Flaw) {
        try shared.store.restore(text, paths: paths)
      } catch {
        return "\(error); it is kept, but not used, and changes are not saved"
      }
      signals.restored.increase()
      guard let connection = current.withLock({ $0 }) else { return nil }
      do throws(ConnectionError) {
        return try applyState(to: connection)
      } catch {
        // The next unit receives the state, and is silent as long as that is impossible.
        connection.close()
        signals.wakeWorker()
        return nil
      }
    }
    // Not during the exchange, because the host's log may wait for another thread of the host.
    if let problem { report(problem) }
  }

  /// Gives the stored state, if any, to the unit of a new connection, which can be asked from then on.
  ///
  /// - Throws: ``ConnectionError`` also if a file of the state, such as a SoundFont, is missing.
  private func establishState(of connection: Connection) throws(ConnectionError) {
    let problem = try stateExchange.withLock { _ throws(ConnectionError) in
      let values = zip(
        connection.parameters.parameters.map(\.identifier), try connection.parameterValues())
      setControls(Dictionary(values) { $1 })
      let problem = try applyState(to: connection)
      current.withLock { $0 = connection }
      return problem
    }
    if let problem { report(problem) }
  }

  /// Stores and reports settings of the unit that the host has not set by control ports or events. The values of control
  /// ports remain: a port counts again when the host changes it.
  private func storeSettings(of connection: Connection) {
    storeState(of: connection)
    reportFiles(of: connection)
  }

  /// Stores the unit's state.
  private func storeState(of connection: Connection) {
    stateExchange.withLock { _ in
      signals.hasChanged.store(0)
      var controls: [String: Float] = [:]
      for (index, parameter) in plugin.parameters.parameters.enumerated() {
        controls[parameter.identifier] = signals[control: index]
      }
      guard let unit = try? connection.saveState() else { return }
      shared.store.set(SavedState(port: connection.port.name, unit: unit, controls: controls))
    }
  }

  /// Gives the stored state, if any, to a unit.
  ///
  /// - Returns: The line to report if the unit refuses the state, which is then kept for the host.
  /// - Throws: ``ConnectionError`` if the unit may accept the state later.
  private func applyState(to connection: Connection) throws(ConnectionError) -> String? {
    guard let state = shared.store.state else { return try applyFiles(to: connection) }
    do throws(ConnectionError) {
      try connection.restoreState(state.unit)
    } catch {
      guard case .refused(let refusal) = error, refusal.code != .unusableFile else { throw error }
      shared.store.keep()
      return "the saved state is kept, but not used, and changes are not saved: \(error)"
    }
    setControls(state.controls)
    return nil
  }

  /// Gives the files that were chosen without a state to a unit.
  ///
  /// - Returns: The line to report if the unit has no such file.
  private func applyFiles(to connection: Connection) throws(ConnectionError) -> String? {
    for (identifier, file) in shared.store.files {
      do throws(ConnectionError) {
        try connection.setFile(identifier, to: file)
      } catch {
        guard case .refused(let refusal) = error, refusal.code != .unusableFile else { throw error }
        return refusal.message
      }
    }
    return nil
  }

  /// Sets the values of control ports that the unit has, by the parameters' identifiers.
  private func setControls(_ values: [String: Float]) {
    for (index, parameter) in plugin.parameters.parameters.enumerated() {
      if let value = values[parameter.identifier] { signals[control: index] = value }
    }
  }
}

/// The program that has loaded the plugins.
enum HostProcess {
  /// The program's name, such as `ardour-7.3.0`, which other hosts are told while this one has a port.
  fileprivate static let name: String = {
    let name = try? String(contentsOfFile: "/proc/self/comm", encoding: .utf8)
    return name?.split(separator: "\n").first.map { String($0) } ?? "LV2 host"
  }()
}
