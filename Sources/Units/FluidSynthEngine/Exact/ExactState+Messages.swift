import CFluidSynth
import RenderCore

// Applies a message: first to the control synth, then to the channel state, then to the lanes.
extension ExactState {
  /// Handles a message of a MIDI channel: each part that plays the channel handles it.
  @_noLocks mutating func handle(_ message: ChannelMessage, at frame: Int64) {
    requestPresets(for: message)
    var parts = module.parts(playing: message.channel)
    if parts == 0, message.startsNote { countNote(message, at: frame) }
    var isFirst = true
    while parts != 0 {
      let part = UInt8(parts.trailingZeroBitCount)
      parts &= parts - 1
      handle(module.message(message, for: part), isFirst: isFirst, at: frame)
      isFirst = false
    }
  }

  /// Handles a message of a part.
  ///
  /// - Parameter isFirst: `false` if another part has handled the message, so that its note has been counted.
  @_noLocks mutating func handle(_ message: ChannelMessage, isFirst: Bool = true, at frame: Int64) {
    let channel = message.channel
    let state = channels + Int(channel)
    renderOverflow(upTo: frame)
    switch message.kind {
    case .noteOn where message.data2 > 0:
      noteOn(
        channel, key: message.data1, velocity: message.data2, isFirst: isFirst, at: frame)
    case .noteOn, .noteOff:
      noteOff(channel, key: message.data1, at: frame)
    case .controlChange:
      control(channel, number: message.data1, value: message.data2, at: frame)
      module.select(message, in: controlSynth)
    case .programChange:
      module.select(message, in: controlSynth)
      readPreset(channel)
    case .pitchBend:
      fluid_synth_pitch_bend(controlSynth, Int32(channel), Int32(message.bend))
      state.pointee.state.bend = Int32(message.bend)
      markChanged(channel)
      send(.bend(Int32(message.bend)), toChannel: channel, at: frame)
    case .channelPressure:
      state.pointee.state.pressure = message.data1
      fluid_synth_channel_pressure(controlSynth, Int32(channel), Int32(message.data1))
      markChanged(channel)
      send(.pressure(message.data1), toChannel: channel, at: frame)
    case .keyPressure:
      // Not part of the channel's revision: ``Lane/update(to:key:tunings:tables:)`` always
      // compares the pressure of its key.
      state.pointee.state.keyPressures[Int(message.data1)] = message.data2
      fluid_synth_key_pressure(
        controlSynth, Int32(channel), Int32(message.data1), Int32(message.data2))
      send(.keyPressure(key: message.data1, value: message.data2), toChannel: channel, at: frame)
    }
  }

  @_noLocks private mutating func control(
    _ channel: UInt8, number: UInt8, value: UInt8, at frame: Int64
  ) {
    // A disabled channel may control the mono group above it: the "global channel" of MIDI mode 4.
    let next = Int32(channel + 1) % 16
    let group = ChannelGroup(of: controlSynth, channel: next)
    var isAccepted = true
    if number != Controller.portamentoControl {
      isAccepted =
        fluid_synth_cc(controlSynth, Int32(channel), Int32(number), Int32(value)) == FLUID_OK
    }
    if channels[Int(channel)].isEnabled {
      applyController(channel, number: number, value: value, isAccepted: isAccepted, at: frame)
      return
    }
    guard group.basic == next, group.mode == Int32(FLUID_CHANNEL_MODE_OMNIOFF_MONO.rawValue)
    else { return }
    for member in group.basic..<min(group.basic + group.count, 16) {
      applyController(UInt8(member), number: number, value: value, isAccepted: true, at: frame)
    }
  }

  /// Applies a controller to a channel, after the control synth has received it.
  ///
  /// - Parameter isAccepted: Whether the control synth accepted the controller. It rejects a mode change on
  ///   a channel that is not the first of its group.
  @_noLocks private mutating func applyController(
    _ channel: UInt8, number: UInt8, value: UInt8, isAccepted: Bool, at frame: Int64
  ) {
    let state = channels + Int(channel)
    switch number {
    case Controller.resetAll:
      tuneControlSynth(channel)
      state.pointee.state.readAfterReset(controlSynth, channel: Int32(channel))
      markChanged(channel)
      send(.control(number: number, value: value), toChannel: channel, at: frame)
      lift(.sustain, channel)
      lift(.sostenuto, channel)
      logController(channel, number: number, value: value, at: frame)
    case Controller.allNotesOff, Controller.allSoundOff:
      endNotes(channel, by: number, at: frame)
    case 124...127:
      readModes(at: frame)
      if isAccepted { endNotes(ofGroupOf: channel, at: frame) }
    case _ where library.enters(data: number):
      trackDataEntry(channel, number: number, at: frame)
      synchronise(channel, at: frame)
      selectTuning(channel, at: frame)
    case Controller.portamentoControl:
      // For the next note only, which reads it.
      state.pointee.state.controllers[Int(number)] = value
    default:
      state.pointee.state.controllers[Int(number)] = value
      markChanged(channel)
      trackSwitches(channel, number: number, value: value)
      trackDataEntry(channel, number: number, at: frame)
      if Controller.reachesVoices(number) {
        send(.control(number: number, value: value), toChannel: channel, at: frame)
      }
      logController(channel, number: number, value: value, at: frame)
    }
  }

