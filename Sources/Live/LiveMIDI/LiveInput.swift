public import RenderCore
import Synchronization

/// The live input of a port, to which keyboards and other programs send events.
///
/// One consumer receives the events: of the hosts that have the port, the first one that began; without hosts, the sound
/// device. When the consumer changes, all held keys and pedals are released for the old one. Events are dropped while
/// there is no consumer. Programs and controllers are kept for the sound device until no source is connected.
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
  /// - Parameter zones: The zones; `nil`: the port's unit receives everything.
  package func setZones(_ zones: [Zone]?) { state.withLock { $0.setZones(zones) } }

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

extension LiveInput {
  /// The state of a live input: its sources and consumers.
  fileprivate struct State {
    var consumers = Consumers()
    /// The keys and controls of each source, and the sounds on which it must end.
    var sources = SourceTable()
    /// For each source, by its number, one bit for each source with a common origin.
    var relations = [UInt64](repeating: 0, count: 64)
    /// The settings of the sound device's instrument, also while it does not exist, except the positions in ``sources``.
    var chase = InstrumentChase()
    /// The sources of which a message was refused, so that a note-off may be missing.
    var stuckSources: Set<Source> = []
    /// The time of the last message: what must act as soon as possible is written for this time, because a later one
    /// would delay the messages after it.
    var lastTime: Int64 = 0
    var refused = 0
    var sourceNames: [String] = []
    /// The connected programs of this process.
    var programs: [Source: String] = [:]
    /// The names of the sources that are known by name.
    var names: [Source: String] = [:]
    /// `nil` unless zones have been set.
    var router: ZoneRouter?
    let mergers = ZoneMergers()
    var zoneUnits: [UInt8: any RenderUnit] = [:]
    /// The parameters of the sound device's unit that the units of zones have.
    var passedParameters: [String: Float] = [:]
    /// Reused for each message.
    var routed: [ZoneRouter.Routed] = []
    var onChange: (@Sendable () -> Void)?
    var playbackStatistics: (@Sendable () -> PlaybackStatistics?)?

    /// The names of all connected sources; of several programs with one name, it has it once.
    var allNames: [String] { sourceNames + Set(programs.values).sorted() }
  }

  fileprivate struct Consumers {
    /// In the order in which they began.
    var hosts: [InputFIFO] = []
    var device: InputFIFO?

    var current: InputFIFO? { hosts.first ?? device }
    var all: [InputFIFO] { hosts + [device].compactMap(\.self) }

    /// Returns the consumer that plays a sound: of the port's own unit a host, if one has the port; of the sounds of zones
    /// the device.
    func playing(_ sound: UInt8) -> InputFIFO? { sound == 0 ? current : device }
  }

  /// A source and the sound that it plays; 0 is the port's own unit.
  fileprivate struct Holder {
    let source: Source
    var sound: UInt8 = 0
  }
}

extension LiveInput.State {
  /// Changes the consumers. What is held on the sounds that another one plays from now on is released for the previous one.
  mutating func changeConsumers(at time: Int64, _ body: (inout LiveInput.Consumers) -> Void) {
    var new = consumers
    body(&new)
    let isOther = new.current !== consumers.current
    let isOtherDevice = new.device !== consumers.device
    func isMoved(_ sound: UInt8) -> Bool { sound == 0 ? isOther : isOtherDevice }
    for source in sources.sources { _ = endSounds(of: source, at: time, where: isMoved) }
    sources.removeSounds(where: isMoved)
    router?.forgetHeld(where: isMoved)
    if isOther {
      sources.removeNotes()
      stuckSources = []
    }
    if isOtherDevice {
      mergers.removeAll()
      passedParameters = new.device?.unit?.parameters?.all ?? [:]
    }
    consumers = new
    let isOfDevice = consumers.current === consumers.device
    router?.forgetSettings { isMoved($0) && ($0 != 0 || isOfDevice) }
    if isOther, isOfDevice, let device = consumers.device { restoreChannels(of: device, at: time) }
    if isOtherDevice || isOther && isOfDevice, let router { setZones(router.zones) }
  }

  private mutating func follow(_ content: MIDIContent, from source: LiveInput.Source) {
    sources.follow(content, from: source)
    switch content {
    case .channel(let message):
      if !ControlPositions.areMoved(by: message) { chase.follow(message) }
    case .sysEx(let bytes): bytes.withUnsafeBufferPointer { chase.follow(sysEx: $0) }
    case .system: break
    }
  }

  func setRelations(of consumer: InputFIFO) {
    for number in UInt8(1)..<64 {
      consumer.relations.set(number, to: relations[Int(number)])
    }
  }

  /// Brings a new instrument to the settings of the previous one, and to the positions of the sources, which zones know
  /// themselves.
  private mutating func restoreChannels(of consumer: InputFIFO, at time: Int64) {
    for content in chase.settings {
      _ = consumer.write(content, from: LiveInput.Source(1), to: 0, at: time)
    }
    if router != nil { return }
    for source in sources.sources {
      for position in sources[source].positions.messages {
        _ = write(.channel(position), from: LiveInput.Holder(source: source), at: time)
      }
    }
  }

  /// Sends a message to the consumer.
  ///
  /// - Returns: `false` if there was no room.
  mutating func send(
    _ content: MIDIContent, from source: LiveInput.Source, at time: Int64
  ) -> Bool {
    lastTime = time
    follow(content, from: source)
    guard consumers.current != nil else { return true }
    guard releaseStuck(at: time), route(content, from: source, at: time) else {
      stuckSources.insert(source)
      refused += 1
      return false
    }
    return true
  }

