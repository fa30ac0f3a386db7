import LiveCore
import Realtime

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
  private var drops = DropReports()

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
    for change in try watch.lookAround() { react(to: WiringHappening(change)) }
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
      for _ in 0..<256 {
        guard let event = try sequencer.nextEvent() else { return false }
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
    } else if let port = ports[event.destination]?.name,
      let dropped = ports[event.destination]?.take(event.content, from: event.source, at: time)
    {
      drops.add(dropped, of: port)
    }
    news += drops.take(at: now)
  }

  /// What was lost may be anything: note-offs, announcements.
  private mutating func recover() throws(SequencerError) {
    news.append(.overrun)
    let changes = try watch.lookAround()
    let now = now()
    for address in ports.keys {
      ports[address]?.release(at: now) { _ in true }
      try lookForSenders(to: address, at: now)
    }
    for change in changes { react(to: WiringHappening(change)) }
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
