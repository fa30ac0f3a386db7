import LiveMIDI
import LocalSystem

/// The state and logic of a ``SequencerBridge``, without its thread.
struct BridgeState {
  private let sequencer: any Sequencer
  private let clientName: String
  /// Returns the CLOCK_MONOTONIC time in nanoseconds.
  private let now: () -> Int64
  private var clock = QueueClock()
  var watch: PortWatch
  var wiring: any WiringPolicy
  var ports: [PortAddress: PortSources] = [:]
  var events: [BridgeEvent] = []
  private var drops = DroppedEventReporter()
  /// Whether connections have changed since the last ``relateSources()``.
  private var hasNewConnections = false

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

  /// Sets the names of keyboards, also of those that are connected.
  mutating func setNames(_ names: KeyboardNames) throws(SequencerError) {
    for change in try watch.setNames(names) {
      guard case .changed(let keyboard) = change else { continue }
      for address in ports.keys {
        ports[address]?.rename(keyboard.address, to: keyboard.clientName)
      }
      react(to: change)
    }
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
      events.append(.returned(sender: label(of: event.source), port: port))
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
        events.append(.fellSilent(sender: label(of: sender), port: port))
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

extension BridgeState {
  private mutating func handle(
    _ announcement: Announcement, in event: SequencerEvent, at time: Int64
  ) throws(SequencerError) {
    hasNewConnections = true
    switch announcement {
    case .subscribed(let sender, let receiver):
      connect(sender, to: receiver)
      if event.destination == watch.announcementPort {
        react(to: .subscribed(sender: sender, receiver: receiver))
      }
    case .unsubscribed(let sender, let receiver):
      disconnect(sender, from: receiver, at: time)
      // Our ports also receive this event when the sender vanishes. Only the announcement port's copy is a user action.
      if event.destination == watch.announcementPort {
        react(to: .unsubscribed(sender: sender, receiver: receiver))
      }
    case .portExited(let address): end(at: time) { $0 == address }
    case .clientExited(let client): end(at: time) { $0.client == client }
    case .clientStarted, .clientChanged, .portStarted, .portChanged: break
    }
    for change in try watch.handle(event) { react(to: change) }
  }

  private mutating func react(to change: PortChange) {
    for action in wiring.react(to: change) {
      do throws(SequencerError) {
        switch action {
        case .connect(let sender, let receiver): try sequencer.connect(sender, to: receiver)
        case .disconnect(let sender, let receiver):
          try sequencer.disconnect(sender, from: receiver)
        }
      } catch {
        events.append(.notWired(error))
      }
    }
  }

  /// Reads the senders connected to one of our ports again, because announcements may have been lost.
  private mutating func refreshSenders(to address: PortAddress, at time: Int64)
    throws(SequencerError)
  {
    let senders = try sequencer.senders(to: address)
    for sender in ports[address]?.senders.keys.filter({ !senders.contains($0) }) ?? [] {
      disconnect(sender, from: address, at: time)
    }
    for sender in senders { connect(sender, to: address) }
  }

  /// Disconnects the senders that are gone and releases their notes, including those of unconnected senders.
  private mutating func end(at time: Int64, where isGone: (PortAddress) -> Bool) {
    for address in ports.keys {
      for sender in ports[address]?.senders.keys.filter(isGone) ?? [] {
        disconnect(sender, from: address, at: time)
      }
      ports[address]?.release(at: time, where: isGone)
    }
  }

  private mutating func connect(_ sender: PortAddress, to address: PortAddress) {
    let name = name(of: sender)
    guard let port = ports[address]?.name, ports[address]?.connect(sender, named: name) == true
    else { return }
    events.append(.wired(sender: label(of: sender), port: port))
  }

  private mutating func disconnect(_ sender: PortAddress, from address: PortAddress, at time: Int64)
  {
    guard let port = ports[address]?.name,
      ports[address]?.disconnect(sender, at: time) == true
    else { return }
    events.append(.unwired(sender: label(of: sender), port: port))
  }

  private func name(of sender: PortAddress) -> String {
    watch.known[sender]?.clientName ?? sender.description
  }

  /// The name, and where the device is plugged in if there are several of the name.
  private func label(of sender: PortAddress) -> String {
    let name = name(of: sender)
    let hasTwin = watch.known.values.contains {
      $0.clientName == name && $0.address.client != sender.client
    }
    guard hasTwin, let path = watch.known[sender]?.device?.path else { return name }
    return "\(name) at \(path)"
  }
}

/// Reports the first dropped events immediately, then at most once per second.
struct DroppedEventReporter {
  private var pending: [String: DroppedEvents] = [:]
  private var lastReport: Int64?

  /// The least time between two reports, in nanoseconds.
  private static let interval: Int64 = 1_000_000_000

  mutating func add(_ dropped: DroppedEvents, of port: String) {
    if dropped.count > 0 { pending[port, default: DroppedEvents()] += dropped }
  }

  /// Returns and clears the pending reports, if one is due.
  ///
  /// - Parameter now: The time in nanoseconds.
  /// - Returns: One event per port, sorted by port name; empty if nothing is due.
  mutating func takeDue(at now: Int64) -> [BridgeEvent] {
    guard !pending.isEmpty, lastReport.map({ now - $0 >= Self.interval }) ?? true else { return [] }
    lastReport = now
    defer { pending = [:] }
    return pending.sorted { $0.key < $1.key }.map { .dropped(port: $0.key, $0.value) }
  }
}

/// Determines from the connections whether two senders may forward the same notes, such as a keyboard and a program
/// or Midi Through that the keyboard is connected to.
///
/// A program may forward events from any of its inputs to any of its outputs. Midi Through and virtual devices forward
/// events only from a port to the same port. A hardware device sends only what is played on it. The eight sockets of
/// an interface therefore remain separate sources, even if a program forwards the events of one socket to another.
struct SourceOrigins {
  private let sequencer: any Sequencer
  private let known: [PortAddress: SequencerPort]
  private var origins: [PortAddress: Set<PortAddress>] = [:]
  private var feeders: [PortAddress: [PortAddress]] = [:]

  /// - Parameter known: The ports of other clients.
  init(_ sequencer: any Sequencer, _ known: [PortAddress: SequencerPort]) {
    self.sequencer = sequencer
    self.known = known
  }

  /// Finds all possible origins of a port's events: the port itself and its direct and indirect feeders.
  mutating func find(of sender: PortAddress) throws(SequencerError) {
    guard origins[sender] == nil else { return }
    var found: Set = [sender]
    var next = [sender]
    while let port = next.popLast() {
      for feeder in try feeders(of: port) where found.insert(feeder).inserted {
        next.append(feeder)
      }
    }
    origins[sender] = found
  }

  /// Returns whether two senders share an origin. ``find(of:)`` must have been called for both.
  func haveCommonOrigin(_ one: PortAddress, _ other: PortAddress) -> Bool {
    guard let origins = origins[one], let others = self.origins[other] else { return false }
    return !origins.isDisjoint(with: others)
  }

  private mutating func feeders(of port: PortAddress) throws(SequencerError) -> [PortAddress] {
    if let feeders = feeders[port] { return feeders }
    var found: [PortAddress] = []
    for input in inputs(leadingTo: port) { found += try sequencer.senders(to: input) }
    // Any program may subscribe to the system's timer and announcements.
    found.removeAll { $0.client == PortAddress.announcements.client }
    feeders[port] = found
    return found
  }

  private func inputs(leadingTo port: PortAddress) -> [PortAddress] {
    guard let sender = known[port] else { return [] }
    let isVirtual = sender.matches(anyOf: WiringRules.virtualDevices)
    if sender.clientName == "Midi Through" || isVirtual { return [port] }
    return sender.device == nil ? known.keys.filter { $0.client == port.client } : []
  }
}
