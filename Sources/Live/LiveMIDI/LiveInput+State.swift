import RenderCore

extension LiveInput {
  /// What a live input knows of its sources and consumers.
  struct State {
    var consumers = Consumers()
    /// What has been written for each source, and must be released when the source is gone.
    var held = HeldTable()
    /// For each source, by its number, one bit for each source with a common origin.
    var relations = [UInt64](repeating: 0, count: 64)
    /// The settings of the sound device's instrument, also while it does not exist.
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
    var consumer: InputFIFO? { consumers.current }
    /// Zones are for the sound device only: a host has the unit as it is.
    var usesZones: Bool { router != nil && consumer != nil && consumer === consumers.device }
  }

  struct Consumers {
    /// In the order in which they began.
    var hosts: [InputFIFO] = []
    var device: InputFIFO?

    var current: InputFIFO? { hosts.first ?? device }
    var all: [InputFIFO] { hosts + [device].compactMap(\.self) }
  }

  /// A source and the sound that it plays; 0 is the port's own unit.
  struct Holder {
    let source: Source
    var sound: UInt8 = 0
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
      for source in held.sources { _ = releaseAll(of: source, at: time) }
      held.removeAll()
      stuckSources = []
      router?.forgetHeld()
      mergers.removeAll()
    }
    if new.device !== consumers.device {
      router?.forgetSettings()
      passedParameters = new.device?.unit?.parameters?.all ?? [:]
    }
    consumers = new
    if isOther, let consumer, consumer === consumers.device {
      restoreChannels(of: consumer, at: time)
      if let router { setZones(router.zones) }
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
      consumer.relations.set(number, to: relations[Int(number)])
    }
  }

  /// Brings a new instrument to the settings of the previous one.
  func restoreChannels(of consumer: InputFIFO, at time: Int64) {
    for message in chase.settings {
      _ = consumer.write(.channel(message), from: LiveInput.Source(1), to: 0, at: time)
    }
  }

  /// Sends a message to the consumer.
  ///
  /// - Returns: `false` if there was no room.
  mutating func send(
    _ content: LiveInput.Content, from source: LiveInput.Source, at time: Int64
  ) -> Bool {
    lastTime = time
    updateChase(content)
    guard consumer != nil else { return true }
    guard releaseStuck(at: time), route(content, from: source, at: time) else {
      stuckSources.insert(source)
      refused += 1
      return false
    }
    return true
  }

  /// Writes a message for the sounds that play it.
  private mutating func route(
    _ content: LiveInput.Content, from source: LiveInput.Source, at time: Int64
  ) -> Bool {
    guard usesZones else {
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
      for source in Set(held.sources).union(names.keys) {
        let notes = held[LiveInput.Holder(source: source)] ?? HeldNotes()
        router?.begin(source, notes, chase)
      }
    }
    routed.removeAll(keepingCapacity: true)
    router?.setZones(zones ?? [Zone()], into: &routed)
    if usesZones { _ = writeRouted(at: lastTime) }
  }

  /// Returns the parameters of the sound device's unit that have changed since the last call.
  mutating func takeChangedParameters() -> [String: Float] {
    let values = consumers.device?.unit?.parameters?.all ?? [:]
    defer { passedParameters = values }
    return values.filter { passedParameters[$0.key] != $0.value && !$0.key.hasPrefix("preset.") }
  }

  /// Releases all keys and pedals, and ends what sounds.
  mutating func silence(at time: Int64) {
    for source in held.sources where !releaseAll(of: source, at: time) {
      stuckSources.insert(source)
    }
    for sound in [0] + (usesZones ? zoneUnits.keys.sorted() : []) {
      for channel in UInt8(0)..<16 {
        // All Sound Off.
        let message = ChannelMessage(.controlChange, channel: channel, 120, 0)
        _ = consumer?.write(.channel(message), from: LiveInput.Source(1), to: sound, at: time)
      }
    }
  }

  /// Writes a message for one sound.
  private mutating func write(
    _ content: LiveInput.Content, from holder: LiveInput.Holder, at time: Int64
  ) -> Bool {
    guard pass(content, from: holder, at: time) else { return false }
    switch content {
    case .channel(let message):
      held.follow(message, of: holder)
    case .sysEx(let bytes):
      held.follow(sysEx: bytes, of: holder)
    case .system: break
    }
    return true
  }

  /// Passes a message to the consumer: for the port's own unit as it is, for the sound of a zone merged with the messages
  /// of other sources.
  ///
  /// It is `mutating` although it changes nothing, because the compiler would copy the state for it.
  private mutating func pass(
    _ content: LiveInput.Content, from holder: LiveInput.Holder, at time: Int64
  ) -> Bool {
    guard let consumer else { return true }
    let (source, sound) = (holder.source, holder.sound)
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
  /// - Returns: `false` if there was no room for all releases. The remaining keys and pedals stay in ``held``.
  mutating func releaseAll(of source: LiveInput.Source, at time: Int64) -> Bool {
    router?.forgetHeld(by: source)
    for holder in held.holders(of: source) {
      guard releaseAll(of: holder, at: time) else { return false }
    }
    return true
  }

  private mutating func releaseAll(of holder: LiveInput.Holder, at time: Int64) -> Bool {
    guard var notes = held[holder] else { return true }
    while true {
      let before = notes
      guard let message = notes.popRelease() else { break }
      guard pass(.channel(message), from: holder, at: time) else {
        held.set(before, of: holder)
        return false
      }
    }
    held.remove(holder)
    return true
  }
}
