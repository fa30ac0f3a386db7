import CFluidSynth
import RenderCore

// What a message changes: first in the director, then in the channel's state, then in the lanes.
extension ExactState {
  @_noLocks mutating func handle(_ message: ChannelMessage, at frame: Int64) {
    let channel = message.channel
    let state = channels[Int(channel)].state
    bringUpOverflow(to: frame)
    if tables.isShared { presetSupply.pointee.ask(for: message) }
    switch message.kind {
    case .noteOn where message.data2 > 0:
      noteOn(channel, key: message.data1, velocity: message.data2, at: frame)
    case .noteOn, .noteOff:
      noteOff(channel, key: message.data1, at: frame)
    case .controlChange:
      control(channel, number: message.data1, value: message.data2, at: frame)
    case .programChange:
      fluid_synth_program_change(controlSynth, Int32(channel), Int32(message.data1))
      readPreset(channel)
    case .pitchBend:
      fluid_synth_pitch_bend(controlSynth, Int32(channel), Int32(message.bend))
      state.pointee.bend = Int32(message.bend)
      touch(channel)
      tellAll(channel, .bend(Int32(message.bend)), at: frame)
    case .channelPressure:
      state.pointee.pressure = message.data1
      fluid_synth_channel_pressure(controlSynth, Int32(channel), Int32(message.data1))
      touch(channel)
      tellAll(channel, .pressure(message.data1), at: frame)
    case .keyPressure:
      // Told to a waking lane whatever its revision: one key is soon compared.
      state.pointee.keyPressures[Int(message.data1)] = message.data2
      fluid_synth_key_pressure(
        controlSynth, Int32(channel), Int32(message.data1), Int32(message.data2))
      tellAll(channel, .keyPressure(key: message.data1, value: message.data2), at: frame)
    }
  }

  @_noLocks private mutating func control(
    _ channel: UInt8, number: UInt8, value: UInt8, at frame: Int64
  ) {
    // A channel that is shut may speak for the mono group above it: the "global channel" of MIDI's mode 4.
    let next = Int32(channel + 1) % 16
    let group = ChannelGroup(of: controlSynth, channel: next)
    var isTaken = true
    if number != Controller.portamentoControl {
      isTaken =
        fluid_synth_cc(controlSynth, Int32(channel), Int32(number), Int32(value)) == FLUID_OK
    }
    if channels[Int(channel)].isEnabled {
      follow(channel, number: number, value: value, isTaken: isTaken, at: frame)
      return
    }
    guard group.basic == next, group.mode == Int32(FLUID_CHANNEL_MODE_OMNIOFF_MONO.rawValue)
    else { return }
    for member in group.basic..<min(group.basic + group.count, 16) {
      follow(UInt8(member), number: number, value: value, isTaken: true, at: frame)
    }
  }

  /// What a controller that the director has taken changes in a channel.
  ///
  /// - Parameter isTaken: Whether the director did; it refuses a change of mode on a channel that is not the
  ///   first of its group.
  @_noLocks private mutating func follow(
    _ channel: UInt8, number: UInt8, value: UInt8, isTaken: Bool, at frame: Int64
  ) {
    let state = channels + Int(channel)
    switch number {
    case Controller.resetAll:
      tuneDirector(channel)
      state.pointee.state.pointee.readAfterReset(controlSynth, channel: Int32(channel))
      touch(channel)
      tellAll(channel, .control(number: number, value: value), at: frame)
      resetSwitches(channel, at: frame)
    case Controller.allNotesOff, Controller.allSoundOff:
      endNotes(channel, by: number, at: frame)
    case 124...127:
      readModes(at: frame)
      if isTaken { endNotes(ofGroupOf: channel, at: frame) }
    case _ where library.enters(data: number):
      followEntry(channel, number: number, at: frame)
      synchronise(channel, at: frame)
      selectTuning(channel, at: frame)
    case Controller.portamentoControl:
      // Meant for the next note alone, which will fetch it.
      state.pointee.state.pointee.controllers[Int(number)] = value
    default:
      state.pointee.state.pointee.controllers[Int(number)] = value
      touch(channel)
      followSwitches(channel, number: number, value: value)
      followEntry(channel, number: number, at: frame)
      // The lanes of a mono channel have that pedal down; see ``wake``.
      if !Controller.isSilent(number), number != Controller.legato || !state.pointee.isMonoMode {
        tellAll(channel, .control(number: number, value: value), at: frame)
      }
    }
  }

  /// Keeps what the engine itself must know of switches: pedals, legato, portamento.
  @_noLocks private mutating func followSwitches(_ channel: UInt8, number: UInt8, value: UInt8) {
    let state = channels + Int(channel)
    switch number {
    case Controller.sostenuto:
      forEachLane(of: channel) { lane in
        lane.pointee.isCaught = value >= 64 && !lane.pointee.held.isEmpty
      }
    case Controller.legato:
      if state.pointee.isMonoMode { break }
      state.pointee.chain = -1
      if value >= 64, state.pointee.isLastKeyDown { chainLastNote(channel) }
    case Controller.portamento:
      if value < 64 { state.pointee.isLastKeyKept = false }
    default: break
    }
  }

