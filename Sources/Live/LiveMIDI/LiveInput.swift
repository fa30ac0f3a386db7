public import RenderCore
import Synchronization

/// The live input of a port, to which keyboards and other programs send events.
///
/// One consumer receives the events: of the hosts that have the port, the first one that began; without hosts, the sound
/// device. When the consumer changes, all held keys and pedals are released for the old one. While there is no
/// consumer, a key that is struck and released is not heard; the sound device plays the keys and pedals that are held when it
/// begins. Programs and controllers are kept for it until no source is connected.
///
/// **Law "notes end":** when a source ends, its keys, pedals and wheels return to rest, and no others; see
/// ``RenderCore/SourceState``. What another source or the host also holds stays as it is.
///
/// Realtime: no. Threads: any.
public final class LiveInput: Sendable {
  /// A keyboard or a program, while it is connected to this port: 1…63.
  public struct Source: Hashable, Sendable {
    public let number: UInt8

    /// The numbers of programs of this process, which are not used for keyboards.
    package static let programs: ClosedRange<UInt8> = 48...63

    /// - Precondition: `number` is in 1…63.
    public init(_ number: UInt8) {
      precondition(1...63 ~= number)
      self.number = number
    }
  }

  /// The kinds of consumers. A port can have several hosts and one sound device. A host takes precedence.
  package enum ConsumerRole: Sendable { case device, host }

  private let state = Mutex(State())
  private let filter = Mutex<(any LiveInputFilter)?>(nil)

  public init() {}

  /// Sends a message to the consumer.
  ///
  /// - Parameters:
  ///   - content: The message.
  ///   - source: The source that sent it.
  ///   - time: The time at which it was played, in nanoseconds of CLOCK_MONOTONIC.
  /// - Returns: `false` if there was no room, because the consumer has not read any events for some time. What the
  ///   source holds is released as soon as there is room again.
  @discardableResult
  public func send(_ content: MIDIContent, from source: Source, at time: Int64) -> Bool {
    if let filter = filter.withLock({ $0 }), filter.handles(content, from: source, of: self) {
      return true
    }
    return state.withLock { $0.send(content, from: source, at: time) }
  }

  /// Releases the keys and pedals of a source, and brings its wheels to rest. The source may send again.
  public func release(_ source: Source, at time: Int64) {
    state.withLock { $0.release(source, at: time) }
  }

  /// Releases a source that is gone, and forgets it. Another may have its number then.
  package func end(_ source: Source, at time: Int64) {
    state.withLock { $0.end(source, at: time) }
  }

  /// Changes the zones by which keyboards play the port: from the next message on. What is held goes on with the sounds with
  /// which it began. A host that has the port receives what the zones of the port's own unit play; the sounds of zones are
  /// on the sound device.
  ///
  /// - Parameters:
  ///   - zones: The zones; `nil`: the port's unit receives everything.
  ///   - held: What becomes of held notes and pedals.
  ///   - outputs: The sounds that modules play, by their numbers. They receive messages at once, also while the port has
  ///     no consumer.
  package func setZones(
    _ zones: [Zone]?, held: HeldNotePolicy = .hold, outputs: [UInt8: ZoneOutput] = [:]
  ) {
    state.withLock { $0.setZones(zones, held: held, outputs: outputs) }
  }

  /// Sends the settings of the keyboards to sounds of zones whose units were made after the zones were set.
  package func restoreSettings(ofSounds sounds: Set<UInt8>) {
    state.withLock { $0.restoreSettings(ofSounds: sounds) }
  }

  /// The units that play the sounds of zones, by the numbers of the sounds.
  package var zoneUnits: [UInt8: any RenderUnit] {
    get { state.withLock { $0.zoneUnits } }
    set { state.withLock { $0.zoneUnits = newValue } }
  }

  /// Sets what handles events before the port receives them; `nil`: nothing does.
  package func setFilter(_ filter: (any LiveInputFilter)?) { self.filter.withLock { $0 = filter } }

  /// Sets the name of a source, for example that of a keyboard; `nil` if it is not known.
  package func setName(_ name: String?, of source: Source) {
    state.withLock { state in
      state.names[source] = name
      state.router?.setName(name, of: source)
    }
  }

  /// The name of a source; `nil` if it is not known.
  package func name(of source: Source) -> String? { state.withLock { $0.names[source] } }

  /// The unit that the sources play; `nil` if none receives the events.
  package var playedUnit: (any RenderUnit)? { state.withLock { $0.consumers.current?.unit } }

  /// Forgets the programs and controllers that are kept for the sound device, because its next unit is given them in
  /// another way.
  package func forgetSettings() { state.withLock { $0.chase = InstrumentChase() } }

