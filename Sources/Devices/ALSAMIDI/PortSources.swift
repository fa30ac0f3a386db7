import LiveMIDI
import RenderCore

/// Who plays into one of our ports, and what is begun of each.
struct PortSources {
  let name: String
  let input: LiveInput
  private var sources: [PortAddress: Source] = [:]
  /// Who is connected to the port, and their names; others may send to it all the same.
  private(set) var senders: [PortAddress: String] = [:]

  init(name: String, input: LiveInput) {
    self.name = name
    self.input = input
  }

  /// Plays what a source sent.
  ///
  /// - Parameter time: In nanoseconds of CLOCK_MONOTONIC.
  mutating func take(
    _ content: SequencerEvent.Content, from address: PortAddress, at time: Int64
  ) -> DroppedEvents {
    admit(address)
    return sources[address]?.play(content, into: input, at: time) ?? DroppedEvents()
  }

  /// Makes a source of a sender.
  ///
  /// - Returns: Whether it was none before.
  @discardableResult
  mutating func admit(_ address: PortAddress) -> Bool {
    guard sources[address] == nil else { return false }
    sources[address] = Source(number: freeNumber)
    return true
  }

  /// Who has played into it, or still does.
  var sourceAddresses: [PortAddress] { Array(sources.keys) }

  /// Says which sources have an origin in common.
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
    input.relate(relations)
  }

  /// Releases the notes of those that send Active Sensing no more.
  ///
  /// - Parameter now: All that came before has been taken.
  /// - Returns: Whose notes.
  mutating func releaseSilent(at now: Int64) -> [PortAddress] {
    var silent: [PortAddress] = []
    for address in sources.keys where sources[address]?.sensing.isOver(at: now) == true {
      if let number = sources[address]?.number { input.release(number, at: now) }
      sources[address]?.forgetUnfinished()
      silent.append(address)
    }
    return silent
  }

  /// When ``releaseSilent(at:)`` may have something to do next.
  var sensingDeadline: Int64? { sources.values.compactMap(\.sensing.deadline).min() }

  /// - Returns: Whether the sender is heard again after it had fallen silent.
  mutating func hasReturned(_ address: PortAddress) -> Bool {
    sources[address]?.sensing.takeReturn() ?? false
  }

  /// Lets go of the keys and pedals of some sources, and forgets these.
  mutating func release(at time: Int64, where isGone: (PortAddress) -> Bool) {
    for (address, source) in sources where isGone(address) {
      input.release(source.number, at: time)
      sources[address] = nil
    }
  }

  /// - Returns: Whether this is news.
  mutating func connect(_ sender: PortAddress, named name: String) -> Bool {
    let isNews = senders.updateValue(name, forKey: sender) == nil
    if isNews { input.players = senders.values.sorted() }
    return isNews
  }

  /// Lets go of the keys and pedals of a sender.
  ///
  /// - Returns: Whether this is news.
  mutating func disconnect(_ sender: PortAddress, at time: Int64) -> Bool {
    release(at: time) { $0 == sender }
    let isNews = senders.removeValue(forKey: sender) != nil
    if isNews { input.players = senders.values.sorted() }
    return isNews
  }

  /// Sources beyond the 63rd have its number as well, and are let go together.
  private var freeNumber: LiveInput.Source {
    let used = Set(sources.values.map(\.number))
    return (1...63).lazy.map(LiveInput.Source.init).first { !used.contains($0) }
      ?? LiveInput.Source(63)
  }
}

private struct Source {
  let number: LiveInput.Source
  var sensing = ActiveSensing()
  private var joiner = SysExJoiner()

  init(number: LiveInput.Source) { self.number = number }

  /// Of a System Exclusive message that has begun, what may still come is not its rest.
  mutating func forgetUnfinished() { _ = joiner.interrupt() }

  mutating func play(
    _ content: SequencerEvent.Content, into input: LiveInput, at time: Int64
  ) -> DroppedEvents {
    var dropped = DroppedEvents()
    func send(_ content: LiveInput.Content) {
      if !input.send(content, from: number, at: time) { dropped.refused += 1 }
    }
    sensing.hear(content, at: time)
    switch content {
    case .messages(let messages):
      if joiner.interrupt() { dropped.brokenSysEx += 1 }
      for message in messages { send(.channel(message)) }
    // It says that the cable is there, and nothing to whoever is at the end of it.
    case .system(.activeSensing): break
    case .system(let message):
      if message.status < 0xF8, joiner.interrupt() { dropped.brokenSysEx += 1 }
      send(.system(message))
    case .sysEx(let bytes):
      for result in joiner.take(bytes) {
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
