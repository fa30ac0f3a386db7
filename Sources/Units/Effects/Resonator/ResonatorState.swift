import CRender
import RenderCore
import Synchronization

/// All that the render thread works on: the strings, which of them sound, and the channels' pedals and bends.
///
/// There are twice as many strings as may sound at once, so that those that give their places away can fade.
///
/// Realtime: yes, apart from making and destroying it.
struct ResonatorState: BitwiseCopyable {
  private var values: ParameterValues
  var settings: ResonatorSettings
  let voices: UnsafeMutablePointer<ResonatorVoice>
  /// Those of the first voice, one per channel; then those of the next.
  private let strings: UnsafeMutablePointer<ResonatorString>
  private var sound: ResonatorSound
  /// A bit per MIDI channel.
  var pedals: UInt16 = 0
  /// In semitones.
  var bends = InlineArray<16, Double>(repeating: 0)
  /// Of the note that was struck last.
  var age = 0
  /// Frames of every fade: 5 ms.
  let fade: Int
  private let publishedVoices: UnsafeMutablePointer<Atomic<Int>>
  private let channels: ResonatorChannels

  /// Notes that may sound at once.
  static var polyphony: Int { @_noLocks get { 16 } }
  /// Strings per channel.
  static var voiceCount: Int { @_noLocks get { 32 } }

  /// - Parameters:
  ///   - channels: Gets what the channels are told, and says what they are to become.
  ///   - publishedVoices: Gets how many notes sound.
  init(
    _ format: Format, _ values: ParameterValues, _ channels: ResonatorChannels,
    publishedVoices: UnsafeMutablePointer<Atomic<Int>>
  ) {
    self.values = values
    self.channels = channels
    self.publishedVoices = publishedVoices
    let sampleRate = Double(format.sampleRate)
    settings = ResonatorSettings(values, sampleRate: sampleRate)
    fade = Int(0.005 * sampleRate)
    sound = ResonatorSound(format)
    voices = .allocate(capacity: Self.voiceCount)
    voices.initialize(repeating: ResonatorVoice(), count: Self.voiceCount)
    strings = .allocate(capacity: Self.voiceCount * format.channels)
    let longest = Self.longestPeriod(key: 0, sampleRate: sampleRate)
    for index in 0..<Self.voiceCount * format.channels {
      (strings + index).initialize(to: ResonatorString(longest: longest))
    }
  }

  func destroy() {
    for index in 0..<Self.voiceCount * sound.channels { strings[index].destroy() }
    strings.deallocate()
    voices.deallocate()
    sound.destroy()
  }

  /// Frames of a key's period when it is bent down, and a few that are read around it.
  @_noLocks private static func longestPeriod(key: UInt8, sampleRate: Double) -> Int {
    let lowest = Double(key) - ResonatorState.bendRange
    let period = sampleRate / (440 * maths_exp2((lowest - 69) / 12))
    // A key that is too high for the rate rings octaves lower.
    return Int(max(period, 8)) + CubicTaps.reach
  }

  /// In semitones, either way.
  static var bendRange: Double { @_noLocks get { 2 } }

  @_noLocks mutating func render(_ cycle: RenderCycle) {
    if values.begin() { applySettings() }
    takeOverChannels()
    sound.begin(cycle)
    var walk = CycleSteps(cycle)
    while let step = walk.next() {
      switch step {
      case .transport: break
      case .parameter(let change):
        values.apply(change)
        applySettings()
      case .event(let event): follow(event, cycle.midi)
      case .frames(let begin, let end): render(cycle, begin, end)
      }
    }
    values.publish()
    publishChannels()
    publishedVoices.pointee.store(soundingCount, ordering: .relaxed)
  }

  /// Frames in which nothing happens, though parameters may be on their way.
  @_noLocks private mutating func render(_ cycle: RenderCycle, _ begin: Int, _ end: Int) {
    var place = begin
    while place < end {
      let isRamping = values.isRamping
      let until = isRamping ? place + 1 : end
      ring(place, until)
      mix(cycle, place, until)
      values.advance(frames: until - place)
      if isRamping { applySettings() }
      place = until
    }
  }

  @_noLocks private mutating func takeOverChannels() {
    guard let news = channels.news() else { return }
    for channel in 0..<UInt8(16) {
      let (bend, isPedalDown) = channels.wanted(Int(channel))
      self.bend(channel, to: bend)
      pedal(channel, isDown: isPedalDown)
    }
    // Before it counts as taken over, so that others do not find the old channels once more.
    publishChannels()
    channels.take(news)
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

  /// Lets a voice glide to where parameters and bend want it.
  @_noLocks func tune(_ index: Int) {
    voices[index].tune(tuning(voices[index].key, voices[index].channel), frames: fade)
  }

  @_noLocks func tuning(_ key: UInt8, _ channel: UInt8) -> Tuning {
    Tuning(key: Double(key) + bends[Int(channel)], settings)
  }

  /// Brings a voice's strings to rest.
  @_noLocks func rest(_ index: Int, key: UInt8) {
    let longest = Self.longestPeriod(key: key, sampleRate: settings.sampleRate)
    for channel in 0..<sound.channels {
      strings[index * sound.channels + channel].rest(longest: longest)
    }
  }

  var soundingCount: Int {
    @_noLocks get {
      var count = 0
      for index in 0..<Self.voiceCount where voices[index].isSounding { count += 1 }
      return count
    }
  }

  @_noLocks private func ring(_ begin: Int, _ end: Int) {
    for index in 0..<Self.voiceCount where !voices[index].is(.free) {
      voices[index].ring(
        strings + index * sound.channels, sound, begin, end, damping: settings.damping)
    }
  }

  @_noLocks private func mix(_ cycle: RenderCycle, _ begin: Int, _ end: Int) {
    let (dry, wet) = (1 - settings.mix, settings.mix * settings.gain)
    for channel in 0..<sound.channels {
      let (strings, output) = (sound.output(channel), cycle.output[channel])
      let input = cycle.input[min(channel, cycle.input.count - 1)]
      for frame in begin..<end {
        // Not by multiplication, which would make 0 of −0.
        output[frame] = wet == 0 ? input[frame] : input[frame] * dry + strings[frame] * wet
      }
    }
  }
}
