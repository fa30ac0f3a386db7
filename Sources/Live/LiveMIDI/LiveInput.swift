public import RenderCore
import Synchronization

/// The live input of a port, to which keyboards and other programs send events.
///
/// One consumer receives the events: of the hosts that have the port, the first one that began; without hosts, the sound
/// device. When the consumer changes, all held keys and pedals are released for the old one. Events are dropped while
/// there is no consumer. Programs and controllers are kept for the sound device until no source is connected.
///
/// **Law "notes end":** when a source is released, its keys and pedals are released, and no others. A key or pedal that
/// another source or the host also holds stays down.
///
/// Realtime: no. Threads: any.
public final class LiveInput: Sendable {
  /// A keyboard or a program, while it is connected to this port: 1…63.
  public struct Source: Hashable, Sendable {
    public let number: UInt8

    /// - Precondition: `number` is in 1…63.
    public init(_ number: UInt8) {
      precondition(1...63 ~= number)
      self.number = number
    }
  }

  /// The message of a live event.
  public enum Content: Equatable, Sendable {
    case channel(ChannelMessage)
    case system(SystemMessage)
    /// System Exclusive, without F0 and F7.
    case sysEx([UInt8])
  }

  /// The kinds of consumers. A port can have several hosts and one sound device. A host takes precedence.
  package enum ConsumerRole: Sendable { case device, host }

  private let state = Mutex(State())
  private let filter = Mutex<(any LiveInputFilter)?>(nil)

  fileprivate struct State {
    var consumers = Consumers()
    var heldNotes: [Source: HeldNotes] = [:]
    /// For each source, one bit for each source with a common origin.
    var relations: [Source: UInt64] = [:]
    /// The settings of the sound device's instrument, also while it does not exist.
    var chase = InstrumentChase()
    /// The sources of which a message was refused, so that a note-off may be missing.
    var stuckSources: Set<Source> = []
    var refused = 0
    var sourceNames: [String] = []
    /// The names of the sources that are known by name.
    var names: [Source: String] = [:]
    var onChange: (@Sendable () -> Void)?
    var playbackStatistics: (@Sendable () -> PlaybackStatistics?)?

    var consumer: InputFIFO? { consumers.current }
  }

  fileprivate struct Consumers {
    /// In the order in which they began.
    var hosts: [InputFIFO] = []
    var device: InputFIFO?

    var current: InputFIFO? { hosts.first ?? device }
    var all: [InputFIFO] { hosts + [device].compactMap(\.self) }
  }

  public init() {}

  /// Sends a message to the consumer.
  ///
  /// - Parameters:
  ///   - content: The message.
  ///   - source: The source that sent it.
  ///   - time: The time at which it was played, in nanoseconds of CLOCK_MONOTONIC.
  /// - Returns: `false` if there was no room, because the consumer has not read any events for some time. The keys and
  ///   pedals of the source are released as soon as there is room again.
  @discardableResult
  public func send(_ content: Content, from source: Source, at time: Int64) -> Bool {
    if let filter = filter.withLock({ $0 }), filter.handles(content, from: source, of: self) {
      return true
    }
    return state.withLock { state in
      state.updateChase(content)
      guard state.consumer != nil else { return true }
      guard state.releaseStuck(at: time), state.write(content, from: source, at: time) else {
        state.stuckSources.insert(source)
        state.refused += 1
        return false
      }
      return true
    }
  }

  /// Releases the keys and pedals of a source that has disconnected.
  public func release(_ source: Source, at time: Int64) {
    state.withLock { state in
      if !state.releaseAll(of: source, at: time) { state.stuckSources.insert(source) }
    }
  }

  /// Sets what handles events before the port receives them; `nil`: nothing does.
  package func setFilter(_ filter: (any LiveInputFilter)?) { self.filter.withLock { $0 = filter } }

  /// Sets the name of a source, for example that of a keyboard; `nil` when the source is gone.
  package func setName(_ name: String?, of source: Source) {
    state.withLock { $0.names[source] = name }
  }

  /// The name of a source; `nil` if it is not known.
  package func name(of source: Source) -> String? { state.withLock { $0.names[source] } }

  /// The unit that the sources play; `nil` if none receives the events.
  package var playedUnit: (any RenderUnit)? { state.withLock { $0.consumer?.unit } }

  /// Forgets the programs and controllers that are kept for the sound device, because its next unit is given them in
  /// another way.
  package func forgetSettings() { state.withLock { $0.chase = InstrumentChase() } }

  /// Ends all notes of the unit that the sources play, and releases all keys and pedals.
  ///
  /// - Parameter time: The current time of CLOCK_MONOTONIC in nanoseconds.
  package func silence(at time: Int64) {
    state.withLock { state in
      for source in state.heldNotes.keys where !state.releaseAll(of: source, at: time) {
        state.stuckSources.insert(source)
      }
      for channel in UInt8(0)..<16 {
        // All Sound Off.
        let message = ChannelMessage(.controlChange, channel: channel, 120, 0)
        _ = state.consumer?.write(.channel(message), from: Source(1), at: time)
      }
    }
  }

  /// Sets which sources are known to have an origin in common. A note-on that two of them send within 3 ms is played
  /// once. A host may forward the events of any source, so it has an origin in common with all sources.
  ///
  /// - Parameter relations: For each source, the set of sources with an origin in common.
  package func setRelations(_ relations: [Source: Set<Source>]) {
    state.withLock { state in
      state.relations = relations.mapValues { others in
        others.reduce(0) { $0 | 1 << UInt64($1.number) }
      }
      for consumer in state.consumers.all { state.setRelations(of: consumer) }
    }
  }

