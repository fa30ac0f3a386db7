import CFluidSynth
import RenderCore

// The effects of notes on other notes. Within one synth FluidSynth handles them; between lanes the engine does.
extension ExactState {
  /// - Parameter isFirst: `false` for a further note of the same note-on, in another part. It is part of the first note,
  ///   as far as notes are counted, logged and recorded.
  @_noLocks mutating func noteOn(
    _ channel: UInt8, key: UInt8, velocity: UInt8, isFirst: Bool, at frame: Int64
  ) {
    if isFirst {
      statistics.notes += 1
      announceNote()
      logNote(channel, key: key, velocity: velocity, at: frame)
    } else {
      announceFurtherNote()
    }
    guard channels[Int(channel)].isEnabled else {
      statistics.silentNotes += 1
      statistics.unmappedNotes += 1
      log?.endCurrent(.unmapped)
      return
    }
    substitutions.check(module.requested(of: channel), channels[Int(channel)].state.preset)
    let note = NoteSamples.Note(
      channel: channel, key: key, velocity: velocity, preset: channels[Int(channel)].state.preset)
    if samples.find(for: note) {
      beginNote(channel, key: key, velocity: velocity, at: frame)
    } else {
      statistics.unloadedNotes += 1
    }
  }

  /// Counts a note that no part plays.
  @_noLocks mutating func countNote(_ message: ChannelMessage, at frame: Int64) {
    statistics.notes += 1
    statistics.silentNotes += 1
    statistics.unmappedNotes += 1
    announceNote()
    logNote(message.channel, key: message.data1, velocity: message.data2, at: frame)
    log?.endCurrent(.unmapped)
  }

  /// Starts the waiting notes whose samples have been loaded.
  @_noLocks mutating func startWaitingNotes() {
    while let note = samples.takeReady() {
      // The channel may have changed its preset since.
      if channels[Int(note.channel)].state.preset == note.preset {
        beginNote(note.channel, key: note.key, velocity: note.velocity, at: lanes.now)
      }
    }
  }

  /// Requests the samples of newly selected presets, before a note needs them.
  @_noLocks mutating func requestSamples() {
    for channel in 0..<UInt8(16) {
      samples.request(channels[Int(channel)].state.preset, for: channel)
    }
  }

  /// Starts a note whose samples are in memory.
  @_noLocks private mutating func beginNote(
    _ channel: UInt8, key: UInt8, velocity: UInt8, at frame: Int64
  ) {
    let state = channels + Int(channel)
    let isMono = state.pointee.isMono
    let note = LegatoKeys.Key(key, velocity: velocity, note: statistics.notes - 1)
    state.pointee.keys.strike(note, isMono: isMono)
    overflow.end(before: key, on: channel, state)
    if isMono, state.pointee.keys.isLegato, let last = state.pointee.keys.previous {
      return playLegato(channel, note, after: last, at: frame)
    }
    let sostenutoHeld = isMono ? false : endEqualNotes(channel, key: key, at: frame)
    if sostenutoHeld { log?.inheritSostenuto() }
    let control = consumePortamentoControl(channel)
    if !isMono, let control,
      extendNotes(of: control, by: note, channel, glideFrom: control, at: frame)
    {
      return
    }
    startNote(
      channel, note, glideFrom: control ?? glideKey(channel, after: nil),
      sostenutoHeld: sostenutoHeld, at: frame)
  }

  @_noLocks mutating func noteOff(_ channel: UInt8, key: UInt8, at frame: Int64) {
    let state = channels + Int(channel)
    samples.release(channel, key: key)
    overflow.end(channel, state, key: key)
    let isPortamento = state.pointee.isDown(Controller.portamento)
    var release = LegatoKeys.Release.end
    if state.pointee.isMono {
      release = state.pointee.keys.releaseMono(key, isPortamento: isPortamento)
    } else {
      state.pointee.keys.releasePoly(key, isPortamento: isPortamento)
    }
    // Of a key that is down twice, the last release counts.
    if !state.pointee.isMono || !state.pointee.keys.contains(key) {
      log?.releaseKey(channel, key, at: frame, pedals(of: channel))
    }
    switch release {
    case .nothing: break
    case .back(let last):
      guard state.pointee.isEnabled else { break }
      logReturn(to: last, channel, at: frame)
      playLegato(channel, last, after: key, at: frame)
    case .end:
      lanes.forEach(of: channel) { lane in
        guard lane.pointee.key == key, lane.pointee.hold == .key else { return }
        lanes.send(.noteOff(key: key), to: lane, at: frame)
        self.release(lane)
      }
    }
  }

