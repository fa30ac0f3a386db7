public import RenderCore
import Synchronization

/// Where keyboards and other programs play into a port.
///
/// Whoever renders the port listens: the host that has it, or else the sound device. When the one
/// takes over from the other, all keys and pedals that are down are let go for the other. What is played while
/// nobody listens is not kept; but programs and controllers are, for the sound device, until nothing is connected.
///
/// **Law "notes end":** a source that is released releases its keys and pedals, and nobody else's: a key or a
/// pedal that another source or the host holds as well stays down.
///
/// Realtime: no. Threads: any.
public final class LiveInput: Sendable {
  /// A keyboard, or a program, as long as it is connected to this port: 1…63.
  public struct Source: Hashable, Sendable {
    public let number: UInt8

    /// - Precondition: `number` is in 1…63.
    public init(_ number: UInt8) {
      precondition(1...63 ~= number)
      self.number = number
    }
  }

  /// What is played.
  public enum Content: Equatable, Sendable {
    case channel(ChannelMessage)
    case system(SystemMessage)
    /// System Exclusive, without F0 and F7.
    case sysEx([UInt8])
  }

  /// Who may listen; the later goes first.
  package enum Listener: Int, CaseIterable, Sendable { case device, host }

  private let state = Mutex(State())

  fileprivate struct State {
    var consumers: [Listener: InputFIFO] = [:]
    var ledgers: [Source: HeldNotes] = [:]
    /// A bit for each source that has an origin in common with the one.
    var relations: [Source: UInt64] = [:]
    /// What the device's instrument is set to, or would be.
    var memory = InstrumentChase()
    /// Sources of which something was refused: a note-off may be missing.
    var broken: Set<Source> = []
    var refused = 0
    var players: [String] = []
    var onChange: (@Sendable () -> Void)?
    var figures: (@Sendable () -> PlayingFigures?)?

    var consumer: InputFIFO? { consumers[.host] ?? consumers[.device] }
  }

  public init() {}

  /// Plays a message.
  ///
  /// - Parameter time: When it was played, in nanoseconds of CLOCK_MONOTONIC.
  /// - Returns: `false` when there was no room: nobody has taken what was played for a while. The keys
  ///   and pedals of that source are let go as soon as there is.
  @discardableResult
  public func send(_ content: Content, from source: Source, at time: Int64) -> Bool {
    state.withLock { state in
      state.remember(content)
      guard state.consumer != nil else { return true }
      guard state.mend(at: time), state.write(content, from: source, at: time) else {
        state.broken.insert(source)
        state.refused += 1
        return false
      }
      return true
    }
  }

  /// Lets go of the keys and pedals of a source, and forgets it.
  public func release(_ source: Source, at time: Int64) {
    state.withLock { state in
      if !state.letGo(of: source, at: time) { state.broken.insert(source) }
    }
  }

  /// Says which sources have an origin in common, as far as is known: of these, a stroke that comes twice
  /// within 3 ms is heard once. A host may pass on what any source plays, so it is compared with all.
  ///
  /// - Parameter relations: For each source a set of others.
  package func relate(_ relations: [Source: Set<Source>]) {
    state.withLock { state in
      state.relations = relations.mapValues { others in
        others.reduce(0) { $0 | 1 << UInt64($1.number) }
      }
      for consumer in state.consumers.values { state.relate(consumer) }
    }
  }

  /// Messages refused for want of room.
  public var refused: Int { state.withLock { $0.refused } }

  /// The names of what is connected, and may play at any time.
  public var players: [String] {
    get { state.withLock { $0.players } }
    set {
      change { state in
        state.players = newValue
        if newValue.isEmpty { state.memory = InstrumentChase() }
      }
    }
  }

  /// Whether something is connected that may play at any time.
  public var hasSources: Bool { !players.isEmpty }

  /// Whether a host listens.
  package var isHosted: Bool { state.withLock { $0.consumers[.host] != nil } }

  /// How the port is doing at the sound device; `nil` while it is not there.
  package var figures: PlayingFigures? { state.withLock { $0.figures }?() }

  package func setFigures(_ figures: (@Sendable () -> PlayingFigures?)?) {
    state.withLock { $0.figures = figures }
  }

  /// Has a closure called after ``players`` or ``isHosted`` may have changed, on the thread that changed it.
  package func onChange(_ tell: (@Sendable () -> Void)?) {
    state.withLock { $0.onChange = tell }
  }

  private func change(_ body: (inout State) -> Void) {
    let tell = state.withLock { state in
      body(&state)
      return state.onChange
    }
    tell?()
  }

  /// Begins to listen, or ends it.
  ///
  /// - Parameter ear: Gets what is played, unless a better listener does; `nil`: nothing.
  package func setConsumer(_ consumer: InputFIFO?, of listener: Listener, at time: Int64) {
    change { state in
      let old = state.consumer
      var consumers = state.consumers
      consumers[listener] = consumer
      if (consumers[.host] ?? consumers[.device]) !== old {
        for source in state.ledgers.keys { _ = state.letGo(of: source, at: time) }
        state.ledgers = [:]
        state.broken = []
      }
      state.consumers = consumers
      if let consumer { state.relate(consumer) }
      if let consumer = state.consumer, consumer !== old, consumer === consumers[.device] {
        state.remind(consumer, at: time)
      }
    }
  }
}

extension LiveInput.State {
  /// Follows what the instrument is set to.
  mutating func remember(_ content: LiveInput.Content) {
    switch content {
    case .channel(let message): memory.follow(message)
    case .sysEx(let bytes): bytes.withUnsafeBufferPointer { memory.follow(sysEx: $0) }
    case .system: break
    }
  }

  func relate(_ consumer: InputFIFO) {
    for number in UInt8(1)..<64 {
      consumer.relations.set(number, to: relations[LiveInput.Source(number)] ?? 0)
    }
  }

  /// Sets a new instrument as the one before was.
  func remind(_ consumer: InputFIFO, at time: Int64) {
    for message in memory.settings {
      _ = consumer.write(.channel(message), from: LiveInput.Source(1), at: time)
    }
  }

  mutating func write(
    _ content: LiveInput.Content, from source: LiveInput.Source, at time: Int64
  ) -> Bool {
    guard consumer?.write(content, from: source, at: time) ?? true else { return false }
    switch content {
    case .channel(let message):
      ledgers[source, default: HeldNotes()].follow(message)
    case .sysEx(let bytes):
      bytes.withUnsafeBufferPointer { ledgers[source, default: HeldNotes()].follow(sysEx: $0) }
    case .system: break
    }
    return true
  }

  /// Lets go of what may have been left behind when there was no room.
  ///
  /// - Returns: Whether nothing is.
  mutating func mend(at time: Int64) -> Bool {
    for source in broken where !letGo(of: source, at: time) { return false }
    broken = []
    return true
  }

  /// - Returns: Whether there was room for all of it; what there was none for is still to be done.
  mutating func letGo(of source: LiveInput.Source, at time: Int64) -> Bool {
    guard var ledger = ledgers[source] else { return true }
    while true {
      let before = ledger
      guard let message = ledger.popRelease() else { break }
      guard consumer?.write(.channel(message), from: source, at: time) ?? true else {
        ledgers[source] = before
        return false
      }
    }
    ledgers[source] = nil
    return true
  }
}
