import RenderCore

extension ResonatorState {
  @_noLocks mutating func handle(_ event: MIDIEvent, _ cycle: MIDICycle) {
    switch event.content {
    case .channel(let message): handle(message)
    case .sysEx(let start, let count):
      let bytes = cycle.sysEx[Int(start)..<Int(start) + Int(count)]
      if SystemExclusive.resets(UnsafeBufferPointer(rebasing: bytes)) { reset() }
    case .system: break
    }
  }

  @_noLocks private mutating func handle(_ message: ChannelMessage) {
    if message.startsNote {
      strike(message)
    } else if message.endsNote {
      releaseKey(message.channel, message.data1)
    } else if message.kind == .controlChange {
      control(message)
    } else if message.kind == .pitchBend {
      bend(message.channel, to: (Double(message.bend) - 8192) / 8192 * Self.bendRange)
    }
  }

  @_noLocks private mutating func control(_ message: ChannelMessage) {
    switch message.data1 {
    case 64: pedal(message.channel, isDown: message.data2 >= 64)
    case 120: silence(message.channel)
    case 121:
      pedal(message.channel, isDown: false)
      bend(message.channel, to: 0)
    case 123...127: releaseAllKeys(message.channel)
    default: break
    }
  }

  @_noLocks private mutating func strike(_ message: ChannelMessage) {
    age += 1
    let index = voice(message.channel, message.data1)
    voices[index].strike(velocity: message.data2, age: age, frames: fade)
  }

  /// Returns the voice for a note: the one that plays the key, or a reset voice.
  @_noLocks private mutating func voice(_ channel: UInt8, _ key: UInt8) -> Int {
    for index in 0..<Self.voiceCount where voices[index].isSounding {
      if voices[index].channel == channel && voices[index].key == key { return index }
    }
    if soundingCount == Self.polyphony { voices[oldest].fadeOut(frames: fade) }
    let index = quietest
    resetStrings(of: index, key: key)
    voices[index].begin(channel: channel, key: key, tuning(key, channel))
    return index
  }

  /// The index of the sounding voice that was struck first; −1 if none sounds.
  private var oldest: Int {
    @_noLocks get {
      var oldest = -1
      for index in 0..<Self.voiceCount where voices[index].isSounding {
        if oldest < 0 || voices[index].age < voices[oldest].age { oldest = index }
      }
      return oldest
    }
  }

  /// The index of a free voice; if there is none, of the fading voice with the lowest level.
  private var quietest: Int {
    @_noLocks get {
      var quietest = -1
      for index in 0..<Self.voiceCount where !voices[index].isSounding {
        if voices[index].is(.free) { return index }
        if quietest < 0 || voices[index].loudness < voices[quietest].loudness { quietest = index }
      }
      return quietest
    }
  }

  @_noLocks private func releaseKey(_ channel: UInt8, _ key: UInt8) {
    for index in 0..<Self.voiceCount where voices[index].is(.held) {
      if voices[index].channel == channel && voices[index].key == key { releaseKey(index) }
    }
  }

  @_noLocks private func releaseAllKeys(_ channel: UInt8) {
    for index in 0..<Self.voiceCount where voices[index].is(.held) {
      if voices[index].channel == channel { releaseKey(index) }
    }
  }

  @_noLocks private func releaseKey(_ index: Int) {
    if pedals >> UInt16(voices[index].channel) & 1 == 1 {
      voices[index].sustain()
    } else {
      voices[index].release(frames: fade)
    }
  }

  @_noLocks mutating func pedal(_ channel: UInt8, isDown: Bool) {
    let bit = UInt16(1) << UInt16(channel)
    pedals = isDown ? pedals | bit : pedals & ~bit
    if isDown { return }
    for index in 0..<Self.voiceCount where voices[index].is(.sustained) {
      if voices[index].channel == channel { voices[index].release(frames: fade) }
    }
  }

  @_noLocks mutating func bend(_ channel: UInt8, to semitones: Double) {
    bends[Int(channel)] = semitones
    for index in 0..<Self.voiceCount where voices[index].isSounding {
      if voices[index].channel == channel { tune(index) }
    }
  }

  @_noLocks private func silence(_ channel: UInt8) {
    for index in 0..<Self.voiceCount where voices[index].isSounding {
      if voices[index].channel == channel { voices[index].fadeOut(frames: fade) }
    }
  }

  @_noLocks private mutating func reset() {
    for channel in 0..<UInt8(16) {
      pedal(channel, isDown: false)
      bend(channel, to: 0)
      releaseAllKeys(channel)
    }
  }
}
