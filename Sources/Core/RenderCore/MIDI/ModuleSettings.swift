import CRender

/// The settings of a sound module that System Exclusive messages have made, apart from those that channel messages make as well.
///
/// Realtime: yes.
///
/// Source: as ``SystemExclusive``.
package struct ModuleSettings: BitwiseCopyable, Sendable {
  /// The settings of all parts.
  package private(set) var common = Common()
  private var parts = InlineArray<16, Part>(repeating: Part())
  /// One bit for each part that ``Part/isRhythm``.
  package private(set) var rhythmParts: UInt16 = 1 << 9
  /// For each MIDI channel, one bit for each part that plays it.
  private var receivers = InlineArray<16, UInt16>(repeating: 0)

  /// The settings of all parts.
  package struct Common: BitwiseCopyable, Sendable {
    /// The last reset; `nil` if there was none.
    package var system: SystemExclusive.System?
    package var master = Master()
    package var effects = EffectFactors()

    @_noLocks package init() {}
  }

  /// The last reset; `nil` if there was none.
  package var system: SystemExclusive.System? { @_noLocks get { common.system } }
  package var master: Master { @_noLocks get { common.master } }
  package var effects: EffectFactors { @_noLocks get { common.effects } }

  /// The settings of a part.
  package struct Part: BitwiseCopyable, Sendable {
    /// Semitones: −24…24.
    package var keyShift: Int8 = 0
    /// The MIDI channel that the part plays; 16 for none.
    package var channel: UInt8 = 0
    /// Cents.
    package var tuning: Float = 0
    /// Cents above equal temperament, from C to B: −64…63.
    package var scale = InlineArray<12, Int8>(repeating: 0)

    @_noLocks package init() {}

    @_noLocks package func isSame(as other: Part) -> Bool {
      keyShift == other.keyShift && channel == other.channel && tuning == other.tuning
        && hasScale(of: other)
    }

    @_noLocks package func hasScale(of other: Part) -> Bool {
      var differs: Int8 = 0
      for note in 0..<12 { differs |= scale[note] ^ other.scale[note] }
      return differs == 0
    }
  }

  /// The settings of all parts.
  package struct Master: BitwiseCopyable, Sendable {
    /// Positions of the controls: 0…1.
    package var volume: Float = 1
    package var attenuation: Float = 0
    /// −1 (left)…1 (right).
    package var balance: Float = 0
    /// Cents.
    package var tuning: Float = 0
    /// Semitones: −24…24.
    package var keyShift: Int8 = 0

    /// The linear gain of left and right: the square of the volume, as General MIDI 2 defines it for the volume of a
    /// channel, and linear balance.
    package var gain: SIMD2<Float> {
      @_noLocks get {
        let remaining = 1 - attenuation
        let gain = volume * volume * remaining * remaining
        return SIMD2(min(1, 1 - balance) * gain, min(1, 1 + balance) * gain)
      }
    }

    @_noLocks package func isSame(as other: Master) -> Bool {
      volume == other.volume && attenuation == other.attenuation && balance == other.balance
        && tuning == other.tuning && keyShift == other.keyShift
    }
  }

  /// Multiples of the initial values of the effects.
  package struct EffectFactors: BitwiseCopyable, Sendable {
    package var reverbTime: Float = 1
    package var reverbLevel: Float = 1
    package var chorusLevel: Float = 1
    package var chorusRate: Float = 1
    package var chorusDepth: Float = 1

    @_noLocks package init() {}

    @_noLocks package func isSame(as other: EffectFactors) -> Bool {
      reverbTime == other.reverbTime && reverbLevel == other.reverbLevel
        && chorusLevel == other.chorusLevel && chorusRate == other.chorusRate
        && chorusDepth == other.chorusDepth
    }
  }

  @_noLocks package init() {
    for part in 0..<16 {
      parts[part].channel = UInt8(part)
      receivers[part] = 1 << UInt16(part)
    }
  }

  @_noLocks package init(after system: SystemExclusive.System?) {
    self.init()
    common.system = system
  }

  /// A part, 0…15.
  package subscript(part: UInt8) -> Part { @_noLocks get { parts[Int(part & 15)] } }

  /// Restores what all parts have in common.
  @_noLocks package mutating func restore(_ common: Common) { self.common = common }

  /// Restores the settings of a part.
  @_noLocks package mutating func restore(_ part: Part, isRhythm: Bool, at index: UInt8) {
    setChannel(part.channel, of: Int(index & 15))
    parts[Int(index & 15)] = part
    setRhythm(isRhythm, of: index)
  }

  /// The parts that play a MIDI channel, one bit per part.
  @_noLocks package func parts(playing channel: UInt8) -> UInt16 { receivers[Int(channel & 15)] }

  /// Whether a part plays another channel than its own.
  package var routes: Bool {
    @_noLocks get {
      for part in 0..<16 where Int(parts[part].channel) != part { return true }
      return false
    }
  }

  @_noLocks package func isRhythm(_ part: UInt8) -> Bool {
    rhythmParts >> UInt16(part & 15) & 1 == 1
  }

  /// Whether `other` has the same settings.
  @_noLocks package func isSame(as other: ModuleSettings) -> Bool {
    guard Self.code(system) == Self.code(other.system), rhythmParts == other.rhythmParts,
      master.isSame(as: other.master), effects.isSame(as: other.effects)
    else { return false }
    for part in 0..<16 where !parts[part].isSame(as: other.parts[part]) { return false }
    return true
  }

  // Explicit because a synthesized operator cannot have the annotation.
  @_noLocks private static func code(_ system: SystemExclusive.System?) -> UInt8 {
    switch system {
    // GS is the initial system.
    case nil, .gs: 0
    case .gm: 1
    case .gm2: 2
    case .xg: 3
    }
  }

  /// Updates the settings. Has no effect for a meaning that has ``SystemExclusive/Meaning/message(_:in:)``, except for
  /// ``SystemExclusive/Meaning/rhythm(part:isRhythm:)``.
  @_noLocks package mutating func follow(_ meaning: SystemExclusive.Meaning) {
    switch meaning {
    case .reset(let system): self = ModuleSettings(after: system)
    case .leaveGM: common.system = nil
    case .masterVolume(let volume): common.master.volume = volume
    case .masterAttenuation(let attenuation): common.master.attenuation = attenuation
    case .masterBalance(let balance): common.master.balance = balance
    case .masterTuning(let cents): common.master.tuning = cents
    case .masterKeyShift(let semitones): common.master.keyShift = semitones
    case .rhythm(let part, let isRhythm):
      setRhythm(isRhythm, of: part)
    case .receiveChannel(let part, let channel): setChannel(channel ?? 16, of: Int(part))
    case .partKeyShift(let part, let semitones): parts[Int(part)].keyShift = semitones
    case .partTuning(let part, let cents): parts[Int(part)].tuning = cents
    case .scale(let part, let note, let cents): parts[Int(part)].scale[Int(note)] = cents
    case .reverbTime(let factor): common.effects.reverbTime = factor
    case .reverbLevel(let factor): common.effects.reverbLevel = factor
    case .chorusMotion(let rate, let depth):
      common.effects.chorusRate = rate
      common.effects.chorusDepth = depth
    case .chorusRate(let factor): common.effects.chorusRate = factor
    case .chorusDepth(let factor): common.effects.chorusDepth = factor
    case .chorusLevel(let factor): common.effects.chorusLevel = factor
    case .controller, .program, .bendRange, .mono, .tuning, .nothing: break
    }
  }

  @_noLocks private mutating func setRhythm(_ isRhythm: Bool, of part: UInt8) {
    let bit: UInt16 = 1 << UInt16(part & 15)
    rhythmParts = isRhythm ? rhythmParts | bit : rhythmParts & ~bit
  }

  @_noLocks private mutating func setChannel(_ channel: UInt8, of part: Int) {
    let bit: UInt16 = 1 << UInt16(part)
    if parts[part].channel < 16 { receivers[Int(parts[part].channel)] &= ~bit }
    parts[part].channel = channel
    if channel < 16 { receivers[Int(channel)] |= bit }
  }
}

