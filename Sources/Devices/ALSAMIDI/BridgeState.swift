import LiveMIDI
import Threads

/// What a ``SequencerBridge`` knows and does, apart from its thread.
struct BridgeState {
  let sequencer: any Sequencer
  private let clientName: String
  /// CLOCK_MONOTONIC, in nanoseconds.
  let now: () -> Int64
  private var clock = QueueClock()
  var watch: PortWatch
  var wiring: any WiringPolicy
  var ports: [PortAddress: PortSources] = [:]
  var news: [BridgeEvent] = []
  private var drops = DroppedEventReporter()
  /// Whether connections have changed since it was found out which sources have an origin in common.
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
    for change in try watch.lookAround() { react(to: PortChange(change)) }
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

  /// Removes a port, after what was played into it has been heard.
  mutating func remove(_ address: PortAddress) throws(SequencerError) {
    guard ports[address] != nil else { return }
    try sequencer.removePort(address)
    // Else what waits might be played by another port that is given this address.
    while try takeEvents() {}
    silence(address)
    ports[address] = nil
    react(to: .ownPortRemoved(address))
  }

  /// Takes what has come.
  ///
  /// - Returns: Whether there may be more.
  mutating func takeEvents() throws(SequencerError) -> Bool {
    do throws(SequencerError) {
      let now = now()
      for _ in 0..<256 {
        guard let event = try sequencer.nextEvent() else {
          releaseSilentSenders(at: now)
          return false
        }
        try take(event)
      }
    } catch .overrun {
      try recover()
    }
    return true
  }

  private mutating func take(_ event: SequencerEvent) throws(SequencerError) {
    var now = now()
    if clock.isDue(at: now) {
      let queueTime = try sequencer.queueTime()
      now = self.now()
      clock.sample(queueTime: queueTime, now: now)
    }
    let time = clock.time(of: event.time, now: now)
    if event.source == .announcements, case .announcement(let announcement) = event.content {
      try follow(announcement, in: event, at: time)
    } else if let port = ports[event.destination]?.name {
      try play(event, into: port, at: time)
    }
    news += drops.take(at: now)
  }

  private mutating func play(
    _ event: SequencerEvent, into port: String, at time: Int64
  ) throws(SequencerError) {
    let isNew = ports[event.destination]?.admit(event.source) ?? false
    if isNew || hasNewConnections { try relateSources() }
    if let dropped = ports[event.destination]?.take(event.content, from: event.source, at: time) {
      drops.add(dropped, of: port)
    }
    if ports[event.destination]?.hasReturned(event.source) == true {
      news.append(.returned(sender: name(of: event.source), port: port))
    }
  }

  /// Finds out which sources of a port have an origin in common.
  private mutating func relateSources() throws(SequencerError) {
    hasNewConnections = false
    var origins = SourceOrigins(sequencer, watch.known)
    for address in ports.keys {
      let senders = ports[address]?.sourceAddresses ?? []
      for sender in senders { try origins.find(of: sender) }
      ports[address]?.relate { origins.haveCommonOrigin($0, $1) }
    }
  }

  /// - Parameter now: All that came before has been taken.
  private mutating func releaseSilentSenders(at now: Int64) {
    for address in ports.keys {
      guard let port = ports[address]?.name else { continue }
      for sender in ports[address]?.releaseSilent(at: now) ?? [] {
        news.append(.fellSilent(sender: name(of: sender), port: port))
      }
    }
  }

  /// When a sender of Active Sensing will be given up if nothing comes from it, in nanoseconds.
  var sensingDeadline: Int64? { ports.values.compactMap(\.sensingDeadline).min() }

  /// What was lost may be anything: note-offs, announcements.
  private mutating func recover() throws(SequencerError) {
    news.append(.overrun)
    hasNewConnections = true
    let changes = try watch.lookAround()
    let now = now()
    for address in ports.keys {
      ports[address]?.release(at: now) { _ in true }
      try lookForSenders(to: address, at: now)
    }
    for change in changes { react(to: PortChange(change)) }
  }

  /// Lets go of all that is played into a port, and of who is connected to it.
  mutating func silence(_ address: PortAddress) {
    let now = now()
    for sender in ports[address]?.senders.keys.map(\.self) ?? [] {
      disconnect(sender, from: address, at: now)
    }
    ports[address]?.release(at: now) { _ in true }
  }
}
