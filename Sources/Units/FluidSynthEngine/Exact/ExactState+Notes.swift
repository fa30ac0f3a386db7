import CFluidSynth

// What notes do to each other. In one synth FluidSynth sees to it; between lanes it is ours.
extension ExactState {
  @_noLocks mutating func noteOn(_ channel: UInt8, key: UInt8, velocity: UInt8, at frame: Int64) {
    statistics.notes += 1
    announceNote()
    guard channels[Int(channel)].isEnabled else {
      statistics.silentNotes += 1
      statistics.unmappedNotes += 1
      return
    }
    substitutions.check(controlSynth, channel: Int32(channel))
    if findSamples(channel, key: key, velocity: velocity) {
      beginNote(channel, key: key, velocity: velocity, at: frame)
    }
  }

  /// Begins a note whose samples are in memory.
  @_noLocks mutating func beginNote(
    _ channel: UInt8, key: UInt8, velocity: UInt8, at frame: Int64
  ) {
    let state = channels + Int(channel)
    let named = takePortamentoControl(channel)
    if state.pointee.isMono {
      if continueChain(channel, key: key, velocity: velocity, glideFrom: named, at: frame) {
        return
      }
    } else if let named,
      continueNote(channel, key: key, velocity: velocity, glideFrom: named, at: frame)
    {
      return
    }
    let glide = named ?? glideKey(channel)
    endInOverflow(before: key, on: channel)
    let caught = state.pointee.isMono ? false : endEqualNotes(channel, key: key, at: frame)
    startNote(
      channel, key: key, velocity: velocity, glideFrom: glide, caught: caught, at: frame)
    state.pointee.lastKey = key
    state.pointee.isLastKeyDown = true
    state.pointee.isLastKeyKept = false
  }

  @_noLocks mutating func noteOff(_ channel: UInt8, key: UInt8, at frame: Int64) {
    waiting.release(channel, key: key)
    releaseLastKey(channel, key: key)
    endInOverflow(channel, key: key)
    forEachLane(of: channel) { lane in
      guard lane.pointee.held.contains(key) else { return }
      lane.pointee.held.remove(key)
      tellNote(lane, .noteOff(key: key), at: frame)
    }
  }