  /// Releases what holds a lane's note, which a pedal may then hold.
  @_noLocks func release(_ lane: UnsafeMutablePointer<Lane>) {
    let channel = channels + Int(lane.pointee.channel)
    if lane.pointee.isCaptured, channel.pointee.isDown(Controller.sostenuto) {
      lane.pointee.hold = .sostenuto
    } else {
      lane.pointee.hold = channel.pointee.isDown(Controller.sustain) ? .sustain : .nothing
    }
  }

  /// Starts a note in an idle lane, or in the overflow if there is none.
  @_noLocks private mutating func startNote(
    _ channel: UInt8, _ note: LegatoKeys.Key, glideFrom: UInt8?, sostenutoHeld: Bool,
    at frame: Int64
  ) {
    let (key, velocity) = (note.key, note.velocity)
    limitPolyphony(at: frame)
    let home = cache?.pointee.requiredGroup ?? -1
    var index = lanes.dequeue(for: channel, preferring: home)
    if index < 0 {
      // Lanes whose notes end within this cycle become idle only after they are rendered.
      renderAll(until: frame)
      index = lanes.dequeue(for: channel, preferring: home)
    }
    guard index >= 0 else {
      startInOverflow(
        channel, key: key, velocity: velocity, glideFrom: glideFrom, at: frame)
      return
    }
    let lane = lanes[index]
    let state = channels + Int(channel)
    lane.pointee.begin(channel: channel, note, state.pointee.state.preset, at: frame)
    lane.pointee.gain = masterGain.pointee.gain(at: frame)
    lane.pointee.stem = stem(ofNote: note.note, channel)
    lane.pointee.audible = AudibleFrames(ofNote: log?.current ?? -1)
    let isPlain = !state.pointee.isMono && glideFrom == nil && !sostenutoHeld
    if !(isPlain && playRecording(in: lane, velocity: velocity)) {
      startVoices(of: lane, velocity: velocity, glideFrom: glideFrom, sostenutoHeld: sostenutoHeld)
    }
    guard lane.pointee.voices > 0 else {
      statistics.silentNotes += 1
      statistics.unmappedNotes += 1
      log?.endCurrent(.unmapped)
      lane.pointee.isSounding = false
      lanes.group(of: lane).pointee.addIdle(index)
      return
    }
    lanes.begin(index)
    lane.pointee.isCaptured = sostenutoHeld
    choke(others: lane, at: frame)
    if isPlain { record(lane, velocity: velocity) }
    updatePeaks()
  }

  /// Sends the channel state to a lane's synth and starts the note in it.
  @_noLocks private func startVoices(
    of lane: UnsafeMutablePointer<Lane>, velocity: UInt8, glideFrom: UInt8?, sostenutoHeld: Bool
  ) {
    let (channel, key) = (channels + Int(lane.pointee.channel), lane.pointee.key)
    lane.pointee.update(to: channel.pointee.state, key: key, tunings: tunings, tables: tables)
    lane.pointee.startNote(
      key: key, velocity: velocity, glideFrom: glideFrom, sostenutoHeld: sostenutoHeld)
    if lanes.isSkipping {
      let offset = channel.pointee.state.generators[Int(GEN_VOLENVRELEASE.rawValue)]
      lane.pointee.release = ReleaseLimit(
        of: lane.pointee.synth, lanes.group(of: lane).pointee.voiceList, offset: offset, rate: rate)
    }
  }

  /// Returns the key that portamento control set for the next note, and clears it; `nil` if it is not set.
  @_noLocks private func consumePortamentoControl(_ channel: UInt8) -> UInt8? {
    let state = channels + Int(channel)
    let key = state.pointee.state.controllers[Int(Controller.portamentoControl)]
    state.pointee.state.controllers[Int(Controller.portamentoControl)] = 255
    return key < 128 ? key : nil
  }