extension SystemExclusive.System {
  /// The value of controller 0 that selects rhythm sounds; `nil` if ``ModuleSettings/rhythmParts`` does.
  package var rhythmBank: UInt8? {
    @_noLocks get {
      switch self {
      case .xg: 127
      case .gm2: 120
      case .gm, .gs: nil
      }
    }
  }
}

extension SystemExclusive.Meaning {
  /// Returns the channel messages with the same meaning, whose channel is the part, one after the other.
  ///
  /// - Parameters:
  ///   - index: Counts from 0.
  ///   - system: The last reset.
  /// - Returns: `nil` after the last message.
  @_noLocks package func message(
    _ index: Int, in system: SystemExclusive.System?
  ) -> ChannelMessage? {
    @_noLocks func control(_ part: UInt8, _ number: UInt8, _ value: UInt8) -> ChannelMessage {
      ChannelMessage(.controlChange, channel: part, number, value)
    }
    switch (self, index) {
    case (.controller(let part, let number, let value), 0): return control(part, number, value)
    case (.program(let part, .some(let bank), _), 0): return control(part, 0, bank)
    case (.program(let part, nil, let program), 0), (.program(let part, .some, let program), 1):
      return ChannelMessage(.programChange, channel: part, program)
    // A part that changes between rhythm and melody begins with the first program, as in FluidSynth.
    case (.rhythm(let part, let isRhythm), 0):
      return control(part, 0, isRhythm ? system?.rhythmBank ?? 0 : 0)
    case (.rhythm(let part, _), 1): return control(part, 32, 0)
    case (.rhythm(let part, _), 2): return ChannelMessage(.programChange, channel: part, 0)
    case (.bendRange(let part, _), 0): return control(part, 101, 0)
    case (.bendRange(let part, _), 1): return control(part, 100, 0)
    case (.bendRange(let part, let semitones), 2): return control(part, 6, semitones)
    case (.bendRange(let part, _), 3): return control(part, 38, 0)
    case (.bendRange(let part, _), 4): return control(part, 101, 127)
    case (.bendRange(let part, _), 5): return control(part, 100, 127)
    case (.mono(let part, let isMono), 0): return control(part, isMono ? 126 : 127, isMono ? 1 : 0)
    default: return nil
    }
  }
}

