import ALSA
import Configuration
import LiveAudio
import LiveMIDI
import LocalSystem
import RenderCore
import Synchronization

/// The MIDI outputs of a server, through which zones and scenes play modules and other programs. Each is a port of the
/// ALSA sequencer and, in a sound graph, a client of it.
///
/// Threads: any. Errors are logged.
final class MIDIOutputs: Sendable {
  private let observer: any ServerObserver
  private let usesSequencer: Bool
  private let graph: SoundGraph?
  private let state = Mutex(State())

  private struct State {
    var settings: [OutputSettings] = []
    /// `nil` until an output is wanted, or without a sequencer.
    var sequencer: SequencerOutputs?
    /// The outputs to the graph, by their names.
    var clients: [String: GraphOutput] = [:]
    var onConnection: (@Sendable (String) -> Void)?
  }

  /// - Parameters:
  ///   - usesSequencer: Whether the outputs are ports of the ALSA sequencer.
  ///   - graph: The sound graph whose clients the outputs are; `nil`: there is none.
  init(usesSequencer: Bool, in graph: SoundGraph?, _ observer: any ServerObserver) {
    self.usesSequencer = usesSequencer
    self.graph = graph
    self.observer = observer
  }

  /// Sets a closure that is called with the name of an output to which a module has been connected.
  func onConnection(_ handler: @escaping @Sendable (String) -> Void) {
    state.withLock { $0.onConnection = handler }
  }

  /// Sets the outputs. Those that exist remain as they are; what others have sent ends.
  func set(_ settings: [OutputSettings]) {
    let (sequencer, ended) = state.withLock { state in
      if usesSequencer, state.sequencer == nil, state.settings.isEmpty, !settings.isEmpty {
        state.sequencer = openSequencer()
      }
      state.settings = settings
      let ended = state.clients.filter { client in
        !settings.contains { $0.name == client.key }
      }
      for name in ended.keys { state.clients[name] = nil }
      if let graph {
        for output in settings where state.clients[output.name] == nil {
          state.clients[output.name] = client(output.name, of: graph)
        }
      }
      return (state.sequencer, ended.values)
    }
    sequencer?.set(settings.map { OutputWiring.Rule(name: $0.name, modules: $0.connect) })
    for client in ended { client.stop() }
  }

  private func openSequencer() -> SequencerOutputs? {
    do {
      return try SequencerOutputs { [weak self, observer] event in
        switch event {
        case .failed, .refused, .notWired: observer.log(error: event.description)
        case .disconnected: observer.log(event.description)
        case .connected(let output, _):
          observer.log(event.description)
          self?.state.withLock { $0.onConnection }?(output)
        }
      }
    } catch {
      observer.log(error: "no MIDI outputs of the sequencer: \(error); then restart the server")
      return nil
    }
  }

  private func client(_ name: String, of graph: SoundGraph) -> GraphOutput? {
    do {
      return try GraphOutput(name, of: graph) { [observer] event in
        switch event {
        case .sound(.playing): break
        default: observer.log("output '\(name)': \(event)")
        }
      }
    } catch {
      observer.log(error: "output '\(name)' is no client of JACK: \(error)")
      return nil
    }
  }

  /// Returns the output of a name; `nil` if it cannot be used.
  func output(named name: String) -> (any MIDIDestination)? {
    let (sequencer, client) = state.withLock { ($0.sequencer, $0.clients[name]) }
    let port = sequencer?.output(named: name)
    guard let client else { return port }
    return port.map { SharedOutput($0, client) } ?? client
  }

  /// Ends what was sent, and removes all outputs.
  func stop() {
    let (sequencer, clients) = state.withLock { state in
      defer { (state.sequencer, state.clients) = (nil, [:]) }
      return (state.sequencer, state.clients.values)
    }
    sequencer?.stop()
    for client in clients { client.stop() }
  }
}

/// An output to two destinations.
private final class SharedOutput: MIDIDestination {
  private let first: any MIDIDestination
  private let second: any MIDIDestination

  init(_ first: any MIDIDestination, _ second: any MIDIDestination) {
    self.first = first
    self.second = second
  }

  func send(_ content: MIDIContent) {
    first.send(content)
    second.send(content)
  }
}

/// A MIDI output that is a client of a sound graph. What it sends acts a period later, on its exact frame, like what
/// keyboards play.
private final class GraphOutput: MIDIDestination {
  private let input = LiveInput()
  private let playback: LocalPlayback
  private let source = LiveInput.Source(1)

  init(
    _ name: String, of graph: SoundGraph,
    report: @escaping @Sendable (LocalPlaybackEvent) -> Void
  ) throws {
    playback = try LocalPlayback(
      inGraph: name,
      open: { () throws(SoundDeviceError) in
        try graph.open(name, GraphSignals(sendsMIDI: true))
      }, report: report)
    playback.add(name, input, MIDIPassSource())
  }

  func send(_ content: MIDIContent) {
    input.send(content, from: source, at: MonotonicClock.now)
  }

  func stop() {
    input.end(source, at: MonotonicClock.now)
    playback.stop()
  }
}

/// Makes units that send the MIDI that they receive, and are silent.
private struct MIDIPassSource: RenderUnitSource {
  func makeUnit(_ format: Format) throws -> any RenderUnit {
    MIDIPassUnit(channels: format.outputChannels)
  }
}

private final class MIDIPassUnit: RenderUnit {
  private let memory = RenderMemory()
  let renderer: Renderer

  init(channels: Int) {
    renderer = Renderer(state: UnsafeMutableRawPointer(memory.make(channels)), passMIDI)
  }
}

/// - Parameter state: The number of channels, an `Int`.
@_noLocks private func passMIDI(
  _ state: UnsafeMutableRawPointer, _ cycle: UnsafeRawPointer
) -> Bool {
  let cycle = cycle.renderCycle
  for channel in 0..<state.load(as: Int.self) {
    cycle.output[channel].update(repeating: 0, count: cycle.frames)
  }
  // JACK reports what it has no room for.
  for event in cycle.events { _ = cycle.midiOutput.pass(event, of: cycle.midi) }
  return false
}