  /// Wakes a lane at `frame` and starts the note in it.
  @_noLocks private mutating func startNote(
    _ channel: UInt8, key: UInt8, velocity: UInt8, glideFrom: UInt8?, caught: Bool,
    at frame: Int64
  ) {
    makeRoom(at: frame)
    let home = cache?.pointee.presentPool ?? -1
    var index = takeLane(for: channel, preferring: home)
    if index < 0 {
      // Lanes whose notes have ended within this cycle are not known yet.
      renderAll(until: frame)
      index = takeLane(for: channel, preferring: home)
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
    lane.pointee.stem = presentStem
    let isPlain = !isMono && glideFrom == nil && !caught
    if !(isPlain && playRecording(in: lane, velocity: velocity)) {
      wake(lane, velocity: velocity, glideFrom: glideFrom, caught: caught)
    }
    let pool = pools + Int(lane.pointee.pool)
    guard lane.pointee.voices > 0 else {
      statistics.silentNotes += 1
      statistics.unmappedNotes += 1
      lane.pointee.isSounding = false
      pool.pointee.addWaiting(index)
      return
    }
    pool.pointee.sounding[pool.pointee.soundingCount] = index
    pool.pointee.soundingCount += 1
    pool.pointee.voices += Int(lane.pointee.voices)
    if lane.pointee.head.isPlaying { pool.pointee.playedVoices += Int(lane.pointee.voices) }
    lane.pointee.isChain = isMono
    lane.pointee.isCaught = caught
    if isMono { state.pointee.chain = index }
    choke(others: lane, at: frame)
    if isPlain { record(lane, velocity: velocity) }
    count()
  }

  /// Tells a lane's synth what the channel was told, and starts the note in it.
  @_noLocks private func wake(
    _ lane: UnsafeMutablePointer<Lane>, velocity: UInt8, glideFrom: UInt8?, caught: Bool
  ) {
    let (channel, key) = (channels + Int(lane.pointee.channel), lane.pointee.key)
    lane.pointee.update(
      to: channel.pointee.state, revision: channel.pointee.revision, key: key, tunings: tunings,
      tables: tables)
    if channel.pointee.isMono, !channel.pointee.isDown(Controller.legato) {
      // In its lane a mono channel is one whose legato pedal is down: FluidSynth plays both alike.
      fluid_synth_cc(lane.pointee.synth, 0, Int32(Controller.legato), 127)
      lane.pointee.told.pointee.controllers[Int(Controller.legato)] = 127
      lane.pointee.toldRevision = 0
    }
    lane.pointee.startNote(key: key, velocity: velocity, glideFrom: glideFrom, caught: caught)
  }

  /// The key that the portamento controller named for the next note, if it did.
  @_noLocks private func takePortamentoControl(_ channel: UInt8) -> UInt8? {
    let state = channels[Int(channel)].state
    let key = state.pointee.controllers[Int(Controller.portamentoControl)]
    state.pointee.controllers[Int(Controller.portamentoControl)] = 255
    return key < 128 ? key : nil
  }

  /// Where the portamento pedal lets a note begin: at the last key, if that is still down or the library
  /// glides between separate notes too. Chains glide by themselves.
  @_noLocks private func glideKey(_ channel: UInt8) -> UInt8? {
    let state = channels + Int(channel)
    guard state.pointee.isDown(Controller.portamento) else { return nil }
    if state.pointee.isLastKeyKept { return state.pointee.lastKey }
    guard !state.pointee.isMono, state.pointee.isLastKeyDown else { return nil }
    return state.pointee.lastKey
  }

  /// The last key stays the one to glide from, where the library has it so and the pedal is down.
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

  /// Whether no key of a passage is down but this one.
  @_noLocks private func isLastOfChain(_ key: UInt8, _ channel: UInt8) -> Bool {
    let chain = channels[Int(channel)].chain
    guard chain >= 0 else { return false }
    var held = lanes[Int(chain)].held
    guard held.contains(key) else { return false }
    held.remove(key)
    return held.isEmpty
  }

  /// Plays a note in the lane of the chain it continues, if there is one.
  @_noLocks private mutating func continueChain(
    _ channel: UInt8, key: UInt8, velocity: UInt8, glideFrom: UInt8?, at frame: Int64
  ) -> Bool {
    let index = channels[Int(channel)].chain
    guard index >= 0 else { return false }
    let lane = lanes + Int(index)
    guard lane.pointee.isSounding, lane.pointee.isChain, lane.pointee.channel == channel,
      !lane.pointee.held.isEmpty, !lane.pointee.isDying
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

  /// Lets a note take over the voices of another that is still down, which the portamento controller
  /// named (MIDI 1.0, "Portamento Control").
  @_noLocks private mutating func continueNote(
    _ channel: UInt8, key: UInt8, velocity: UInt8, glideFrom: UInt8, at frame: Int64
  ) -> Bool {
    var lane: UnsafeMutablePointer<Lane>?
    forEachLane(of: channel) { other in
      if other.pointee.held.contains(glideFrom), !other.pointee.isDying { lane = other }
    }
    guard let lane,
      extend(lane, key: key, velocity: velocity, glideFrom: glideFrom, at: frame)
    else { return false }
    statistics.legatoNotes += 1
    return true
  }

  /// - Returns: Whether the lane plays on; if its last note has ended by `frame`, there is nothing to
  ///   go on from.
  @_noLocks private func extend(
    _ lane: UnsafeMutablePointer<Lane>, key: UInt8, velocity: UInt8, glideFrom: UInt8?,
    at frame: Int64
  ) -> Bool {
    guard renderUpTo(lane, to: frame) else { return false }
    lane.pointee.hasFurtherNotes = true
    if let glideFrom {
      tell(lane, .control(number: Controller.portamentoControl, value: glideFrom), at: frame)
    }
    tellNote(lane, .noteOn(key: key, velocity: velocity), at: frame)
    lane.pointee.held.insert(key)
    lane.pointee.key = key
    return true
  }

  /// Ends sounding notes of the same key, as a second stroke does.
  ///
  /// - Returns: Whether one of them is held by the sostenuto pedal, which then holds the new note too.
  @_noLocks private func endEqualNotes(_ channel: UInt8, key: UInt8, at frame: Int64) -> Bool {
    let isSostenutoDown = channels[Int(channel)].isDown(Controller.sostenuto)
    var caught = false
    forEachLane(of: channel) { lane in
      if lane.pointee.held.contains(key) {
        lane.pointee.held.remove(key)
        tellNote(lane, .noteOff(key: key), at: frame)
      } else if lane.pointee.key == key, lane.pointee.isCaught, isSostenutoDown {
        caught = true
      }
    }
    return caught
  }

  /// Reads the new note's exclusive class and ends the channel's other notes of that class.
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
      tell(other, .choke, at: frame)
      // Once is enough: FluidSynth, too, takes the class from a voice that it ends so.
      other.pointee.exclusiveClass = 0
      other.pointee.isDying = true
    }
  }

  @_noLocks private func readExclusiveClass(_ lane: UnsafeMutablePointer<Lane>) {
    let voiceList = pools[Int(lane.pointee.pool)].voiceList
    fluid_synth_get_voicelist(lane.pointee.synth, voiceList, Lane.polyphony + 1, -1)
    var i = 0
    while lane.pointee.exclusiveClass == 0, i < Int(Lane.polyphony), let voice = voiceList[i] {
      lane.pointee.exclusiveClass = Int32(
        fluid_voice_gen_get(voice, Int32(GEN_EXCLUSIVECLASS.rawValue)))
      i += 1
    }
  }

  @_noLocks mutating func count() {
    var voices = Int(overflow.pointee.voices)
    var sounding = 0
    for pool in 0..<poolCount {
      sounding += pools[pool].soundingCount
      voices += pools[pool].voices
    }
    statistics.mostLanes = max(statistics.mostLanes, sounding)
    statistics.mostVoices = max(statistics.mostVoices, voices)
  }
}

extension Lane {
  /// Takes a waiting lane into use.
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
    isCaught = false
    isDying = false
    isCut = false
    exclusiveClass = 0
    isHeard = false
    level = .infinity
    head = Playhead()
  }
}
