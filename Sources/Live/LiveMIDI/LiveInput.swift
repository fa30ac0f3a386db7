public import RenderCore
import Synchronization

/// The live input of a port, to which keyboards and other programs send events.
///
/// One consumer renders the port and receives the events: the host that has the port, otherwise the sound device. When
/// the consumer changes, all held keys and pedals are released for the old one. Events are dropped while there is no
/// consumer. Programs and controllers are kept for the sound device until no source is connected.
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

  /// The consumers that a port can have. A host takes precedence over the sound device.
  package enum ConsumerRole: Int, CaseIterable, Sendable { case device, host }

  private let state = Mutex(State())

  fileprivate struct State {
    var consumers: [ConsumerRole: InputFIFO] = [:]
    var heldNotes: [Source: HeldNotes] = [:]
    /// For each source, one bit for each source with a common origin.
    var relations: [Source: UInt64] = [:]
    /// The settings of the sound device's instrument, also while it does not exist.
    var chase = InstrumentChase()
    /// The sources of which a message was refused, so that a note-off may be missing.
    var stuckSources: Set<Source> = []
    var refused = 0
    var sourceNames: [String] = []
    var onChange: (@Sendable () -> Void)?
    var playbackStatistics: (@Sendable () -> PlaybackStatistics?)?

    var consumer: InputFIFO? { consumers[.host] ?? consumers[.device] }
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
    state.withLock { state in
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

  /// Sets which sources are known to have an origin in common. A note-on that two of them send within 3 ms is played
  /// once. A host may forward the events of any source, so it has an origin in common with all sources.
  ///
  /// - Parameter relations: For each source, the set of sources with an origin in common.
  package func setRelations(_ relations: [Source: Set<Source>]) {
    state.withLock { state in
      state.relations = relations.mapValues { others in
        others.reduce(0) { $0 | 1 << UInt64($1.number) }
      }
      for consumer in state.consumers.values { state.setRelations(of: consumer) }
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
  package var isHosted: Bool { state.withLock { $0.consumers[.host] != nil } }

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

  /// Sets or removes a consumer.
  ///
  /// - Parameters:
  ///   - consumer: The FIFO that receives the events, unless a consumer with precedence does; `nil`: none.
  ///   - role: The role of the consumer.
  ///   - time: The current time of CLOCK_MONOTONIC in nanoseconds.
  package func setConsumer(_ consumer: InputFIFO?, of role: ConsumerRole, at time: Int64) {
    change { state in
      let old = state.consumer
      var consumers = state.consumers
      consumers[role] = consumer
      if (consumers[.host] ?? consumers[.device]) !== old {
        for source in state.heldNotes.keys { _ = state.releaseAll(of: source, at: time) }
        state.heldNotes = [:]
        state.stuckSources = []
      }
      state.consumers = consumers
      if let consumer { state.setRelations(of: consumer) }
      if let consumer = state.consumer, consumer !== old, consumer === consumers[.device] {
        state.restoreChannels(of: consumer, at: time)
      }
    }
  }
}

extension LiveInput.State {
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
