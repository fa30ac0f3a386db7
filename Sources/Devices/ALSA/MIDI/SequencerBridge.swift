import Glibc
package import LiveMIDI
import LocalSystem
import Synchronization

/// Passes events from the ALSA sequencer to the inputs of our ports. It is one sequencer client with a port for each
/// input, and a thread that only wakes for events.
///
/// **Law "notes end":** when a sender disappears, or its connection to one of our ports ends, the notes and pedals that
/// it holds are released; other senders are unaffected. This also holds for senders that are not connected, and for
/// senders whose Active Sensing times out.
///
/// Threads: any. ``stop()`` must be called; until then the thread retains the bridge.
package final class SequencerBridge: Sendable {
  private let state: Mutex<BridgeState>
  private let thread = Mutex<SystemThread?>(nil)
  private let report: @Sendable (BridgeEvent) -> Void
  private let descriptor: CInt
  private let shutdownSignal: ShutdownSignal

  /// The realtime priority: above ordinary programs, below the audio threads.
  private static let priority = 10

  /// Opens the sequencer and starts the thread.
  ///
  /// - Parameters:
  ///   - wiring: Decides which ports are connected. It is called on any thread, one call at a time.
  ///   - report: Receives the bridge's events; called on any thread.
  /// - Throws: ``SequencerError/unavailable(code:)`` if there is no sequencer or access is denied.
  package init(
    clientName: String = ALSASequencer.clientName, wiring: any WiringPolicy,
    report: @escaping @Sendable (BridgeEvent) -> Void
  ) throws(SequencerError) {
    let sequencer = try ALSASequencer(clientName: clientName)
    descriptor = sequencer.descriptor
    state = Mutex(try BridgeState(sequencer, clientName: clientName, wiring: wiring))
    self.report = report
    do throws(SystemError) {
      shutdownSignal = try ShutdownSignal()
      let thread = try SystemThread(name: "portative-midi") { self.run() }
      self.thread.withLock { $0 = thread }
    } catch {
      throw .failed(operation: "start its thread: \(error.call)", code: error.code)
    }
  }

  /// Creates a port that other clients can play into.
  ///
  /// - Parameter name: The port name that other clients see.
  package func add(
    portNamed name: String, input: LiveInput
  ) throws(SequencerError) -> PortAddress {
    try update { state throws(SequencerError) in try state.add(portNamed: name, input: input) }
  }

  /// Sets the names of keyboards, also of those that are connected.
  package func setNames(_ names: KeyboardNames) throws(SequencerError) {
    try update { state throws(SequencerError) in try state.setNames(names) }
  }

  /// Removes a port, if it exists, and releases all notes played into it.
  package func remove(_ port: PortAddress) throws(SequencerError) {
    try update { state throws(SequencerError) in try state.remove(port) }
  }

  /// Releases all notes, removes all ports, and ends the thread.
  package func stop() {
    shutdownSignal.wake()
    thread.withLock { $0.take() }?.join()
    try? update { state throws(SequencerError) in
      for port in state.ports.keys { try state.remove(port) }
    }
  }

  private func run() {
    do throws(RealtimePriorityError) {
      try RealtimePriority.request(Self.priority)
    } catch {
      report(.refusedPriority(error))
    }
    do throws(SequencerError) {
      var deadline: Int64?
      repeat {
        // In batches, so that other threads can take the lock in between.
        while try update({ state throws(SequencerError) in try state.readEvents() }) {}
        deadline = state.withLock { $0.sensingDeadline }
      } while shutdownSignal.wait(for: descriptor, until: deadline)
    } catch {
      state.withLock { state in
        for port in state.ports.keys { state.silence(port) }
      }
      report(.failed(error))
    }
  }

  /// Runs `body` under the lock, then reports the events without it, because the handler may call back.
  private func update<Result: Sendable>(
    _ body: (inout BridgeState) throws(SequencerError) -> Result
  ) throws(SequencerError) -> Result {
    var events: [BridgeEvent] = []
    defer { for event in events { report(event) } }
    return try state.withLock { state throws(SequencerError) in
      defer {
        events = state.events
        state.events = []
      }
      return try body(&state)
    }
  }
}
