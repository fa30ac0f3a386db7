import Glibc
package import LiveMIDI
import LocalSystem
import RenderCore
import Synchronization

/// The MIDI outputs of a server: ports of one sequencer client, through which modules and other programs are played. A
/// thread connects modules when they appear; it wakes for announcements only.
///
/// Messages are delivered at once, on the thread that sends them.
///
/// **Law "notes end":** when an output or all end, the notes and pedals that were sent through them end.
///
/// Threads: any. ``stop()`` must be called; until then the thread retains this object.
package final class SequencerOutputs: Sendable {
  private let state: Mutex<OutputState>
  private let descriptor: CInt
  private let shutdownSignal: ShutdownSignal
  private let thread = Mutex<SystemThread?>(nil)
  private let report: @Sendable (OutputEvent) -> Void

  /// Opens the sequencer and starts the thread.
  ///
  /// - Parameter report: Called on any thread, but not inside a call of this object's.
  /// - Throws: ``SequencerError/unavailable(code:)`` if there is no sequencer or access is denied.
  package init(
    clientName: String = ALSASequencer.outputClientName,
    report: @escaping @Sendable (OutputEvent) -> Void
  ) throws(SequencerError) {
    let sequencer = try ALSASequencer(clientName: clientName)
    descriptor = sequencer.descriptor
    state = Mutex(try OutputState(sequencer))
    self.report = report
    do throws(SystemError) {
      shutdownSignal = try ShutdownSignal()
      let thread = try SystemThread(name: "portative-outputs") { self.run() }
      self.thread.withLock { $0 = thread }
    } catch {
      throw .failed(operation: "start a thread: \(error.call)", code: error.code)
    }
  }

  /// Adds the outputs that are missing, and ends those that are not listed.
  package func set(_ rules: [OutputWiring.Rule]) {
    update { state in
      state.set(rules) { name, address in SequencerOutput(name, address, of: self) }
    }
  }

  /// Returns the output of a name; `nil` if there is none.
  package func output(named name: String) -> (any MIDIDestination)? {
    state.withLock { $0.outputs[name] }
  }

  /// Ends what was sent, removes all outputs, and ends the thread.
  package func stop() {
    shutdownSignal.wake()
    thread.withLock { $0.take() }?.join()
    update { $0.set([]) { SequencerOutput($0, $1, of: self) } }
  }

  func send(_ content: MIDIContent, from output: SequencerOutput) {
    update { $0.send(content, from: output) }
  }

  private func run() {
    do throws(SequencerError) {
      repeat {
        while try readEvent() {}
      } while shutdownSignal.wait(for: descriptor, until: nil)
    } catch {
      report(.failed(error))
    }
  }

  private func readEvent() throws(SequencerError) -> Bool {
    try update { state throws(SequencerError) in try state.readEvent() }
  }

  /// Runs `body` under the lock, then reports the events without it.
  private func update<Result: Sendable, Failure: Error>(
    _ body: (inout OutputState) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var events: [OutputEvent] = []
    defer { events.forEach(report) }
    return try state.withLock { state throws(Failure) in
      defer { events = state.takeEvents() }
      return try body(&state)
    }
  }
}

/// An event of ``SequencerOutputs``, for a log. Its description is a sentence.
package enum OutputEvent: Equatable, Sendable, CustomStringConvertible {
  case connected(output: String, module: String)
  case disconnected(output: String, module: String)
  /// A message was not delivered, unlike the one before.
  case refused(output: String, SequencerError)
  case notWired(SequencerError)
  /// The sequencer failed. New modules are not connected any more.
  case failed(SequencerError)

  package var description: String {
    switch self {
    case .connected(let output, let module): "output '\(output)': plays \(module)"
    case .disconnected(let output, let module): "output '\(output)': no longer plays \(module)"
    case .refused(let output, let error):
      "output '\(output)': messages are lost, because a module does not read them in time: \(error)"
    case .notWired(let error): "\(error)"
    case .failed(let error): "new MIDI modules are not found any more: \(error); restart the server"
    }
  }
}
