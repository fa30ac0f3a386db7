import LiveMIDI
import RenderCore

/// The state and logic of ``SequencerOutputs``, without its thread.
///
/// `@unchecked Sendable`: one thread at a time uses it, and its sequencer.
struct OutputState: @unchecked Sendable {
  private let sequencer: ALSASequencer
  private let encoder: MIDIOutputEncoder
  private var watch: PortWatch
  private var wiring = OutputWiring()
  private(set) var outputs: [String: SequencerOutput] = [:]
  /// The modules that are connected to each output.
  private var connected: Set<Subscription> = []
  private var events: [OutputEvent] = []

  init(_ sequencer: ALSASequencer) throws(SequencerError) {
    self.sequencer = sequencer
    encoder = try MIDIOutputEncoder()
    watch = try PortWatch(sequencer)
    for change in try watch.rescan() { react(to: change) }
  }

  /// Returns the events since the last call.
  mutating func takeEvents() -> [OutputEvent] {
    defer { events = [] }
    return events
  }

  /// Adds the outputs that are missing, and ends those that are not listed.
  ///
  /// - Parameter make: Makes an output of a name and an address.
  mutating func set(
    _ rules: [OutputWiring.Rule], make: (String, PortAddress) -> SequencerOutput
  ) {
    for (name, output) in outputs where !rules.contains(where: { $0.name == name }) {
      remove(output)
    }
    perform(wiring.set(rules))
    for rule in rules where outputs[rule.name] == nil { add(rule.name, make) }
  }

  /// Reads and handles a waiting event.
  ///
  /// - Returns: `false` if there was none.
  mutating func readEvent() throws(SequencerError) -> Bool {
    do throws(SequencerError) {
      guard let event = try sequencer.nextEvent() else { return false }
      try handle(event)
    } catch .overrun {
      for change in try watch.rescan() { react(to: change) }
    }
    return true
  }

  private mutating func add(
    _ name: String, _ make: (String, PortAddress) -> SequencerOutput
  ) {
    do throws(SequencerError) {
      let address = try sequencer.addOutput(named: name)
      outputs[name] = make(name, address)
      let port = SequencerPort(
        address: address, clientName: ALSASequencer.outputClientName, name: name, sends: true,
        receives: false)
      react(to: .ownPortAdded(port))
    } catch {
      events.append(.notWired(error))
    }
  }

  private mutating func remove(_ output: SequencerOutput) {
    while let message = output.sent.popEnd() {
      // A module that does not read cannot be helped.
      try? sequencer.send(.channel(message), from: output.address, by: encoder)
    }
    output.isRemoved = true
    outputs[output.name] = nil
    do throws(SequencerError) {
      try sequencer.removePort(output.address)
    } catch {
      events.append(.notWired(error))
    }
    connected = connected.filter { $0.sender != output.address }
    react(to: .ownPortRemoved(output.address))
  }

  mutating func send(_ content: MIDIContent, from output: SequencerOutput) {
    if output.isRemoved { return }
    switch content {
    case .channel(let message): output.sent.follow(message)
    case .sysEx(let bytes): bytes.withUnsafeBufferPointer { output.sent.follow(sysEx: $0) }
    case .system: break
    }
    do throws(SequencerError) {
      try sequencer.send(content, from: output.address, by: encoder)
      output.isRefused = false
    } catch {
      // Only the first of a row, because each message of a module that does not read fails.
      if !output.isRefused { events.append(.refused(output: output.name, error)) }
      output.isRefused = true
    }
  }

  private mutating func handle(_ event: SequencerEvent) throws(SequencerError) {
    guard event.source == .announcements, case .announcement(let announcement) = event.content
    else { return }
    switch announcement {
    case .subscribed(let sender, let receiver):
      if let output = name(of: sender),
        connected.insert(Subscription(sender: sender, receiver: receiver)).inserted
      {
        events.append(.connected(output: output, module: module(receiver)))
      }
    case .unsubscribed(let sender, let receiver):
      end { $0 == Subscription(sender: sender, receiver: receiver) }
    case .portExited(let address): end { $0.receiver == address }
    case .clientExited(let client): end { $0.receiver.client == client }
    case .clientStarted, .clientChanged, .portStarted, .portChanged: break
    }
    for change in try watch.handle(event) { react(to: change) }
  }

  private mutating func react(to change: PortChange) { perform(wiring.react(to: change)) }

  private mutating func perform(_ actions: [WiringAction]) {
    for case .connect(let sender, let receiver) in actions {
      do throws(SequencerError) {
        try sequencer.connect(sender, to: receiver)
      } catch {
        events.append(.notWired(error))
      }
    }
  }

  private mutating func end(where isGone: (Subscription) -> Bool) {
    for subscription in connected.filter(isGone) {
      connected.remove(subscription)
      if let output = name(of: subscription.sender) {
        events.append(.disconnected(output: output, module: module(subscription.receiver)))
      }
    }
  }

  private func name(of address: PortAddress) -> String? {
    outputs.values.first { $0.address == address }?.name
  }

  private func module(_ address: PortAddress) -> String {
    watch.known[address].map { $0.name } ?? address.description
  }
}

/// A port of ``SequencerOutputs``.
///
/// `@unchecked Sendable`: the lock of the owner protects the variables.
final class SequencerOutput: MIDIDestination, @unchecked Sendable {
  let name: String
  let address: PortAddress
  private weak var owner: SequencerOutputs?
  /// What was sent and has not ended.
  var sent = SourceState()
  /// Whether the last message was refused.
  var isRefused = false
  var isRemoved = false

  init(_ name: String, _ address: PortAddress, of owner: SequencerOutputs) {
    self.name = name
    self.address = address
    self.owner = owner
  }

  func send(_ content: MIDIContent) { owner?.send(content, from: self) }
}
