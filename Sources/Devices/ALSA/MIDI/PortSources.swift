import LiveMIDI
import RenderCore

/// The senders that play into one of our ports, with their unfinished System Exclusive messages.
struct PortSources {
  let name: String
  private let input: LiveInput
  private var sources: [PortAddress: Source] = [:]
  /// The connected senders and their names. A sender can also send to the port without being connected.
  private(set) var senders: [PortAddress: String] = [:]

  init(name: String, input: LiveInput) {
    self.name = name
    self.input = input
  }

  /// Handles an event from a source: sends its messages to ``input``.
  ///
  /// - Parameter time: The CLOCK_MONOTONIC time in nanoseconds.
  /// - Returns: The number of events that had to be dropped.
  mutating func receive(
    _ content: SequencerEvent.Content, from address: PortAddress, at time: Int64
  ) -> DroppedEvents {
    admit(address)
    return sources[address]?.play(content, into: input, at: time) ?? DroppedEvents()
  }

  /// Adds a sender as a source, if it is not one yet.
  ///
  /// - Returns: Whether the source is new.
  @discardableResult
  mutating func admit(_ address: PortAddress) -> Bool {
    guard sources[address] == nil else { return false }
    let source = Source(number: freeNumber)
    sources[address] = source
    input.setName(senders[address], of: source.number)
    return true
  }

  /// The addresses of all senders that have played into the port.
  var sourceAddresses: [PortAddress] { Array(sources.keys) }

  /// Reports to ``input`` which sources have a common origin.
  mutating func relate(_ haveCommonOrigin: (PortAddress, PortAddress) -> Bool) {
    var relations: [LiveInput.Source: Set<LiveInput.Source>] = [:]
    for (address, source) in sources {
      for (other, otherSource) in sources
      where other != address && otherSource.number != source.number
        && haveCommonOrigin(address, other)
      {
        relations[source.number, default: []].insert(otherSource.number)
      }
    }
    input.setRelations(relations)
  }

  /// Releases sources whose Active Sensing has timed out.
  ///
  /// - Parameter now: The time in nanoseconds. All events that arrived earlier must have been handled.
  /// - Returns: The sources that timed out.
  mutating func releaseSilent(at now: Int64) -> [PortAddress] {
    var silent: [PortAddress] = []
    for address in sources.keys where sources[address]?.sensing.checkTimeout(at: now) == true {
      if let number = sources[address]?.number { input.release(number, at: now) }
      sources[address]?.discardUnfinished()
      silent.append(address)
    }
    return silent
  }

  /// When ``releaseSilent(at:)`` has to be called next, in nanoseconds; `nil` if no source sends Active Sensing.
  var sensingDeadline: Int64? { sources.values.compactMap(\.sensing.deadline).min() }

  /// Returns whether the sender sends again after a timeout, and clears that state.
  mutating func hasReturned(_ address: PortAddress) -> Bool {
    sources[address]?.sensing.consumeReturn() ?? false
  }

  /// Ends the given sources, and removes them.
  mutating func release(at time: Int64, where isGone: (PortAddress) -> Bool) {
    for (address, source) in sources where isGone(address) {
      input.end(source.number, at: time)
      sources[address] = nil
    }
  }

  /// Changes the name of a connected sender.
  mutating func rename(_ sender: PortAddress, to name: String) {
    guard senders[sender] != nil else { return }
    senders[sender] = name
    input.sourceNames = senders.values.sorted()
    if let source = sources[sender] { input.setName(name, of: source.number) }
  }

  /// - Returns: Whether anything has changed.
  mutating func connect(_ sender: PortAddress, named name: String) -> Bool {
    let isNew = senders.updateValue(name, forKey: sender) == nil
    if isNew { input.sourceNames = senders.values.sorted() }
    if let source = sources[sender] { input.setName(name, of: source.number) }
    return isNew
  }