  /// The key from which the portamento pedal makes a note glide; `nil` if it does not.
  ///
  /// - Parameter last: The key that the note continues; `nil` if it continues none.
  @_noLocks private func glideKey(_ channel: UInt8, after last: UInt8?) -> UInt8? {
    let state = channels + Int(channel)
    guard state.pointee.isDown(Controller.portamento),
      library.glidesOnEveryNote || state.pointee.keys.isLegato
    else { return nil }
    return last ?? state.pointee.keys.previous
  }

  /// Plays a note of a monophonic channel with the voices of the key before, whose note ends. Without such voices, such as
  /// those of a drum that has died away, it is struck.
  @_noLocks private mutating func playLegato(
    _ channel: UInt8, _ note: LegatoKeys.Key, after last: UInt8, at frame: Int64
  ) {
    let glide = consumePortamentoControl(channel) ?? glideKey(channel, after: last)
    if extendNotes(of: last, by: note, channel, glideFrom: glide, at: frame) { return }
    startNote(channel, note, glideFrom: glide, sostenutoHeld: false, at: frame)
  }

  /// Makes a note take over the voices of the note of a key that is down. Voices that it cannot take over are released.
  ///
  /// - Returns: `false` if it takes over none.
  @_noLocks private mutating func extendNotes(
    of last: UInt8, by note: LegatoKeys.Key, _ channel: UInt8, glideFrom: UInt8?, at frame: Int64
  ) -> Bool {
    guard let lane = lastLane(holding: last, channel, at: frame) else { return false }
    statistics.legatoNotes += 1
    logContinuation(of: lane, at: frame)
    guard continues(lane, by: note) else {
      lanes.send(.release(key: last), to: lane, at: frame)
      lane.pointee.hold = .nothing
      return false
    }
    extend(lane, by: note, glideFrom: glideFrom, at: frame)
    return true
  }

  /// Returns the lane of the last note of a key that is down and still sounds, rendered up to `frame`. Earlier notes of the key,
  /// which were struck while the channel was polyphonic, are released.
  @_noLocks private func lastLane(
    holding key: UInt8, _ channel: UInt8, at frame: Int64
  ) -> UnsafeMutablePointer<Lane>? {
    var last: UnsafeMutablePointer<Lane>?
    lanes.forEach(of: channel) { lane in
      guard lane.pointee.key == key, lane.pointee.hold == .key,
        lanes.renderUpTo(lane, to: frame)
      else { return }
      guard let other = last else {
        last = lane
        return
      }
      let isLater = lane.pointee.started > other.pointee.started
      let earlier = isLater ? other : lane
      if isLater { last = lane }
      lanes.send(.noteOff(key: key), to: earlier, at: frame)
      release(earlier)
    }
    return last
  }

  /// Returns whether a legato note continues a voice of a lane.
  @_noLocks private mutating func continues(
    _ lane: UnsafeMutablePointer<Lane>, by note: LegatoKeys.Key
  ) -> Bool {
    var isContinued = false
    lane.pointee.presets.forEach { preset in
      if !isContinued {
        isContinued = legatoZones.continues(
          preset, key: lane.pointee.key, velocity: lane.pointee.velocity, by: note,
          of: lane.pointee.tables)
      }
    }
    return isContinued
  }

  /// Plays a further note in a sounding lane, which has been rendered up to `frame`. It is applied here, on the planning
  /// thread, because FluidSynth then marks zones of the presets, which all groups share; see ``PresetTables``.
  @_noLocks private mutating func extend(
    _ lane: UnsafeMutablePointer<Lane>, by note: LegatoKeys.Key, glideFrom: UInt8?,
    at frame: Int64
  ) {
    let preset = channels[Int(lane.pointee.channel)].state.preset
    lanes.send(.program(preset), to: lane, at: frame)
    lanes.send(
      .legato(key: note.key, velocity: note.velocity, glideFrom: glideFrom ?? 255), to: lane,
      at: frame)
    lanes.applyDueCommands(lane)
    lane.pointee.key = note.key
    lane.pointee.velocity = note.velocity
    lane.pointee.isFadingOut = false
    lane.pointee.presets.forEach { earlier in
      if !(earlier == preset) { legatoZones.clear(earlier, by: note, of: lane.pointee.tables) }
    }
    lane.pointee.presets.add(preset)
    lane.pointee.audible = AudibleFrames(ofNote: log?.current ?? -1)
    choke(others: lane, at: frame)
  }