// The messages that restore settings.
extension ModuleSettings {
  /// The number of ``message(_:)``s.
  package static var messageCount: Int { @_noLocks get { commonCount + 16 * 4 } }
  private static var commonCount: Int { @_noLocks get { 11 } }

  /// Returns one of the System Exclusive messages that bring any module to these settings, except for the channels that
  /// parts play: see ``routing(_:)``. The first resets it.
  ///
  /// - Parameter index: From 0, in the order in which the messages act.
  /// - Returns: `nil` if the reset sets this setting.
  @_noLocks package func message(_ index: Int) -> ShortSysEx? {
    let initial = ModuleSettings()
    switch index {
    case 0: return reset
    case 1:
      if master.volume == initial.master.volume { return nil }
      let value = Int(maths_round(master.volume * Float(127 << 7)))
      return ShortSysEx(0x7F, 0x7F, 0x04, 0x01, UInt8(value & 127), UInt8(value >> 7))
    case 2:
      if master.attenuation == initial.master.attenuation { return nil }
      return ShortSysEx(
        0x43, 0x10, 0x4C, 0x00, 0x00, 0x05, UInt8(maths_round(master.attenuation * 127)))
    case 3: return master.balance == initial.master.balance ? nil : balance
    case 4: return master.tuning == initial.master.tuning ? nil : tuning
    case 5:
      if master.keyShift == initial.master.keyShift { return nil }
      return .gs(0x00, 0x05) { $0.append(Self.shift(master.keyShift)) }
    case 6..<Self.commonCount: return effect(index - 6)
    default:
      let index = index - Self.commonCount
      return message(index % 4, ofPart: UInt8(index / 4))
    }
  }

  /// Returns the message that makes a part, 0…15, play another channel than its own; `nil` if it plays its own.
  @_noLocks package func routing(_ part: UInt8) -> ShortSysEx? {
    if self[part].channel == part { return nil }
    return .gs(Self.block(part), 0x02) { $0.append(self[part].channel) }
  }

