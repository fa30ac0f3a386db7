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
///
/// The extensions contain the choice of the port, the playing, the state and the properties.
final class PluginWorker: Sendable {
  let shared: PluginShared
  let format: Format
  let component: Mutex<ComponentDescription?>
  private let isStopped = Mutex(false)
  /// The connection while its unit can be asked.
  let current = Mutex<Connection?>(nil)
  /// Held while a state passes between the unit, the store and the host: a new unit does not miss a state that the host
  /// restores meanwhile, and the unit's earlier state does not replace it. The render thread never takes it.
  let stateExchange = Mutex(())
  /// The last line about the connection.
  let lastReport = Mutex("")
  /// The last line about late cycles.
  let lastLateness = Mutex("")
  let host: AudioHost
  let environment: ProcessEnvironment

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

  var mustEnd: Bool { isStopped.withLock { $0 } }

  private func run() {
    var delay = RetryDelay()
    while !mustEnd {
      exchangeProperties()
      let received = signals.work.value
      do throws(ConnectionError) {
        guard let connection = try connect() else {
          reportFailure()
          wait(after: received, milliseconds: nil)
          continue
        }
        defer { connection.close() }
        var isPlaying = true
        while !mustEnd, isPlaying {
          isPlaying = try play(connection) {
            delay = RetryDelay()
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
      wait(after: received, milliseconds: delay.next())
    }
  }

  /// - Parameter milliseconds: The longest wait; `nil` for no limit.
  func wait(after value: UInt32, milliseconds: Int64?) {
    signals.work.wait(
      while: value, until: milliseconds.map { MonotonicClock.now + $0 * 1_000_000 })
  }

  /// Writes a line to the host's log unless it was the last.
  func report(_ line: String, isError: Bool = true) {
    let isNew = lastReport.withLock { last in
      defer { last = line }
      return last != line
    }
    if isNew { write(line, isError: isError) }
  }

  /// Writes a line about late cycles to the host's log.
  func report(lateness line: String) {
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