  /// Releases sounding notes of the same key, because the key is struck again. A note that a pedal holds, but that has died away,
  /// does not count.
  ///
  /// - Returns: Whether the sostenuto pedal holds one of them; it then holds the new note too.
  @_noLocks private func endEqualNotes(_ channel: UInt8, key: UInt8, at frame: Int64) -> Bool {
    let isSostenutoDown = channels[Int(channel)].isDown(Controller.sostenuto)
    var sostenutoHeld = false
    lanes.forEach(of: channel) { lane in
      guard lane.pointee.key == key else { return }
      switch lane.pointee.hold {
      case .nothing: return
      case .sostenuto:
        guard lanes.renderUpTo(lane, to: frame) else { return }
        sostenutoHeld = true
      case .key: lanes.send(.noteOff(key: key), to: lane, at: frame)
      case .sustain:
        guard isSostenutoDown, lane.pointee.isCaptured, lanes.renderUpTo(lane, to: frame) else {
          return
        }
        // From now on the sostenuto pedal holds it.
        log?.keepSostenuto(lane.pointee.audible.note)
        lanes.send(.control(number: Controller.allNotesOff, value: 0), to: lane, at: frame)
      }
      release(lane)
    }
    return sostenutoHeld
  }

  /// Chokes the channel's other notes of the exclusive classes that a lane's note has.
  @_noLocks private func choke(others lane: UnsafeMutablePointer<Lane>, at frame: Int64) {
    if !lane.pointee.head.isPlaying { readClasses(lane) }
    let channel = lane.pointee.channel
    lane.pointee.classes.forEach { exclusiveClass in
      chokeLanes(of: channel, exclusiveClass, but: lane, at: frame)
      overflow.choke(exclusiveClass, of: channel)
    }
  }

  @_noLocks private func chokeLanes(
    of channel: UInt8, _ exclusiveClass: Int32, but spared: UnsafeMutablePointer<Lane>?,
    at frame: Int64
  ) {
    lanes.forEach(of: channel) { other in
      guard other != spared, other.pointee.classes.contains(exclusiveClass),
        lanes.renderUpTo(other, to: frame)
      else { return }
      lanes.send(.choke(exclusiveClass), to: other, at: frame)
      guard other.pointee.classes.remove(exclusiveClass) else { return }
      other.pointee.isFadingOut = true
      log?.end(other.pointee.audible.note, .choked, at: frame)
    }
  }

  @_noLocks private func readClasses(_ lane: UnsafeMutablePointer<Lane>) {
    lane.pointee.classes = ExclusiveClasses()
    lanes.group(of: lane).pointee.voiceList.forEach(of: lane.pointee.synth) { voice in
      lane.pointee.classes.add(voice.exclusiveClass)
    }
  }

  @_noLocks private mutating func updatePeaks() {
    let load = lanes.load
    statistics.mostLanes = max(statistics.mostLanes, load.lanes)
    statistics.mostVoices = max(statistics.mostVoices, load.voices)
  }

  /// Keeps the number of notes below the polyphony limit, by ending notes if necessary.
  @_noLocks private mutating func limitPolyphony(at frame: Int64) {
    guard lanes.isFull else { return }
    // Detects the notes that have ended, and updates the levels for the choice of the victim.
    renderAll(until: frame)
    // More than one only after the limit was lowered.
    while lanes.isFull, let victim = lanes.victim { steal(victim, at: frame) }
  }

  @_noLocks private mutating func steal(_ victim: UnsafeMutablePointer<Lane>, at frame: Int64) {
    lanes.send(.steal, to: victim, at: frame)
    victim.pointee.isFadingOut = true
    victim.pointee.hold = .nothing
    log?.end(victim.pointee.audible.note, .stolen, at: frame)
    statistics.stolenNotes += 1
    guard lanes.hasTooManyFading, let oldest = lanes.oldestFading else { return }
    lanes.send(.cut, to: oldest, at: frame)
    oldest.pointee.isCut = true
  }

