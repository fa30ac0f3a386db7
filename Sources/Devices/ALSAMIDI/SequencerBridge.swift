import Glibc
package import LiveMIDI
import Synchronization
import Threads

/// The way from the ALSA sequencer to our ports' inputs: a client with a port for each, and a thread that
/// wakes for events only.
///
/// **Law "notes end":** when a sender vanishes, or its connection to a port of ours ends, what it has down
/// is let go, and nobody else's; connected or not. So it is when a sender of Active Sensing falls silent.
///
/// Threads: any. ``stop()`` must be called, or the thread keeps it for ever.
package final class SequencerBridge: Sendable {
  private let state: Mutex<BridgeState>
  private let thread = Mutex<SystemThread?>(nil)
  private let tell: @Sendable (BridgeEvent) -> Void
  private let descriptor: CInt
  private let bell: ShutdownSignal

  /// A little above ordinary programs, and below what makes sound.
  private static let priority = 10

  /// Opens the sequencer, and begins to listen.
  ///
  /// - Parameters:
  ///   - wiring: Asked what is to be connected. It is called on any thread, one at a time.
  ///   - tell: What happens; called on any thread.
  /// - Throws: ``SequencerError/unavailable(code:)`` where there is no sequencer, or we may not use it.
  package init(
    clientName: String = ALSASequencer.clientName, wiring: any WiringPolicy,
    tell: @escaping @Sendable (BridgeEvent) -> Void
  ) throws(SequencerError) {
    let sequencer = try ALSASequencer(clientName: clientName)
    descriptor = sequencer.descriptor
    state = Mutex(try BridgeState(sequencer, clientName: clientName, wiring: wiring))
    self.tell = tell
    do throws(SystemError) {
      bell = try ShutdownSignal()
      let thread = try SystemThread(name: "portative-midi") { self.run() }
      self.thread.withLock { $0 = thread }
    } catch {
      throw .failed(operation: "be listened to: \(error.call)", code: error.code)
    }
  }

  /// Makes a port that others can play into.
  ///
  /// - Parameter name: What they see it by.
  package func add(
    portNamed name: String, input: LiveInput
  ) throws(SequencerError) -> PortAddress {
    try update { state throws(SequencerError) in try state.add(portNamed: name, input: input) }
  }

  /// Removes a port, if it is there, and lets go of all that is played into it.
  package func remove(_ port: PortAddress) throws(SequencerError) {
    try update { state throws(SequencerError) in try state.remove(port) }
  }

  /// Lets go of all that is played, removes all ports, and ends the thread.
  package func stop() {
    bell.ring()
    thread.withLock { $0.take() }?.join()
    try? update { state throws(SequencerError) in
      for port in state.ports.keys { try state.remove(port) }
    }
  }

  private func run() {
    do throws(RealtimeRefusal) {
      try RealtimePriority.take(Self.priority)
    } catch {
      tell(.refusedPriority(error))
    }
    do throws(SequencerError) {
      var deadline: Int64?
      repeat {
        // In parts, so that others have their turn.
        while try update({ state throws(SequencerError) in try state.takeEvents() }) {}
        deadline = state.withLock { $0.sensingDeadline }
      } while bell.wait(for: descriptor, until: deadline)
    } catch {
      state.withLock { state in
        for port in state.ports.keys { state.silence(port) }
      }
      tell(.failed(error))
    }
  }

  /// What is told may lead to a call of ours, and so it is told when the state is free again.
  private func update<Result: Sendable>(
    _ body: (inout BridgeState) throws(SequencerError) -> Result
  ) throws(SequencerError) -> Result {
    var news: [BridgeEvent] = []
    defer { for event in news { tell(event) } }
    return try state.withLock { state throws(SequencerError) in
      defer {
        news = state.news
        state.news = []
      }
      return try body(&state)
    }
  }
}