  private var reset: ShortSysEx {
    @_noLocks get {
      switch system {
      case .gm: ShortSysEx(0x7E, 0x7F, 0x09, 0x01)
      case .gm2: ShortSysEx(0x7E, 0x7F, 0x09, 0x03)
      case .xg: ShortSysEx(0x43, 0x10, 0x4C, 0x00, 0x00, 0x7E, 0x00)
      case nil, .gs: .gs(0x00, 0x7F) { $0.append(0) }
      }
    }
  }

  /// By GS if that has the exact value, otherwise by the universal message.
  private var balance: ShortSysEx {
    @_noLocks get {
      let coarse = maths_round(master.balance * 63)
      if coarse / 63 == master.balance { return .gs(0x00, 0x06) { $0.append(UInt8(64 + coarse)) } }
      let value = Int(maths_round(master.balance * 8191)) + 8192
      return ShortSysEx(0x7F, 0x7F, 0x04, 0x02, UInt8(value & 127), UInt8(value >> 7))
    }
  }

  private var tuning: ShortSysEx {
    @_noLocks get {
      let steps = Int(maths_round(master.tuning * 10))
      if Float(steps) / 10 == master.tuning {
        return .gs(0x00, 0x00) { $0.append(nibblesOf: steps + 0x400, count: 4) }
      }
      let value = Int(maths_round(master.tuning * 81.91)) + 8192
      return ShortSysEx(0x7F, 0x7F, 0x04, 0x03, UInt8(value & 127), UInt8(value >> 7))
    }
  }

  @_noLocks private func effect(_ index: Int) -> ShortSysEx? {
    let initial = EffectFactors()
    switch index {
    case 0:
      if effects.reverbTime == initial.reverbTime { return nil }
      if effects.reverbTime == 0 {
        return ShortSysEx(0x43, 0x10, 0x4C, 0x02, 0x01, 0x00, 0x00, 0x00)
      }
      let steps = maths_log2(Double(effects.reverbTime)) / 0.036_067_376_022_224_1
      return Self.effect(0x34, 64 + Float(steps))
    case 1:
      if effects.reverbLevel == initial.reverbLevel { return nil }
      return Self.effect(0x33, effects.reverbLevel * 64)
    case 2:
      if effects.chorusLevel == initial.chorusLevel { return nil }
      return Self.effect(0x3A, effects.chorusLevel * 64)
    case 3:
      if effects.chorusRate == initial.chorusRate { return nil }
      return Self.effect(0x3D, effects.chorusRate * 3)
    default:
      if effects.chorusDepth == initial.chorusDepth { return nil }
      return Self.effect(0x3E, effects.chorusDepth * 20 - 1)
    }
  }

  @_noLocks private func message(_ index: Int, ofPart number: UInt8) -> ShortSysEx? {
    let initial = ModuleSettings()
    let part = self[number]
    let block = Self.block(number)
    switch index {
    case 0:
      if isRhythm(number) == initial.isRhythm(number) { return nil }
      return .gs(block, 0x15) { $0.append(isRhythm(number) ? 1 : 0) }
    case 1:
      if part.keyShift == initial[number].keyShift { return nil }
      return .gs(block, 0x16) { $0.append(Self.shift(part.keyShift)) }
    case 2:
      if part.tuning == initial[number].tuning { return nil }
      let steps = Int(maths_round(part.tuning / 0.39345))
      if Float(steps) * 0.39345 == part.tuning {
        return .gs(block, 0x17) { $0.append(nibblesOf: steps + 0x80, count: 2) }
      }
      let value = Int(maths_round(part.tuning * 81.91)) + 8192
      return .gs(block, 0x2A) {
        $0.append(UInt8(value >> 7))
        $0.append(UInt8(value & 127))
      }
    default:
      if part.hasScale(of: initial[number]) { return nil }
      return .gs(block, 0x40) {
        for note in 0..<12 { $0.append(UInt8(64 + Int(part.scale[note]))) }
      }
    }
  }

  @_noLocks private static func block(_ part: UInt8) -> UInt8 {
    0x10 | (part == 9 ? 0 : part < 9 ? part + 1 : part)
  }

  @_noLocks private static func effect(_ address: UInt8, _ value: Float) -> ShortSysEx {
    .gs(0x01, address) { $0.append(UInt8(max(0, min(127, maths_round(value))))) }
  }

  @_noLocks private static func shift(_ semitones: Int8) -> UInt8 { UInt8(64 + Int(semitones)) }
}