  /// Writes a message for the sounds that play it.
  private mutating func route(
    _ content: MIDIContent, from source: LiveInput.Source, at time: Int64
  ) -> Bool {
    guard router != nil else {
      return write(content, from: LiveInput.Holder(source: source), at: time)
    }
    guard case .channel(let message) = content else {
      var isWritten = true
      for sound in router?.sounds(of: source) ?? [] {
        let holder = LiveInput.Holder(source: source, sound: sound)
        if !write(content, from: holder, at: time) { isWritten = false }
      }
      return isWritten
    }
    routed.removeAll(keepingCapacity: true)
    router?.route(message, from: source, into: &routed)
    return writeRouted(at: time)
  }

  /// Writes the messages in ``routed``.
  private mutating func writeRouted(at time: Int64) -> Bool {
    for routed in routed {
      let holder = LiveInput.Holder(source: routed.source, sound: routed.sound)
      if !write(.channel(routed.message), from: holder, at: time) { return false }
    }
    return true
  }

  /// Changes the zones.
  mutating func setZones(_ zones: [Zone]?) {
    if router == nil {
      if zones == nil { return }
      router = ZoneRouter()
      for (source, name) in names { router?.setName(name, of: source) }
      for source in Set(sources.sources).union(names.keys) {
        router?.begin(source, sources[source], chase)
      }
    }
    routed.removeAll(keepingCapacity: true)
    router?.setZones(zones ?? [Zone()], into: &routed)
    _ = writeRouted(at: lastTime)
  }

  /// Returns the parameters of the sound device's unit that have changed since the last call.
  mutating func takeChangedParameters() -> [String: Float] {
    let values = consumers.device?.unit?.parameters?.all ?? [:]
    defer { passedParameters = values }
    return values.filter { passedParameters[$0.key] != $0.value && !$0.key.hasPrefix("preset.") }
  }

  /// Releases all keys and pedals, and ends what sounds.
  mutating func silence(at time: Int64) {
    for source in sources.sources { release(source, at: time) }
    for sound in [0] + (router == nil ? [] : zoneUnits.keys.sorted()) {
      for channel in UInt8(0)..<16 {
        // All Sound Off.
        let message = ChannelMessage(.controlChange, channel: channel, 120, 0)
        _ = consumers.playing(sound)?.write(
          .channel(message), from: LiveInput.Source(1), to: sound, at: time)
      }
    }
  }

  /// Writes a message for one sound.
  private mutating func write(
    _ content: MIDIContent, from holder: LiveInput.Holder, at time: Int64
  ) -> Bool {
    guard pass(content, from: holder, at: time) else { return false }
    sources.add(holder.sound, of: holder.source)
    return true
  }

  /// Passes a message to the consumer: for the port's own unit as it is, for the sound of a zone merged with the messages
  /// of other sources.
  ///
  /// It is `mutating` although it changes nothing, because the compiler would copy the state for it.
  private mutating func pass(
    _ content: MIDIContent, from holder: LiveInput.Holder, at time: Int64
  ) -> Bool {
    let (source, sound) = (holder.source, holder.sound)
    guard let consumer = consumers.playing(sound) else { return true }
    if sound == 0 { return consumer.write(content, from: source, to: 0, at: time) }
    switch content {
    case .channel(let message):
      return mergers.merge(
        message, from: source, to: sound, related: relations[Int(source.number)], at: time
      ) { consumer.write(.channel($0), from: source, to: sound, at: time) }
    case .sysEx(let bytes):
      mergers.follow(sysEx: bytes, for: sound, from: source)
      return consumer.write(content, from: source, to: sound, at: time)
    case .system: return consumer.write(content, from: source, to: sound, at: time)
    }
  }

  /// Releases the sources of which messages were refused.
  ///
  /// - Returns: `false` if there was no room for all releases.
  private mutating func releaseStuck(at time: Int64) -> Bool {
    for source in stuckSources {
      release(source, at: time)
      if stuckSources.contains(source) { return false }
    }
    return true
  }

  /// Releases a source: its keys, pedals and wheels return to rest. Without room, this happens as soon as there is some.
  mutating func release(_ source: LiveInput.Source, at time: Int64) {
    router?.release(source, sources[source])
    sources.removeState(of: source)
    if endSounds(of: source, at: time) {
      stuckSources.remove(source)
    } else {
      stuckSources.insert(source)
    }
  }

  /// Releases a source that is gone, and forgets it.
  mutating func end(_ source: LiveInput.Source, at time: Int64) {
    release(source, at: time)
    names[source] = nil
    router?.remove(source)
  }

  /// Ends a source for the sounds that it has played.
  ///
  /// - Parameter isWanted: Returns whether to end it for a sound.
  /// - Returns: `false` if there was no room for all. It has still to be ended for the others.
  private mutating func endSounds(
    of source: LiveInput.Source, at time: Int64, where isWanted: (UInt8) -> Bool = { _ in true }
  ) -> Bool {
    for sound in sources.sounds(of: source) where isWanted(sound) {
      if let consumer = consumers.playing(sound),
        !end(source, for: sound, at: time, consumer)
      {
        return false
      }
      sources.removeSounds(of: source) { $0 == sound }
    }
    return true
  }

  /// Ends a source for a sound.
  ///
  /// - Returns: `false` if there was no room. Nothing has changed then.
  private mutating func end(
    _ source: LiveInput.Source, for sound: UInt8, at time: Int64, _ consumer: InputFIFO
  ) -> Bool {
    if sound == 0 { return consumer.writeEnd(of: source, at: time) }
    return mergers.end(source, for: sound, room: consumer.room) { message in
      _ = consumer.write(.channel(message), from: source, to: sound, at: time)
      router?.note(message, for: sound)
    }
  }
}
