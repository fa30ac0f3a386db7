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
        beginNote(note.channel, key: note.key, velocity: note.velocity, at: now)
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
  @_noLocks mutating func beginNote(
    _ channel: UInt8, key: UInt8, velocity: UInt8, at frame: Int64
  ) {
    let state = channels + Int(channel)
    let portamentoSource = consumePortamentoControl(channel)
    if state.pointee.isMono {
      if continueChain(
        channel, key: key, velocity: velocity, glideFrom: portamentoSource, at: frame)
      {
        return
      }
    } else if let portamentoSource,
      continueNote(channel, key: key, velocity: velocity, glideFrom: portamentoSource, at: frame)
    {
      return
    }
    let glide = portamentoSource ?? glideKey(channel)
    endInOverflow(before: key, on: channel)
    let sostenutoHeld = state.pointee.isMono ? false : endEqualNotes(channel, key: key, at: frame)
    if sostenutoHeld { log?.inheritSostenuto() }
    startNote(
      channel, key: key, velocity: velocity, glideFrom: glide, sostenutoHeld: sostenutoHeld,
      at: frame)
    state.pointee.lastKey = key
    state.pointee.isLastKeyDown = true
    state.pointee.isLastKeyKept = false
  }

  @_noLocks mutating func noteOff(_ channel: UInt8, key: UInt8, at frame: Int64) {
    samples.release(channel, key: key)
    releaseLastKey(channel, key: key)
    endInOverflow(channel, key: key)
    log?.releaseKey(channel, key, at: frame, pedals(of: channel))
    forEachLane(of: channel) { lane in
      guard lane.pointee.held.contains(key) else { return }
      lane.pointee.held.remove(key)
      sendNote(.noteOff(key: key), to: lane, at: frame)
    }
  }

  /// Starts a note in an idle lane, or in the overflow if there is none.
  @_noLocks private mutating func startNote(
    _ channel: UInt8, key: UInt8, velocity: UInt8, glideFrom: UInt8?, sostenutoHeld: Bool,
    at frame: Int64
  ) {
    limitPolyphony(at: frame)
    let home = cache?.pointee.requiredGroup ?? -1
    var index = dequeueLane(for: channel, preferring: home)
    if index < 0 {
      // Lanes whose notes end within this cycle become idle only after they are rendered.
      renderAll(until: frame)
      index = dequeueLane(for: channel, preferring: home)
    }
    guard index >= 0 else {
      startInOverflow(
        channel, key: key, velocity: velocity, glideFrom: glideFrom, at: frame)
      return
    }
    let lane = lanes + Int(index)
    let state = channels + Int(channel)
    let isMono = state.pointee.isMono
    lane.pointee.begin(channel: channel, key: key, at: frame)
    lane.pointee.gain = masterGain.pointee.gain(at: frame)
    lane.pointee.stem = currentStem(channel)
    lane.pointee.measure(note: log?.current ?? -1)
    let isPlain = !isMono && glideFrom == nil && !sostenutoHeld
    if !(isPlain && playRecording(in: lane, velocity: velocity)) {
      startVoices(of: lane, velocity: velocity, glideFrom: glideFrom, sostenutoHeld: sostenutoHeld)
    }
    let group = groups + Int(lane.pointee.group)
    guard lane.pointee.voices > 0 else {
      statistics.silentNotes += 1
      statistics.unmappedNotes += 1
      log?.endCurrent(.unmapped)
      lane.pointee.isSounding = false
      group.pointee.addIdle(index)
      return
    }
    group.pointee.sounding[group.pointee.soundingCount] = index
    group.pointee.soundingCount += 1
    group.pointee.voices += Int(lane.pointee.voices)
    if lane.pointee.head.isPlaying { group.pointee.playedVoices += Int(lane.pointee.voices) }
    lane.pointee.isChain = isMono
    lane.pointee.isSostenutoHeld = sostenutoHeld
    if isMono { state.pointee.chain = index }
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
    if channel.pointee.isMono, !channel.pointee.isDown(Controller.legato) {
      // In a lane, the legato pedal replaces mono mode: FluidSynth plays both alike.
      fluid_synth_cc(lane.pointee.synth, 0, Int32(Controller.legato), 127)
      lane.pointee.sent.pointee.controllers[Int(Controller.legato)] = 127
      lane.pointee.sent.pointee.revision = 0
    }
    lane.pointee.startNote(
      key: key, velocity: velocity, glideFrom: glideFrom, sostenutoHeld: sostenutoHeld)
  }

  /// Returns the key that portamento control set for the next note, and clears it; `nil` if it is not set.
  @_noLocks private func consumePortamentoControl(_ channel: UInt8) -> UInt8? {
    let state = channels + Int(channel)
    let key = state.pointee.state.controllers[Int(Controller.portamentoControl)]
    state.pointee.state.controllers[Int(Controller.portamentoControl)] = 255
    return key < 128 ? key : nil
  }

  /// The key from which the portamento pedal makes a note glide: the last key, if it is still down or the library also
  /// glides between detached notes. Not for chains, in which FluidSynth handles portamento itself.
  @_noLocks private func glideKey(_ channel: UInt8) -> UInt8? {
    let state = channels + Int(channel)
    guard state.pointee.isDown(Controller.portamento) else { return nil }
    if state.pointee.isLastKeyKept { return state.pointee.lastKey }
    guard !state.pointee.isMono, state.pointee.isLastKeyDown else { return nil }
    return state.pointee.lastKey
  }

  /// Keeps the last key as the start of the next glide, if the library glides from released keys and the pedal is down.
  @_noLocks private func releaseLastKey(_ channel: UInt8, key: UInt8) {
    let state = channels + Int(channel)
    if key == state.pointee.lastKey { state.pointee.isLastKeyDown = false }
    guard library.glidesOnEveryNote else { return }
    if isLastOfChain(key, channel) {
      state.pointee.lastKey = key
      state.pointee.isLastKeyDown = false
    }
    if state.pointee.isLastKeyDown { return }
    if key == state.pointee.lastKey { state.pointee.isLastKeyKept = true }
    if !state.pointee.isDown(Controller.portamento) { state.pointee.isLastKeyKept = false }
  }

  /// Whether `key` is the only key of the channel's chain that is down.
  @_noLocks private func isLastOfChain(_ key: UInt8, _ channel: UInt8) -> Bool {
    let chain = channels[Int(channel)].chain
    guard chain >= 0 else { return false }
    var held = lanes[Int(chain)].held
    guard held.contains(key) else { return false }
    held.remove(key)
    return held.isEmpty
  }

  /// Plays a note in the lane of the chain that it continues.
  ///
  /// - Returns: `false` if there is no such chain.
  @_noLocks private mutating func continueChain(
    _ channel: UInt8, key: UInt8, velocity: UInt8, glideFrom: UInt8?, at frame: Int64
  ) -> Bool {
    let index = channels[Int(channel)].chain
    guard index >= 0 else { return false }
    let lane = lanes + Int(index)
    guard lane.pointee.isSounding, lane.pointee.isChain, lane.pointee.channel == channel,
      !lane.pointee.held.isEmpty, !lane.pointee.isFadingOut
    else {
      channels[Int(channel)].chain = -1
      return false
    }
    guard extend(lane, key: key, velocity: velocity, glideFrom: glideFrom, at: frame) else {
      channels[Int(channel)].chain = -1
      return false
    }
    statistics.legatoNotes += 1
    return true
  }

  /// Makes a note take over the voices of a held note whose key portamento control has set (MIDI 1.0,
  /// "Portamento Control").
  ///
  /// - Returns: `false` if there is no such note.
  @_noLocks private mutating func continueNote(
    _ channel: UInt8, key: UInt8, velocity: UInt8, glideFrom: UInt8, at frame: Int64
  ) -> Bool {
    var lane: UnsafeMutablePointer<Lane>?
    forEachLane(of: channel) { other in
      if other.pointee.held.contains(glideFrom), !other.pointee.isFadingOut { lane = other }
    }
    guard let lane,
      extend(lane, key: key, velocity: velocity, glideFrom: glideFrom, at: frame)
    else { return false }
    statistics.legatoNotes += 1
    return true
  }

  /// Plays a further note in a sounding lane.
  ///
  /// - Returns: `false` if the lane's note has ended by `frame`, so that it cannot be continued.
  @_noLocks private func extend(
    _ lane: UnsafeMutablePointer<Lane>, key: UInt8, velocity: UInt8, glideFrom: UInt8?,
    at frame: Int64
  ) -> Bool {
    guard renderUpTo(lane, to: frame) else { return false }
    lane.pointee.hasFurtherNotes = true
    logContinuation(of: lane, at: frame)
    if let glideFrom {
      send(.control(number: Controller.portamentoControl, value: glideFrom), to: lane, at: frame)
    }
    sendNote(.noteOn(key: key, velocity: velocity), to: lane, at: frame)
    lane.pointee.held.insert(key)
    lane.pointee.key = key
    return true
  }

  /// Releases sounding notes of the same key, because the key is struck again.
  ///
  /// - Returns: Whether the sostenuto pedal holds one of them; it then holds the new note too.
  @_noLocks private func endEqualNotes(_ channel: UInt8, key: UInt8, at frame: Int64) -> Bool {
    let isSostenutoDown = channels[Int(channel)].isDown(Controller.sostenuto)
    var sostenutoHeld = false
    forEachLane(of: channel) { lane in
      if lane.pointee.held.contains(key) {
        lane.pointee.held.remove(key)
        sendNote(.noteOff(key: key), to: lane, at: frame)
      } else if lane.pointee.key == key, lane.pointee.isSostenutoHeld, isSostenutoDown {
        sostenutoHeld = true
      }
    }
    return sostenutoHeld
  }

  /// Reads the exclusive class of the new note and chokes the channel's other notes of that class.
  @_noLocks private func choke(others lane: UnsafeMutablePointer<Lane>, at frame: Int64) {
    if !lane.pointee.head.isPlaying { readExclusiveClass(lane) }
    let exclusiveClass = lane.pointee.exclusiveClass
    guard exclusiveClass != 0 else { return }
    chokeLanes(of: lane.pointee.channel, exclusiveClass, but: lane, at: frame)
    chokeOverflow(of: lane.pointee.channel, exclusiveClass)
  }

  @_noLocks func chokeLanes(
    of channel: UInt8, _ exclusiveClass: Int32, but spared: UnsafeMutablePointer<Lane>?,
    at frame: Int64
  ) {
    forEachLane(of: channel) { other in
      guard other != spared, other.pointee.exclusiveClass == exclusiveClass else { return }
      send(.choke, to: other, at: frame)
      // Not choked again: FluidSynth also clears the class of a voice that it ends so.
      other.pointee.exclusiveClass = 0
      other.pointee.isFadingOut = true
      log?.end(other.pointee.note, .choked, at: frame)
    }
  }

  @_noLocks private func readExclusiveClass(_ lane: UnsafeMutablePointer<Lane>) {
    groups[Int(lane.pointee.group)].voiceList.forEach(of: lane.pointee.synth) { voice in
      if lane.pointee.exclusiveClass == 0 {
        lane.pointee.exclusiveClass = exclusiveClass(of: voice)
      }
    }
  }

  @_noLocks mutating func updatePeaks() {
    var voices = Int(overflow.pointee.voices)
    var sounding = 0
    for group in 0..<groupCount {
      sounding += groups[group].soundingCount
      voices += groups[group].voices
    }
    statistics.mostLanes = max(statistics.mostLanes, sounding)
    statistics.mostVoices = max(statistics.mostVoices, voices)
  }
}

extension Lane {
  /// Prepares an idle lane for a new note.
  @_noLocks mutating func begin(channel: UInt8, key: UInt8, at frame: Int64) {
    isSounding = true
    self.channel = channel
    self.key = key
    held.removeAll()
    held.insert(key)
    next = frame
    started = frame
    commandCount = 0
    isChain = false
    hasFurtherNotes = false
    isSostenutoHeld = false
    isFadingOut = false
    isCut = false
    exclusiveClass = 0
    wasAudible = false
    level = .infinity
    head = Playhead()
  }
}