  /// Starts a note in the control synth.
  @_noLocks private mutating func startInOverflow(
    _ channel: UInt8, key: UInt8, velocity: UInt8, glideFrom: UInt8?, at frame: Int64
  ) {
    statistics.inexactOnsets += 1
    log?.endCurrent(.shared)
    let state = channels + Int(channel)
    let start = overflow.start(
      channel, state, key: key, velocity: velocity, glideFrom: glideFrom,
      gain: masterGain.pointee.gain(at: frame), at: frame)
    statistics.stolenNotes += start.stolenNotes
    if start.isSilent {
      statistics.silentNotes += 1
      if start.isAccepted || state.pointee.state.preset == .none {
        statistics.unmappedNotes += 1
      } else {
        statistics.voicelessNotes += 1
      }
    }
    if start.exclusiveClass != 0 {
      chokeLanes(of: channel, start.exclusiveClass, but: nil, at: frame)
    }
    updatePeaks()
  }
}

// The record of when notes begin and end.
extension ExactState {
  /// Enables the log. Must be called before the first cycle. Realtime: no.
  mutating func keepLog(notes: Int, in memory: RenderMemory) {
    log = NoteLog(capacity: notes, in: memory)
  }

  /// The notes so far, with what was measured of those that still sound. Realtime: no.
  var loggedNotes: [LoggedNote] {
    guard let log else { return [] }
    lanes.forEach { log.close($0.pointee) }
    return (0..<min(log.capacity, statistics.notes)).map { log.notes[$0] }
  }

  /// The notes that channels returned to so far. Realtime: no.
  var loggedReturns: [LoggedNote] {
    guard let log else { return [] }
    lanes.forEach { log.close($0.pointee) }
    return (0..<log.returnCount).map { log.notes[log.capacity + $0] }
  }

  /// Logs a note that a channel returns to.
  @_noLocks private mutating func logReturn(
    to key: LegatoKeys.Key, _ channel: UInt8, at frame: Int64
  ) {
    log?.beginReturn(to: key, channel, channels[Int(channel)].state.preset, at: frame)
  }

  @_noLocks func pedals(of channel: UInt8) -> NoteLog.Pedals {
    let state = channels + Int(channel)
    return NoteLog.Pedals(
      sustain: state.pointee.isDown(Controller.sustain),
      sostenuto: state.pointee.isDown(Controller.sostenuto))
  }

  /// Logs the note that has just been counted.
  @_noLocks private mutating func logNote(
    _ channel: UInt8, key: UInt8, velocity: UInt8, at frame: Int64
  ) {
    let pedals = pedals(of: channel)
    log?.begin(
      statistics.notes - 1,
      LoggedNote(
        onset: frame, channel: channel, key: key, velocity: velocity,
        preset: channels[Int(channel)].state.preset), pedals: pedals)
  }

  /// Logs a controller, after it was applied to the channel.
  @_noLocks func logController(_ channel: UInt8, number: UInt8, value: UInt8, at frame: Int64) {
    guard let log else { return }
    switch number {
    case Controller.sustain where value < 64: log.lift(.sustain, channel, at: frame)
    case Controller.sostenuto where value < 64: log.lift(.sostenuto, channel, at: frame)
    case Controller.sostenuto: log.pressSostenuto(channel)
    case Controller.resetAll:
      log.lift(.sustain, channel, at: frame)
      log.lift(.sostenuto, channel, at: frame)
    default: break
    }
  }

  /// Logs the end of all notes of a channel.
  @_noLocks func logEnd(_ channel: UInt8, by number: UInt8, at frame: Int64) {
    guard let log else { return }
    if number == Controller.allSoundOff {
      lanes.forEach(of: channel) { lane in
        if lanes.renderUpTo(lane, to: frame) { log.cut(lane.pointee.audible.note) }
      }
      log.silence(channel, at: frame)
    } else {
      log.releaseAll(channel, at: frame, pedals(of: channel))
    }
  }

  /// Logs that the current note continues in the voices of a lane's note.
  @_noLocks private func logContinuation(of lane: UnsafeMutablePointer<Lane>, at frame: Int64) {
    guard let log else { return }
    log.close(lane.pointee)
    log.end(lane.pointee.audible.note, .continued, at: frame)
  }
}
