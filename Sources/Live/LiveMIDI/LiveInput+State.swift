import RenderCore

extension LiveInput {
  /// The state of a live input: its sources and consumers.
  struct State {
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
    /// The sounds that modules play, by their numbers. A consumer plays all others.
    var outputs: [UInt8: ZoneOutput] = [:]
    /// The mergers of ``outputs``, which outlive a sound device.
    let outputMergers = ZoneMergers()
    var zoneUnits: [UInt8: any RenderUnit] = [:]
    /// The parameters of the sound device's unit that the units of zones have.
    var passedParameters: [String: Float] = [:]
    /// Reused for each message.
    var routed: [ZoneRouter.Routed] = []
    var onChange: (@Sendable () -> Void)?
    var playbackStatistics: (@Sendable () -> PlaybackStatistics?)?
    /// The statistics at the end of the last time that the port was played.
    var earlierStatistics: PlaybackStatistics?

    /// The names of all connected sources; of several programs with one name, it has it once.
    var allNames: [String] { sourceNames + Set(programs.values).sorted() }
  }

  struct Consumers {
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
  struct Holder {
    let source: Source
    var sound: UInt8 = 0
  }
}

extension LiveInput.State {
  /// Changes the consumers. What is held on the sounds that another one plays from now on is released for the previous one.
  /// A sound device that follows no consumer, because it was being opened or restarted, plays what is held.
  mutating func changeConsumers(at time: Int64, _ body: (inout LiveInput.Consumers) -> Void) {
    var new = consumers
    body(&new)
    let isOther = new.current !== consumers.current
    let isOtherDevice = new.device !== consumers.device
    let outputs = outputs
    func isMoved(_ sound: UInt8) -> Bool {
      if sound == 0 { return isOther }
      return isOtherDevice && outputs[sound] == nil
    }
    for source in sources.sources { _ = endSounds(of: source, at: time, where: isMoved) }
    sources.removeSounds(where: isMoved)
    router?.forgetHeld(where: isMoved)
    let beginsPlaying = consumers.current == nil && new.hosts.isEmpty
    if isOther {
      if new.current != nil, !beginsPlaying { sources.removeNotes() }
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
    if isOtherDevice || isOther && isOfDevice, let router {
      setZones(router.zones, held: .hold, outputs: outputs)
    }
    if isOther, beginsPlaying { strikeHeld(at: time, where: isMoved) }
  }

  /// Plays what the sources hold, on some of the sounds.
  private mutating func strikeHeld(at time: Int64, where isWanted: (UInt8) -> Bool) {
    for source in sources.sources {
      for message in sources.held(by: source) {
        guard router != nil else {
          _ = write(.channel(message), from: LiveInput.Holder(source: source), at: time)
          continue
        }
        routed.removeAll(keepingCapacity: true)
        router?.route(message, from: source, at: time, into: &routed)
        routed.removeAll { !isWanted($0.sound) }
        _ = writeRouted(at: time)
      }
    }
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
    router?.route(message, from: source, at: time, into: &routed)
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
  ///
  /// - Parameter outputs: The sounds of the zones that modules play.
  mutating func setZones(
    _ zones: [Zone]?, held: HeldNotePolicy, outputs: [UInt8: ZoneOutput] = [:]
  ) {
    // Those of earlier zones remain, because their notes may be held.
    for zone in zones ?? [] { self.outputs[zone.sound] = outputs[zone.sound] }
    if router == nil {
      if zones == nil, held == .hold { return }
      router = ZoneRouter()
      for (source, name) in names { router?.setName(name, of: source) }
      for source in Set(sources.sources).union(names.keys) {
        router?.begin(source, sources[source], chase)
      }
    }
    routed.removeAll(keepingCapacity: true)
    router?.endHeld(held, into: &routed)
    router?.setZones(zones ?? [Zone()], into: &routed)
    _ = writeRouted(at: lastTime)
  }

  /// Sends the settings of the zones' sources again to sounds that were made after the zones were set.
  mutating func restoreSettings(ofSounds sounds: Set<UInt8>) {
    guard let router else { return }
    self.router?.forgetSettings(where: sounds.contains)
    setZones(router.zones, held: .hold, outputs: outputs)
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
    for output in outputs.values { output.silence() }
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
    if let output = outputs[sound] {
      send(content, from: holder, to: output, at: time)
      return true
    }
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

  /// Sends a message to a module, merged with the messages of other sources.
  private func send(
    _ content: MIDIContent, from holder: LiveInput.Holder, to output: ZoneOutput, at time: Int64
  ) {
    let source = holder.source
    switch content {
    case .channel(let message):
      _ = outputMergers.merge(
        output.message(for: message), from: source, to: holder.sound,
        related: relations[Int(source.number)], at: time
      ) {
        output.destination.send(.channel($0))
        return true
      }
    case .sysEx(let bytes):
      outputMergers.follow(sysEx: bytes, for: holder.sound, from: source)
      output.destination.send(content)
    case .system: output.destination.send(content)
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
      if let output = outputs[sound] {
        _ = outputMergers.end(source, for: sound, room: .max) { message in
          output.destination.send(.channel(message))
          router?.note(message, for: sound)
        }
      } else if let consumer = consumers.playing(sound),
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