  /// The number of messages that were refused because there was no room.
  public var refused: Int { state.withLock { $0.refused } }

  /// The names of the connected sources.
  public var sourceNames: [String] {
    get { state.withLock { $0.sourceNames } }
    set {
      change { state in
        state.sourceNames = newValue
        if newValue.isEmpty { state.chase = InstrumentChase() }
      }
    }
  }

  /// Whether any source is connected.
  public var hasSources: Bool { !sourceNames.isEmpty }

  /// Whether a host has the port.
  package var isHosted: Bool { state.withLock { !$0.consumers.hosts.isEmpty } }

  /// The statistics of the port at the sound device; `nil` if it is not played there.
  package var playbackStatistics: PlaybackStatistics? {
    state.withLock { $0.playbackStatistics }?()
  }

  package func setPlaybackStatistics(_ statistics: (@Sendable () -> PlaybackStatistics?)?) {
    state.withLock { $0.playbackStatistics = statistics }
  }

  /// Sets a closure to call after ``sourceNames`` or ``isHosted`` may have changed, on the thread that changed it.
  package func onChange(_ handler: (@Sendable () -> Void)?) {
    state.withLock { $0.onChange = handler }
  }

  private func change(_ body: (inout State) -> Void) {
    let handler = state.withLock { state in
      body(&state)
      return state.onChange
    }
    handler?()
  }

  /// Adds a consumer.
  ///
  /// - Parameters:
  ///   - consumer: The FIFO that receives the events while no other consumer has precedence.
  ///   - role: A sound device replaces the previous one.
  ///   - time: The current time of CLOCK_MONOTONIC in nanoseconds.
  package func add(_ consumer: InputFIFO, as role: ConsumerRole, at time: Int64) {
    change { state in
      state.setRelations(of: consumer)
      state.changeConsumers(at: time) { consumers in
        switch role {
        case .host: consumers.hosts.append(consumer)
        case .device: consumers.device = consumer
        }
      }
    }
  }

  /// Removes a consumer. Does nothing if it was not added, or was replaced.
  ///
  /// - Parameter time: The current time of CLOCK_MONOTONIC in nanoseconds.
  package func remove(_ consumer: InputFIFO, at time: Int64) {
    change { state in
      state.changeConsumers(at: time) { consumers in
        consumers.hosts.removeAll { $0 === consumer }
        if consumers.device === consumer { consumers.device = nil }
      }
    }
  }
}

extension LiveInput.State {
  /// Changes the consumers. If another one receives the events from now on, the keys and pedals that are held are
  /// released for the previous one.
  mutating func changeConsumers(at time: Int64, _ body: (inout LiveInput.Consumers) -> Void) {
    var new = consumers
    body(&new)
    let isOther = new.current !== consumer
    if isOther {
      for source in heldNotes.keys { _ = releaseAll(of: source, at: time) }
      heldNotes = [:]
      stuckSources = []
    }
    consumers = new
    if isOther, let consumer, consumer === consumers.device {
      restoreChannels(of: consumer, at: time)
    }
  }

  mutating func updateChase(_ content: LiveInput.Content) {
    switch content {
    case .channel(let message): chase.follow(message)
    case .sysEx(let bytes): bytes.withUnsafeBufferPointer { chase.follow(sysEx: $0) }
    case .system: break
    }
  }

  func setRelations(of consumer: InputFIFO) {
    for number in UInt8(1)..<64 {
      consumer.relations.set(number, to: relations[LiveInput.Source(number)] ?? 0)
    }
  }

  /// Brings a new instrument to the settings of the previous one.
  func restoreChannels(of consumer: InputFIFO, at time: Int64) {
    for message in chase.settings {
      _ = consumer.write(.channel(message), from: LiveInput.Source(1), at: time)
    }
  }

  mutating func write(
    _ content: LiveInput.Content, from source: LiveInput.Source, at time: Int64
  ) -> Bool {
    guard consumer?.write(content, from: source, at: time) ?? true else { return false }
    switch content {
    case .channel(let message):
      heldNotes[source, default: HeldNotes()].follow(message)
    case .sysEx(let bytes):
      bytes.withUnsafeBufferPointer { heldNotes[source, default: HeldNotes()].follow(sysEx: $0) }
    case .system: break
    }
    return true
  }

  /// Releases the keys and pedals of the sources of which messages were refused.
  ///
  /// - Returns: `false` if there was no room for all releases.
  mutating func releaseStuck(at time: Int64) -> Bool {
    for source in stuckSources where !releaseAll(of: source, at: time) { return false }
    stuckSources = []
    return true
  }

  /// Releases all keys and pedals of a source.
  ///
  /// - Returns: `false` if there was no room for all releases. The remaining keys and pedals stay in ``heldNotes``.
  mutating func releaseAll(of source: LiveInput.Source, at time: Int64) -> Bool {
    guard var held = heldNotes[source] else { return true }
    while true {
      let before = held
      guard let message = held.popRelease() else { break }
      guard consumer?.write(.channel(message), from: source, at: time) ?? true else {
        heldNotes[source] = before
        return false
      }
    }
    heldNotes[source] = nil
    return true
  }
}