  /// Gives the units of zones the parameters of the port's unit that have changed since the last call, except the preset,
  /// which is the zone's own.
  package func passParametersToZones() {
    let (changes, units) = state.withLock { state in
      (state.takeChangedParameters(), Array(state.zoneUnits.values))
    }
    if changes.isEmpty { return }
    for unit in units {
      guard let parameters = unit.parameters else { continue }
      let known = parameters.all
      try? parameters.set(changes.filter { known[$0.key] != nil })
    }
  }

  /// Ends all notes of the unit that the sources play, and releases all sources.
  ///
  /// - Parameter time: The current time of CLOCK_MONOTONIC in nanoseconds.
  package func silence(at time: Int64) {
    state.withLock { $0.silence(at: time) }
  }

  /// Sets which sources are known to have an origin in common. A note-on that two of them send within 3 ms is played
  /// once. A host may forward the events of any source, so it has an origin in common with all sources.
  ///
  /// - Parameter relations: For each source, the set of sources with an origin in common.
  package func setRelations(_ relations: [Source: Set<Source>]) {
    state.withLock { state in
      state.relations = [UInt64](repeating: 0, count: 64)
      for (source, others) in relations {
        state.relations[Int(source.number)] = others.reduce(0) { $0 | 1 << UInt64($1.number) }
      }
      for consumer in state.consumers.all { state.setRelations(of: consumer) }
    }
  }

  /// The number of messages that were refused because there was no room.
  public var refused: Int { state.withLock { $0.refused } }

  /// The names of the connected sources. Setting them does not affect ``connect(_:named:)``.
  public var sourceNames: [String] {
    get { state.withLock { $0.allNames } }
    set {
      change { state in
        state.sourceNames = newValue
        if state.allNames.isEmpty { state.chase = InstrumentChase() }
      }
    }
  }

  /// Connects a program of this process, in addition to ``sourceNames``.
  ///
  /// - Parameter source: One of ``Source/programs``.
  package func connect(_ source: Source, named name: String) {
    change { state in
      state.programs[source] = name
      state.names[source] = name
      state.router?.setName(name, of: source)
    }
  }

  /// Ends a program of this process, and disconnects it.
  package func disconnect(_ source: Source, at time: Int64) {
    change { state in
      state.end(source, at: time)
      state.programs[source] = nil
      if state.allNames.isEmpty { state.chase = InstrumentChase() }
    }
  }

  /// The keys that are held or were struck, in their order: of a host that plays the port, or of the sound device; with zones,
  /// of both.
  package var playedKeys: [PlayedKey] {
    let consumers = state.withLock { state in
      let (current, device) = (state.consumers.current, state.consumers.device)
      let isDeviceToo = state.router != nil && device !== current
      return [current, isDeviceToo ? device : nil].compactMap(\.self)
    }
    // The consumers own the memory of their keys, and may be removed meanwhile.
    return withExtendedLifetime(consumers) {
      (0..<128).compactMap { key in
        let states = consumers.map { $0.keys.state(of: key) }
        let isHeld = states.contains { $0.isHeld }
        let strikes = states.reduce(0) { $0 &+ $1.strikes }
        if !isHeld, strikes == 0 { return nil }
        return PlayedKey(key: UInt8(key), isHeld: isHeld, strikes: strikes)
      }
    }
  }

  /// Whether any source is connected.
  public var hasSources: Bool { !sourceNames.isEmpty }

  /// Whether a host has the port.
  package var isHosted: Bool { state.withLock { !$0.consumers.hosts.isEmpty } }

  /// The statistics of the port at the sound device since it was first played there, also after the device has been closed;
  /// `nil` if it has not been played there.
  package var playbackStatistics: PlaybackStatistics? {
    let (read, earlier) = state.withLock { ($0.playbackStatistics, $0.earlierStatistics) }
    guard let statistics = read?() else { return earlier }
    return earlier.map { statistics.continuing($0) } ?? statistics
  }

  /// Sets the closure that returns the statistics at the sound device; `nil` when the port is not played any more.
  package func setPlaybackStatistics(_ statistics: (@Sendable () -> PlaybackStatistics?)?) {
    let last = playbackStatistics?.ended
    state.withLock { ($0.playbackStatistics, $0.earlierStatistics) = (statistics, last) }
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

/// Handles some of the events that sources send to a port, instead of the port: those of a learned controller, for
/// example.
///
/// Threads: that of the source, which is not realtime; several at a time.
package protocol LiveInputFilter: Sendable {
  /// Handles an event, if it is one of the filter's. The filter may set the source's unit, but must return soon, because
  /// later events wait.
  ///
  /// - Returns: Whether the port must not receive the event.
  func handles(
    _ content: MIDIContent, from source: LiveInput.Source, of input: LiveInput
  ) -> Bool
}
