import LiveMIDI
import Threads

/// The state and logic of a ``SequencerBridge``, without its thread.
struct BridgeState {
  let sequencer: any Sequencer
  private let clientName: String
  /// Returns the CLOCK_MONOTONIC time in nanoseconds.
  let now: () -> Int64
  private var clock = QueueClock()
  var watch: PortWatch
  var wiring: any WiringPolicy
  var ports: [PortAddress: PortSources] = [:]
  var events: [BridgeEvent] = []
  private var drops = DroppedEventReporter()
  /// Whether connections have changed since the last ``relateSources()``.
  var hasNewConnections = false

  init(
    _ sequencer: any Sequencer, clientName: String = ALSASequencer.clientName,
    wiring: any WiringPolicy,
    now: @escaping () -> Int64 = { MonotonicClock.now }
  ) throws(SequencerError) {
    self.sequencer = sequencer
    self.clientName = clientName
    self.wiring = wiring
    self.now = now
    watch = try PortWatch(sequencer)
    for change in try watch.rescan() { react(to: change) }
  }

  mutating func add(portNamed name: String, input: LiveInput) throws(SequencerError) -> PortAddress
  {
    let address = try sequencer.addPort(named: name)
    ports[address] = PortSources(name: name, input: input)
    let port = SequencerPort(
      address: address, clientName: clientName, name: name, sends: false,
      receives: true)
    react(to: .ownPortAdded(port))
    return address
  }

  /// Removes a port after all events already sent to it have been played.
  mutating func remove(_ address: PortAddress) throws(SequencerError) {
    guard ports[address] != nil else { return }
    try sequencer.removePort(address)
    // Otherwise queued events could reach a port that reuses the address.
    while try readEvents() {}
    silence(address)
    ports[address] = nil
    react(to: .ownPortRemoved(address))
  }

  /// Reads and handles up to 256 waiting events.
  ///
  /// - Returns: Whether more events may be waiting.
  mutating func readEvents() throws(SequencerError) -> Bool {
    do throws(SequencerError) {
      let now = now()
      for _ in 0..<256 {
        guard let event = try sequencer.nextEvent() else {
          releaseSilentSenders(at: now)
          return false
        }
        try handle(event)
      }
    } catch .overrun {
      try recover()
    }
    return true
  }

  private mutating func handle(_ event: SequencerEvent) throws(SequencerError) {
    var now = now()
    if clock.isDue(at: now) {
      let queueTime = try sequencer.queueTime()
      now = self.now()
      clock.sample(queueTime: queueTime, now: now)
    }
    let time = clock.time(of: event.time, now: now)
    if event.source == .announcements, case .announcement(let announcement) = event.content {
      try handle(announcement, in: event, at: time)
    } else if let port = ports[event.destination]?.name {
      try play(event, into: port, at: time)
    }
    events += drops.takeDue(at: now)
  }

  private mutating func play(
    _ event: SequencerEvent, into port: String, at time: Int64
  ) throws(SequencerError) {
    let isNew = ports[event.destination]?.admit(event.source) ?? false
    if isNew || hasNewConnections { try relateSources() }
    if let dropped = ports[event.destination]?.receive(event.content, from: event.source, at: time)
    {
      drops.add(dropped, of: port)
    }
    if ports[event.destination]?.hasReturned(event.source) == true {
      events.append(.returned(sender: name(of: event.source), port: port))
    }
  }

  /// Determines which sources of each port have a common origin.
  private mutating func relateSources() throws(SequencerError) {
    hasNewConnections = false
    var origins = SourceOrigins(sequencer, watch.known)
    for address in ports.keys {
      let senders = ports[address]?.sourceAddresses ?? []
      for sender in senders { try origins.find(of: sender) }
      ports[address]?.relate { origins.haveCommonOrigin($0, $1) }
    }
  }

  /// - Parameter now: The time in nanoseconds. All events that arrived earlier must have been handled.
  private mutating func releaseSilentSenders(at now: Int64) {
    for address in ports.keys {
      guard let port = ports[address]?.name else { continue }
      for sender in ports[address]?.releaseSilent(at: now) ?? [] {
        events.append(.fellSilent(sender: name(of: sender), port: port))
      }
    }
  }

  /// The earliest time at which a sender of Active Sensing times out, in nanoseconds; `nil` if there is none.
  var sensingDeadline: Int64? { ports.values.compactMap(\.sensingDeadline).min() }

  /// Recovers after an overrun. Any event may be lost, including note-offs and announcements, so all notes are released
  /// and all ports and connections are read again.
  private mutating func recover() throws(SequencerError) {
    events.append(.overrun)
    hasNewConnections = true
    let changes = try watch.rescan()
    let now = now()
    for address in ports.keys {
      ports[address]?.release(at: now) { _ in true }
      try refreshSenders(to: address, at: now)
    }
    for change in changes { react(to: change) }
  }

  /// Releases all notes played into a port, and disconnects its senders.
  mutating func silence(_ address: PortAddress) {
    let now = now()
    for sender in ports[address]?.senders.keys.map(\.self) ?? [] {
      disconnect(sender, from: address, at: now)
    }
    ports[address]?.release(at: now) { _ in true }
  }
}