  /// Updates the engine's state of switch controllers: pedals, legato, portamento.
  @_noLocks private mutating func trackSwitches(_ channel: UInt8, number: UInt8, value: UInt8) {
    let state = channels + Int(channel)
    switch number {
    case Controller.sustain:
      if value < 64 { lift(.sustain, channel) }
    case Controller.sostenuto:
      if value < 64 { return lift(.sostenuto, channel) }
      forEachLane(of: channel) { lane in
        lane.pointee.isCaptured = lane.pointee.hold != .nothing
      }
    case Controller.legato:
      if value < 64, !state.pointee.isMonoMode { state.pointee.keys.keepLast() }
    case Controller.portamento: state.pointee.keys.endGlide(value >= 64)
    default: break
    }
  }

  /// Releases the notes that only a pedal holds.
  @_noLocks private func lift(_ pedal: Lane.Hold, _ channel: UInt8) {
    forEachLane(of: channel) { lane in
      if lane.pointee.hold == pedal { lane.pointee.hold = .nothing }
    }
  }

  @_noLocks private mutating func endNotes(_ channel: UInt8, by number: UInt8, at frame: Int64) {
    samples.release(channel, key: nil)
    channels[Int(channel)].forgetNotes()
    logEnd(channel, by: number, at: frame)
    send(.control(number: number, value: 0), toChannel: channel, at: frame)
    forEachLane(of: channel) { lane in
      if number == Controller.allSoundOff {
        lane.pointee.hold = .nothing
        lane.pointee.isEnded = true
      } else if lane.pointee.hold != .nothing {
        release(lane)
      }
    }
  }

  /// Ends the notes of all channels of the group that begins with `channel`. A mode change does so even if
  /// the mode stays the same (MIDI 1.0, "Channel Mode Messages").
  @_noLocks private mutating func endNotes(ofGroupOf channel: UInt8, at frame: Int64) {
    let group = ChannelGroup(of: controlSynth, channel: Int32(channel))
    guard group.basic == Int32(channel) else { return }
    for member in group.basic..<min(group.basic + group.count, 16) {
      endNotes(UInt8(member), by: Controller.allNotesOff, at: frame)
    }
  }

  /// Reads the channel state from the control synth after a message with effects that are hard to predict,
  /// and sends the differences to the lanes.
  @_noLocks mutating func synchronise(_ channel: UInt8, at frame: Int64) {
    let state = channels + Int(channel)
    var fresh = state.pointee.state
    fresh.read(from: controlSynth, channel: Int32(channel))
    for number in 0..<UInt8(120) where Controller.reachesVoices(number) {
      let value = fresh.controllers[Int(number)]
      if value != state.pointee.state.controllers[Int(number)], value < 128 {
        send(.control(number: number, value: value), toChannel: channel, at: frame)
      }
    }
    for generator in 0..<ChannelState.generatorCount
    where fresh.generators[generator] != state.pointee.state.generators[generator] {
      send(.generator(Int32(generator), fresh.generators[generator]), toChannel: channel, at: frame)
    }
    if fresh.bend != state.pointee.state.bend {
      send(.bend(fresh.bend), toChannel: channel, at: frame)
    }
    if fresh.entry.bendRange != state.pointee.state.entry.bendRange {
      send(.bendRange(fresh.entry.bendRange), toChannel: channel, at: frame)
    }
    fresh.controllers[Int(Controller.portamentoControl)] =
      state.pointee.state.controllers[Int(Controller.portamentoControl)]
    state.pointee.state = fresh
    markChanged(channel)
  }

  @_noLocks mutating func readPreset(_ channel: UInt8) {
    channels[Int(channel)].state.readPreset(from: controlSynth, channel: Int32(channel))
    markChanged(channel)
  }

  /// After an omni, mono or poly message: updates which channels are enabled and which are monophonic.
  ///
  /// Ends the notes of channels that become disabled, because no note-off will reach them. In FluidSynth
  /// such notes continue.
  @_noLocks mutating func readModes(at frame: Int64) {
    for channel in 0..<UInt8(16) {
      let group = ChannelGroup(of: controlSynth, channel: Int32(channel))
      let (isEnabled, isMono) = (group.basic >= 0, group.isMono)
      let state = channels + Int(channel)
      if state.pointee.isEnabled != isEnabled || state.pointee.isMonoMode != isMono {
        if !isEnabled {
          fluid_synth_all_notes_off(controlSynth, Int32(channel))
          // The channel will receive no pedal-up message either.
          send(.control(number: Controller.sustain, value: 0), toChannel: channel, at: frame)
          send(.control(number: Controller.sostenuto, value: 0), toChannel: channel, at: frame)
        }
        endNotes(channel, by: Controller.allNotesOff, at: frame)
        if !isEnabled { log?.silence(channel, at: frame) }
      }
      state.pointee.isEnabled = isEnabled
      state.pointee.isMonoMode = isMono
    }
    changedChannels = .max
  }
}