  /// After the reset of all controllers: pedals are up, but a mono mode stays.
  @_noLocks private mutating func resetSwitches(_ channel: UInt8, at frame: Int64) {
    let state = channels + Int(channel)
    forEachLane(of: channel) { lane in lane.pointee.isCaught = false }
    state.pointee.isLastKeyKept = false
    if state.pointee.isMonoMode {
      tellAll(channel, .control(number: Controller.legato, value: 127), at: frame)
    } else {
      state.pointee.chain = -1
    }
  }

  /// The legato pedal makes the last note, if its key is down, the first of a chain.
  @_noLocks private func chainLastNote(_ channel: UInt8) {
    let state = channels + Int(channel)
    forEachLane(of: channel) { lane in
      guard lane.pointee.held.contains(state.pointee.lastKey) else { return }
      lane.pointee.isChain = true
      state.pointee.chain = Int32(lane - lanes)
    }
  }

  @_noLocks private mutating func endNotes(_ channel: UInt8, by number: UInt8, at frame: Int64) {
    waiting.release(channel, key: nil)
    channels[Int(channel)].chain = -1
    channels[Int(channel)].isLastKeyDown = false
    channels[Int(channel)].overflowHeld.removeAll()
    tellAll(channel, .control(number: number, value: 0), at: frame)
    forEachLane(of: channel) { lane in lane.pointee.held.removeAll() }
  }

  /// Ends the notes of all channels that a channel is the first of, as a change of mode does even where the
  /// mode stays the same (MIDI 1.0, "Channel Mode Messages").
  @_noLocks private mutating func endNotes(ofGroupOf channel: UInt8, at frame: Int64) {
    let group = ChannelGroup(of: controlSynth, channel: Int32(channel))
    guard group.basic == Int32(channel) else { return }
    for member in group.basic..<min(group.basic + group.count, 16) {
      endNotes(UInt8(member), by: Controller.allNotesOff, at: frame)
    }
  }

  /// Reads from the director what a message of effects hard to foresee has changed, and passes it on.
  @_noLocks mutating func synchronise(_ channel: UInt8, at frame: Int64) {
    let state = channels[Int(channel)].state
    var fresh = state.pointee
    fresh.read(from: controlSynth, channel: Int32(channel))
    for number in 0..<UInt8(120) where !Controller.isSilent(number) {
      let value = fresh.controllers[Int(number)]
      if value != state.pointee.controllers[Int(number)], value < 128 {
        tellAll(channel, .control(number: number, value: value), at: frame)
      }
    }
    for generator in 0..<ChannelState.generatorCount
    where fresh.generators[generator] != state.pointee.generators[generator] {
      tellAll(channel, .generator(Int32(generator), fresh.generators[generator]), at: frame)
    }
    if fresh.bend != state.pointee.bend { tellAll(channel, .bend(fresh.bend), at: frame) }
    if fresh.bendRange != state.pointee.bendRange {
      tellAll(channel, .bendRange(fresh.bendRange), at: frame)
    }
    fresh.controllers[Int(Controller.portamentoControl)] =
      state.pointee.controllers[Int(Controller.portamentoControl)]
    state.pointee = fresh
    touch(channel)
  }

  @_noLocks mutating func readPreset(_ channel: UInt8) {
    channels[Int(channel)].state.pointee.preset = PresetNumber(
      playedBy: controlSynth, channel: Int32(channel))
    touch(channel)
  }

  /// After an omni, mono or poly message: which channels receive, and which are monophonic. Notes of
  /// channels that are shut end, for no note-off will reach them any more; in FluidSynth they play on.
  @_noLocks mutating func readModes(at frame: Int64) {
    for channel in 0..<UInt8(16) {
      var basic: Int32 = -1
      var mode: Int32 = 0
      var count: Int32 = 0
      fluid_synth_get_basic_channel(controlSynth, Int32(channel), &basic, &mode, &count)
      // A channel in no group is shut, and has no basic channel.
      let isEnabled = basic >= 0
      let isMono = isEnabled && mode & Int32(FLUID_CHANNEL_POLY_OFF.rawValue) != 0
      let state = channels + Int(channel)
      if state.pointee.isEnabled != isEnabled || state.pointee.isMonoMode != isMono {
        if !isEnabled {
          fluid_synth_all_notes_off(controlSynth, Int32(channel))
          // Nor will a pedal be lifted.
          tellAll(channel, .control(number: Controller.sustain, value: 0), at: frame)
          tellAll(channel, .control(number: Controller.sostenuto, value: 0), at: frame)
        }
        endNotes(channel, by: Controller.allNotesOff, at: frame)
      }
      state.pointee.isEnabled = isEnabled
      state.pointee.isMonoMode = isMono
    }
    touched = .max
  }
}
