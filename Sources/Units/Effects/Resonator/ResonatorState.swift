import CRender
import RenderCore
import Synchronization

/// The state of a resonator's render thread: the strings, their voices, and the channels' pedals and bends.
///
/// There are twice as many voices as notes that may sound at once, so that stolen voices can fade out.
///
/// Realtime: yes, except for creation.
struct ResonatorState: ~Copyable {
  /// The number of sounding notes at the end of the last cycle. Threads: any.
  let publishedVoices = Atomic<Int>(0)
  private var values: ParameterValues
  var settings: ResonatorSettings
  let voices: UnsafeMutablePointer<ResonatorVoice>
  /// The strings of the first voice, one per output channel, then those of the next voice.
  private let strings: UnsafeMutablePointer<ResonatorString>
  private var sound: ResonatorSound
  /// One bit per MIDI channel, set while its pedal is down.
  var pedals: UInt16 = 0
  /// The pitch bend of each MIDI channel in semitones.
  var bends = InlineArray<16, Double>(repeating: 0)
  /// The number of note-ons so far; the age of the voice that was struck last.
  var age = 0
  /// The length of every fade in frames: 5 ms.
  let fade: Int
  private let channels: ResonatorChannels

  /// The maximum number of notes that sound at once.
  static var polyphony: Int { @_noLocks get { 16 } }
  /// The number of voices, including those that fade out.
  private static var voiceCount: Int { @_noLocks get { 32 } }

  /// - Parameters:
  ///   - format: The format of input and output.
  ///   - values: The parameter values of the render thread.
  ///   - channels: Receives the current state of the MIDI channels and provides pending changes.
  init(
    _ format: Format, _ values: ParameterValues, _ channels: ResonatorChannels,
    in memory: RenderMemory
  ) {
    self.values = values
    self.channels = channels
    let sampleRate = Double(format.sampleRate)
    settings = ResonatorSettings(values, sampleRate: sampleRate)
    fade = Int(0.005 * sampleRate)
    sound = ResonatorSound(format, in: memory)
    voices = memory.make(Self.voiceCount, of: ResonatorVoice())
    let maximumDelay = Self.maximumDelay(key: 0, sampleRate: sampleRate)
    strings = memory.makeEach(Self.voiceCount * format.outputChannels) { _ in
      ResonatorString(maximumDelay: maximumDelay, in: memory)
    }
  }

  /// Returns the period of a key at maximum downward bend, plus the frames that interpolation reads beyond it.
  @_noLocks private static func maximumDelay(key: UInt8, sampleRate: Double) -> Int {
    let lowest = Double(key) - ResonatorState.bendRange
    let period = sampleRate / (440 * maths_exp2((lowest - 69) / 12))
    // Keys that are too high for the sample rate sound one or more octaves lower.
    return Int(max(period, 8)) + CubicTaps.reach
  }

  /// The range of the pitch bend in semitones, up and down.
  static var bendRange: Double { @_noLocks get { 2 } }

  @_noLocks mutating func render(_ cycle: RenderCycle) {
    if values.begin() { applySettings() }
    applyPendingChannels()
    sound.begin(cycle)
    var steps = CycleSteps(cycle)
    while let step = steps.next() {
      switch step {
      case .transport: break
      case .parameter(let change):
        values.apply(change)
        applySettings()
      case .event(let event): handle(event, cycle.midi)
      case .frames(let begin, let end): render(cycle, begin, end)
      }
    }
    values.publish()
    publishChannels()
    publishedVoices.store(soundingCount, ordering: .relaxed)
  }

  /// Renders frames without events. Parameters may be ramping.
  @_noLocks private mutating func render(_ cycle: RenderCycle, _ begin: Int, _ end: Int) {
    var frame = begin
    while frame < end {
      let isRamping = values.isRamping
      let until = isRamping ? frame + 1 : end
      renderVoices(frame, until)
      mix(cycle, frame, until)
      values.advance(frames: until - frame)
      if isRamping { applySettings() }
      frame = until
    }
  }

  @_noLocks private mutating func applyPendingChannels() {
    guard let change = channels.pendingChange() else { return }
    for channel in 0..<UInt8(16) {
      let (bend, isPedalDown) = channels.pending(Int(channel))
      self.bend(channel, to: bend)
      pedal(channel, isDown: isPedalDown)
    }
    // Published before it is acknowledged, so that other threads never read the old values again.
    publishChannels()
    channels.acknowledge(change)
  }

  @_noLocks private func publishChannels() {
    for channel in 0..<16 {
      channels.publish(
        channel, bend: bends[channel], isPedalDown: pedals >> UInt16(channel) & 1 == 1)
    }
  }

  @_noLocks private mutating func applySettings() {
    settings = ResonatorSettings(values, sampleRate: settings.sampleRate)
    for index in 0..<Self.voiceCount where voices[index].isSounding { tune(index) }
  }

  /// Makes a voice glide to the pitch of its key and bend, with the current settings.
  @_noLocks func tune(_ index: Int) {
    voices[index].tune(tuning(voices[index].key, voices[index].channel), frames: fade)
  }

  @_noLocks func tuning(_ key: UInt8, _ channel: UInt8) -> Tuning {
    Tuning(key: Double(key) + bends[Int(channel)], settings)
  }

  /// Silences a voice's strings.
  ///
  /// - Parameters:
  ///   - index: The voice.
  ///   - key: The key that it will play.
  @_noLocks private func resetStrings(of index: Int, key: UInt8) {
    let maximumDelay = Self.maximumDelay(key: key, sampleRate: settings.sampleRate)
    for channel in 0..<sound.channels {
      strings[index * sound.channels + channel].reset(maximumDelay: maximumDelay)
    }
  }

  /// The number of voices that belong to a note.
  private var soundingCount: Int {
    @_noLocks get {
      var count = 0
      for index in 0..<Self.voiceCount where voices[index].isSounding { count += 1 }
      return count
    }
  }

  @_noLocks private func renderVoices(_ begin: Int, _ end: Int) {
    for index in 0..<Self.voiceCount where !voices[index].is(.free) {
      voices[index].render(
        strings + index * sound.channels, sound, begin, end, damping: settings.damping)
    }
  }

  @_noLocks private func mix(_ cycle: RenderCycle, _ begin: Int, _ end: Int) {
    let (dry, wet) = (1 - settings.mix, settings.mix * settings.gain)
    for channel in 0..<sound.channels {
      let (strings, output) = (sound.output(channel), cycle.output[channel])
      let input = cycle.input[min(channel, cycle.input.count - 1)]
      for frame in begin..<end {
        // Without arithmetic, which would turn −0 into 0.
        output[frame] = wet == 0 ? input[frame] : input[frame] * dry + strings[frame] * wet
      }
    }
  }
}

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