  /// Removes a connected sender and ends it as a source.
  ///
  /// - Returns: Whether the sender was connected.
  mutating func disconnect(_ sender: PortAddress, at time: Int64) -> Bool {
    release(at: time) { $0 == sender }
    let wasConnected = senders.removeValue(forKey: sender) != nil
    if wasConnected { input.sourceNames = senders.values.sorted() }
    return wasConnected
  }

  /// The lowest unused source number that is not for programs. Further sources share the last one and are released
  /// together.
  private var freeNumber: LiveInput.Source {
    let used = Set(sources.values.map(\.number))
    let last = LiveInput.Source.programs.lowerBound - 1
    return (1...last).lazy.map(LiveInput.Source.init).first { !used.contains($0) }
      ?? LiveInput.Source(last)
  }
}

private struct Source {
  let number: LiveInput.Source
  var sensing = ActiveSensing()
  private var joiner = SysExJoiner()

  init(number: LiveInput.Source) { self.number = number }

  /// Discards an unfinished System Exclusive message: later bytes are not its continuation.
  mutating func discardUnfinished() { _ = joiner.interrupt() }

  mutating func play(
    _ content: SequencerEvent.Content, into input: LiveInput, at time: Int64
  ) -> DroppedEvents {
    var dropped = DroppedEvents()
    func send(_ content: MIDIContent) {
      if !input.send(content, from: number, at: time) { dropped.refused += 1 }
    }
    sensing.receive(content, at: time)
    switch content {
    case .messages(let messages):
      if joiner.interrupt() { dropped.brokenSysEx += 1 }
      for message in messages { send(.channel(message)) }
    // Active Sensing only signals the connection. The unit does not need it.
    case .system(.activeSensing): break
    case .system(let message):
      if message.status < 0xF8, joiner.interrupt() { dropped.brokenSysEx += 1 }
      send(.system(message))
    case .sysEx(let bytes):
      for result in joiner.append(bytes) {
        switch result {
        case .whole(let message): send(.sysEx(message))
        case .system(let message): send(.system(message))
        case .broken: dropped.brokenSysEx += 1
        }
      }
    case .outOfRange: dropped.outOfRange += 1
    case .announcement, .other: break
    }
    return dropped
  }
}

/// Detects a lost connection that the sequencer does not announce, such as an unplugged cable between a keyboard and
/// a MIDI interface.
///
/// A sender that has sent Active Sensing once sends at least one message every 300 ms. If nothing arrives for longer
/// than ``limit``, the sender is gone and its notes have to be released. It is then treated like a sender without
/// Active Sensing, until it sends Active Sensing again.
///
/// Source: *MIDI 1.0 Detailed Specification*, "Active Sensing".
struct ActiveSensing {
  /// The time of the last message, in nanoseconds; `nil` if the sender does not send Active Sensing.
  private var latest: Int64?
  private var isSilent = false
  private var hasReturned = false

  /// The timeout in nanoseconds: 300 ms, plus 10 % for differing clocks.
  private static let limit: Int64 = 330_000_000

  /// Handles a message received at `time`, in nanoseconds.
  fileprivate mutating func receive(_ content: SequencerEvent.Content, at time: Int64) {
    if latest != nil || content == .system(.activeSensing) { latest = time }
    if isSilent {
      isSilent = false
      hasReturned = true
    }
  }

  /// Checks for a timeout.
  ///
  /// - Parameter now: The time in nanoseconds. All messages that arrived earlier must have been passed to
  ///   ``receive(_:at:)``.
  /// - Returns: `true` once, when the sender times out.
  fileprivate mutating func checkTimeout(at now: Int64) -> Bool {
    guard let deadline, now >= deadline else { return false }
    latest = nil
    isSilent = true
    return true
  }

  /// When ``checkTimeout(at:)`` has to be called next, in nanoseconds; `nil` if not before the next message.
  fileprivate var deadline: Int64? { latest.map { $0 + Self.limit } }

  /// Returns whether a message has arrived since the timeout, and clears that state.
  fileprivate mutating func consumeReturn() -> Bool {
    defer { hasReturned = false }
    return hasReturned
  }
}
