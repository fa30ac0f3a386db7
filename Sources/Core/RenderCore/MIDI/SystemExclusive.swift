import CRender

/// Reads what a System Exclusive message of General MIDI, GS or XG asks for.
///
/// One message can write several parameters that follow each other, so the meanings are read one by one:
///
/// ```swift
/// var message = SystemExclusive(bytes)
/// while let meaning = message.next() { … }
/// ```
///
/// Any device ID is accepted, because a file cannot know the ID of the module that will play it. A Roland message with a
/// wrong checksum is accepted too: published files have them, and ``hasWrongChecksum`` reports it.
///
/// Realtime: yes. Threads: any; the bytes must stay valid.
///
/// Source: *MIDI 1.0 Detailed Specification*, "Universal System Exclusive Messages"; *General MIDI 2*, RP-024; Roland,
/// *SC-8850 Owner's Manual*, "MIDI Implementation"; Yamaha, *XG Specifications* 1.35 and *MU128 List Book*.
package struct SystemExclusive: BitwiseCopyable {
  /// The kind of the message.
  package let kind: Kind
  /// Whether a Roland message has a checksum that does not match its data.
  package let hasWrongChecksum: Bool
  private let bytes: UnsafeBufferPointer<UInt8>
  /// The data that has not been read: a range of `bytes`.
  private var first: Int
  private var end: Int
  private let protocolOfData: DataProtocol
  /// The address of the first byte that has not been read: three times seven bits.
  private var address: Int

  /// How the data is laid out.
  private enum DataProtocol: BitwiseCopyable {
    /// No address; one meaning.
    case universal, none
    /// Consecutive addresses.
    case gs, xg
  }

  /// - Parameter bytes: The message without F0 and F7.
  @_noLocks package init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
    (first, end, address) = (0, 0, 0)
    guard bytes.count >= 4 else {
      (kind, hasWrongChecksum, protocolOfData) = (.other, false, .none)
      return
    }
    switch bytes[0] {
    case 0x7E, 0x7F:
      (kind, hasWrongChecksum, protocolOfData) = (Self.universalKind(bytes), false, .universal)
      end = 1
    case 0x41:
      let isGS = bytes[2] == 0x42 && bytes[3] == 0x12 && bytes.count >= 9
      guard isGS else {
        (kind, hasWrongChecksum, protocolOfData) = (Self.rolandKind(bytes), false, .none)
        return
      }
      address = Int(bytes[4]) << 14 | Int(bytes[5]) << 7 | Int(bytes[6])
      (first, end) = (7, bytes.count - 1)
      var sum: UInt8 = 0
      for index in 4..<bytes.count { sum = (sum &+ bytes[index]) & 127 }
      (kind, hasWrongChecksum, protocolOfData) = (Self.gsKind(at: address), sum != 0, .gs)
    case 0x43:
      let isXG = bytes[1] & 0xF0 == 0x10 && bytes[2] == 0x4C && bytes.count >= 7
      guard isXG else {
        (kind, hasWrongChecksum, protocolOfData) = (.yamaha, false, .none)
        return
      }
      address = Int(bytes[3]) << 14 | Int(bytes[4]) << 7 | Int(bytes[5])
      (first, end) = (6, bytes.count)
      (kind, hasWrongChecksum, protocolOfData) = (Self.xgKind(at: address), false, .xg)
    default:
      (kind, hasWrongChecksum, protocolOfData) = (.other, false, .none)
    }
  }

  /// Whether the message asks for anything that ``Meaning`` has.
  package var acts: Bool {
    @_noLocks get {
      var message = self
      while let meaning = message.next() {
        if case .nothing = meaning { continue }
        return true
      }
      return false
    }
  }

  /// Whether a message resets an instrument to its initial state.
  ///
  /// - Parameter bytes: The message without F0 and F7.
  @_noLocks package static func resets(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var message = SystemExclusive(bytes)
    while let meaning = message.next() {
      if case .reset = meaning { return true }
    }
    return false
  }

  /// Returns what the next parameter of the message asks for; `nil` after the last.
  @_noLocks package mutating func next() -> Meaning? {
    guard first < end else { return nil }
    switch protocolOfData {
    case .none: return nil
    case .universal:
      first = end
      return universalMeaning
    case .gs: return nextOfGS()
    case .xg: return nextOfXG()
    }
  }

  /// The next `count` bytes of data with the value of each byte in `bits` bits, and advances beyond them; `nil` if the
  /// message has fewer.
  @_noLocks private mutating func take(_ count: Int, bits: Int = 7) -> Int? {
    guard first + count <= end else {
      advance(by: 1)
      return nil
    }
    var value = 0
    for index in 0..<count { value = value << bits | Int(bytes[first + index]) & (1 << bits - 1) }
    advance(by: count)
    return value
  }

  @_noLocks private mutating func advance(by count: Int) {
    first += count
    address += count
  }
}

// Universal messages.
extension SystemExclusive {
  @_noLocks private static func universalKind(_ bytes: UnsafeBufferPointer<UInt8>) -> Kind {
    let isRealtime = bytes[0] == 0x7F
    switch (bytes[2], bytes[3]) {
    case (0x08, _): return .tuning
    case (0x09, 1) where !isRealtime: return .gmOn
    case (0x09, 2) where !isRealtime: return .gmOff
    case (0x09, 3) where !isRealtime: return .gm2On
    case (0x09, _) where isRealtime: return .controllerDestination
    case (0x04, 1) where isRealtime: return .masterVolume
    case (0x04, 2) where isRealtime: return .masterBalance
    case (0x04, 3) where isRealtime, (0x04, 4) where isRealtime: return .masterTuning
    case (0x04, 5) where isRealtime: return .effect
    case (0x0A, 1) where isRealtime: return .keyControl
    case (0x01, _) where isRealtime, (0x06, _) where isRealtime: return .timeCode
    case (0x06, _): return .identity
    default: return .universal
    }
  }

  private var universalMeaning: Meaning {
    @_noLocks get {
      switch kind {
      case .gmOn: return .reset(.gm)
      case .gm2On: return .reset(.gm2)
      case .gmOff: return .leaveGM
      case .tuning: return .tuning
      default: break
      }
      guard bytes.count >= 6 else { return .nothing }
      let value = Int(bytes[5]) << 7 | Int(bytes[4])
      switch (kind, bytes[3]) {
      // The fine half divides the steps of the coarse one, so that 127 is full volume without it.
      case (.masterVolume, _): return .masterVolume(min(1, Float(value) / Float(127 << 7)))
      case (.masterBalance, _): return .masterBalance(Self.centered(value, 8192))
      case (.masterTuning, 3): return .masterTuning(cents: 100 * Self.centered(value, 8192))
      case (.masterTuning, _): return .masterKeyShift(Self.shift(Int(bytes[5])))
      case (.effect, _): return globalParameter
      default: return .nothing
      }
    }
  }

  /// Global parameter control of reverb and chorus, with one-byte parameter IDs and values.
  private var globalParameter: Meaning {
    @_noLocks get {
      guard bytes.count >= 11, bytes[4] == 1, bytes[5] == 1, bytes[6] == 1, bytes[7] == 1 else {
        return .nothing
      }
      let value = bytes[10]
      switch (bytes[8], bytes[9]) {
      case (1, 0): return .reverbTime(Self.reverbTime(ofType: value))
      case (1, 1): return .reverbTime(Self.reverbTime(value))
      case (2, 0): return Self.chorus(ofType: value)
      case (2, 1): return .chorusRate(Self.chorusRate(value))
      case (2, 2): return .chorusDepth(Self.chorusDepth(value))
      default: return .nothing
      }
    }
  }
}

// GS.
extension SystemExclusive {
  @_noLocks private static func rolandKind(_ bytes: UnsafeBufferPointer<UInt8>) -> Kind {
    switch (bytes[2], bytes[3]) {
    case (0x45, 0x12): .display
    case (0x16, 0x12): .mt32
    case (0x42, 0x11): .identity
    default: .roland
    }
  }

  @_noLocks private static func gsKind(at address: Int) -> Kind {
    let (high, middle, low) = (address >> 14, address >> 7 & 127, address & 127)
    switch (high, middle) {
    case (0x00, 0x00): return low == 0x7F ? .sc88Mode : .gsSystem
    case (0x40, 0x00): return gsMasterKind(low)
    case (0x40, 0x01): return low >= 0x30 ? .effect : .gsSystem
    case (0x40, 0x10..<0x20): return gsPartKind(low)
    case (0x40, 0x20..<0x30): return low == 0x10 ? .bendRange : .controllerDestination
    case (0x40, 0x40..<0x50), (0x40, 0x03): return .insertionEffect
    case (0x41, _): return .drumSetup
    case (0x50, _), (0x51, _): return .secondBlock
    case (0x10, _): return .display
    default: return .gsSystem
    }
  }

  @_noLocks private static func gsMasterKind(_ low: Int) -> Kind {
    switch low {
    case 0x00..<0x04: .masterTuning
    case 0x04: .masterVolume
    case 0x05: .masterTuning
    case 0x06: .masterBalance
    case 0x7F: .gsReset
    default: .gsSystem
    }
  }

  @_noLocks private static func gsPartKind(_ low: Int) -> Kind {
    switch low {
    case 0x00, 0x01: .partProgram
    case 0x02: .receiveChannel
    case 0x13: .partMode
    case 0x15: .rhythmPart
    case 0x16: .partKeyShift
    case 0x17, 0x18, 0x2A, 0x2B: .partTuning
    case 0x19: .partLevel
    case 0x1C: .partPan
    case 0x21, 0x22, 0x2C: .partSend
    case 0x30..<0x38: .soundShape
    case 0x40..<0x4C: .scaleTuning
    default: .partSetting
    }
  }

  @_noLocks private mutating func nextOfGS() -> Meaning {
    let (high, middle, low) = (address >> 14, address >> 7 & 127, address & 127)
    switch (high, middle) {
    case (0x00, 0x00) where low == 0x7F:
      advance(by: 1)
      return .reset(.gs)
    case (0x40, 0x00): return nextOfGSMaster(low)
    case (0x40, 0x01): return nextOfGSEffect(low)
    case (0x40, 0x10..<0x20): return nextOfGSPart(Self.gsPart(middle), low)
    case (0x40, 0x20..<0x30) where low == 0x10:
      let part = Self.gsPart(middle)
      guard let value = take(1) else { return .nothing }
      return .bendRange(part: part, semitones: UInt8(max(0, min(24, value - 0x40))))
    default:
      advance(by: 1)
      return .nothing
    }
  }

  /// The part of a block: block 0 is part 10, and 1 to 9 and A to F are the others in order.
  @_noLocks private static func gsPart(_ block: Int) -> UInt8 {
    switch block & 15 {
    case 0: 9
    case let number where number < 10: UInt8(number - 1)
    case let number: UInt8(number)
    }
  }

  @_noLocks private mutating func nextOfGSMaster(_ low: Int) -> Meaning {
    if low == 0 {
      guard let steps = take(4, bits: 4) else { return .nothing }
      return .masterTuning(cents: Self.tenths(steps))
    }
    guard let value = take(1) else { return .nothing }
    switch low {
    case 0x04: return .masterVolume(Float(value) / 127)
    case 0x05: return .masterKeyShift(Self.shift(value))
    case 0x06: return .masterBalance(Self.centered(value, 64))
    // 0 resets to GS. 127 leaves GS, for a state that only the module has.
    case 0x7F: return .reset(.gs)
    default: return .nothing
    }
  }

  @_noLocks private mutating func nextOfGSEffect(_ low: Int) -> Meaning {
    guard let value = take(1).map({ UInt8($0) }) else { return .nothing }
    switch low {
    case 0x30, 0x31: return .reverbTime(Self.reverbTime(ofType: value > 5 ? 4 : value))
    case 0x33: return .reverbLevel(Self.level(value))
    case 0x34: return .reverbTime(Self.reverbTime(value))
    case 0x38: return Self.chorus(ofType: value)
    case 0x3A: return .chorusLevel(Self.level(value))
    case 0x3D: return .chorusRate(Self.chorusRate(value))
    case 0x3E: return .chorusDepth(Self.chorusDepth(value))
    default: return .nothing
    }
  }

  @_noLocks private mutating func nextOfGSPart(_ part: UInt8, _ low: Int) -> Meaning {
    switch low {
    case 0x00:
      guard let value = take(2) else { return .nothing }
      return .program(part: part, bank: UInt8(value >> 7), program: UInt8(value & 127))
    case 0x17:
      guard let value = take(2, bits: 4) else { return .nothing }
      return .partTuning(part: part, cents: Self.hertz(value))
    case 0x2A:
      guard let value = take(2) else { return .nothing }
      return .partTuning(part: part, cents: 100 * Self.centered(value, 8192))
    default: break
    }
    guard let number = take(1) else { return .nothing }
    let value = UInt8(number)
    switch low {
    case 0x02: return .receiveChannel(part: part, channel: value < 16 ? value : nil)
    case 0x13: return .mono(part: part, isMono: value == 0)
    case 0x15: return .rhythm(part: part, isRhythm: value != 0)
    case 0x16: return .partKeyShift(part: part, Self.shift(number))
    case 0x19: return .controller(part: part, number: 7, value)
    // 0 is a random position.
    case 0x1C: return value == 0 ? .nothing : .controller(part: part, number: 10, value)
    case 0x21: return .controller(part: part, number: 93, value)
    case 0x22: return .controller(part: part, number: 91, value)
    case 0x40..<0x4C:
      return .scale(part: part, note: UInt8(low - 0x40), cents: Int8(number - 64))
    default: return .nothing
    }
  }
}

// XG.
extension SystemExclusive {
  @_noLocks private static func xgKind(at address: Int) -> Kind {
    let (high, middle, low) = (address >> 14, address >> 7 & 127, address & 127)
    switch high {
    case 0x00 where middle == 0: return xgMasterKind(low)
    case 0x02: return low < 0x40 ? .effect : .insertionEffect
    case 0x03: return .insertionEffect
    case 0x06, 0x07: return .display
    case 0x08: return xgPartKind(low)
    case 0x30..<0x40: return .drumSetup
    default: return .xgSystem
    }
  }

  @_noLocks private static func xgMasterKind(_ low: Int) -> Kind {
    switch low {
    case 0x00..<0x04, 0x06: .masterTuning
    case 0x04, 0x05: .masterVolume
    case 0x7E: .xgOn
    case 0x7F: .xgReset
    case 0x7D: .drumSetup
    default: .xgSystem
    }
  }

  @_noLocks private static func xgPartKind(_ low: Int) -> Kind {
    switch low {
    case 0x01, 0x02, 0x03: .partProgram
    case 0x04: .receiveChannel
    case 0x05: .partMode
    case 0x07: .rhythmPart
    case 0x08: .partKeyShift
    case 0x09, 0x0A: .partTuning
    case 0x0B: .partLevel
    case 0x0E: .partPan
    case 0x12, 0x13, 0x14: .partSend
    case 0x15..<0x1D: .soundShape
    case 0x23: .bendRange
    case 0x41..<0x4D: .scaleTuning
    default: .partSetting
    }
  }

  @_noLocks private mutating func nextOfXG() -> Meaning {
    let (high, middle, low) = (address >> 14, address >> 7 & 127, address & 127)
    switch (high, middle) {
    case (0x00, 0x00): return nextOfXGMaster(low)
    case (0x02, 0x01): return nextOfXGEffect(low)
    case (0x08, 0..<16): return nextOfXGPart(UInt8(middle), low)
    default:
      advance(by: 1)
      return .nothing
    }
  }

  @_noLocks private mutating func nextOfXGMaster(_ low: Int) -> Meaning {
    if low == 0 {
      guard let steps = take(4, bits: 4) else { return .nothing }
      return .masterTuning(cents: Self.tenths(steps))
    }
    guard let value = take(1) else { return .nothing }
    switch low {
    case 0x04: return .masterVolume(Float(value) / 127)
    case 0x05: return .masterAttenuation(Float(value) / 127)
    case 0x06: return .masterKeyShift(Self.shift(value))
    case 0x7E, 0x7F: return .reset(.xg)
    default: return .nothing
    }
  }

  @_noLocks private mutating func nextOfXGEffect(_ low: Int) -> Meaning {
    switch low {
    case 0x00:
      guard let value = take(2) else { return .nothing }
      return .reverbTime(Self.reverbTime(ofXGType: value >> 7, value & 127))
    case 0x20:
      guard let value = take(2) else { return .nothing }
      return Self.chorus(ofXGType: value >> 7, value & 127)
    default: break
    }
    guard let value = take(1) else { return .nothing }
    switch low {
    case 0x0C: return .reverbLevel(Self.level(UInt8(value)))
    case 0x2C: return .chorusLevel(Self.level(UInt8(value)))
    default: return .nothing
    }
  }

  @_noLocks private mutating func nextOfXGPart(_ part: UInt8, _ low: Int) -> Meaning {
    if low == 0x09 {
      guard let value = take(2, bits: 4) else { return .nothing }
      return .partTuning(part: part, cents: Self.hertz(value))
    }
    guard let number = take(1) else { return .nothing }
    let value = UInt8(number)
    switch low {
    case 0x01: return .controller(part: part, number: 0, value)
    case 0x02: return .controller(part: part, number: 32, value)
    case 0x03: return .program(part: part, bank: nil, program: value)
    case 0x04: return .receiveChannel(part: part, channel: value < 16 ? value : nil)
    case 0x05: return .mono(part: part, isMono: value == 0)
    case 0x07: return .rhythm(part: part, isRhythm: value != 0)
    case 0x08: return .partKeyShift(part: part, Self.shift(number))
    case 0x0B: return .controller(part: part, number: 7, value)
    case 0x0E: return value == 0 ? .nothing : .controller(part: part, number: 10, value)
    case 0x12: return .controller(part: part, number: 93, value)
    case 0x13: return .controller(part: part, number: 91, value)
    case 0x23: return .bendRange(part: part, semitones: UInt8(max(0, min(24, number - 0x40))))
    case 0x41..<0x4D:
      return .scale(part: part, note: UInt8(low - 0x41), cents: Int8(number - 64))
    default: return .nothing
    }
  }
}

// Units.
extension SystemExclusive {
  /// −1…1.
  @_noLocks private static func centered(_ value: Int, _ center: Int) -> Float {
    max(-1, min(1, Float(value - center) / Float(center - 1)))
  }

  /// −24…24 semitones.
  @_noLocks private static func shift(_ value: Int) -> Int8 { Int8(max(-24, min(24, value - 64))) }

  /// A tuning in steps of a tenth of a cent, in four bytes of four bits.
  @_noLocks private static func tenths(_ steps: Int) -> Float {
    max(-102.4, min(102.4, Float(steps - 0x400) / 10))
  }

  /// The detuning of a part in tenths of a hertz, in two bytes of four bits. In cents, it is exact at 440 Hz.
  @_noLocks private static func hertz(_ value: Int) -> Float { Float(value - 0x80) * 0.39345 }

  /// A level as a multiple of the initial one, 64.
  @_noLocks private static func level(_ value: UInt8) -> Float { Float(value) / 64 }

  /// A reverberation time of e to the power of (value − 40) / 40 seconds, as a multiple of the initial one. Source: RP-024.
  @_noLocks private static func reverbTime(_ value: UInt8) -> Float {
    Float(maths_exp2((Double(value) - 64) * 0.036_067_376_022_224_1))
  }

  /// The initial time of a reverb type: three rooms, two halls, plate. Source: RP-024.
  @_noLocks private static func reverbTime(ofType type: UInt8) -> Float {
    switch type {
    case 0: reverbTime(44)
    case 1, 5, 8: reverbTime(50)
    case 2: reverbTime(56)
    default: 1
    }
  }

  @_noLocks private static func reverbTime(ofXGType type: Int, _ variation: Int) -> Float {
    switch type {
    case 0: 0
    case 2: reverbTime(ofType: UInt8(min(variation, 2)))
    case 4: reverbTime(ofType: 5)
    default: 1
    }
  }

  /// The rate and depth of a chorus type: four choruses, feedback chorus, flanger, and short delays, which do not modulate.
  /// Source: RP-024.
  @_noLocks private static func chorus(ofType type: UInt8) -> Meaning {
    let (rate, depth): (UInt8, UInt8) =
      switch type {
      case 0: (3, 5)
      case 1: (9, 19)
      case 3: (9, 16)
      case 4: (2, 24)
      case 5: (1, 5)
      case 6, 7: (0, 0)
      default: (3, 19)
      }
    return .chorusMotion(rate: chorusRate(rate), depth: chorusDepth(depth))
  }

  @_noLocks private static func chorus(ofXGType type: Int, _ variation: Int) -> Meaning {
    switch type {
    case 0: .chorusLevel(0)
    case 0x41: chorus(ofType: UInt8(min(variation, 2)))
    case 0x43: chorus(ofType: 5)
    default: chorus(ofType: 2)
    }
  }

  /// As a multiple of the initial one, 3.
  @_noLocks private static func chorusRate(_ value: UInt8) -> Float { Float(value) / 3 }

  /// As a multiple of the initial one, 19.
  @_noLocks private static func chorusDepth(_ value: UInt8) -> Float { Float(Int(value) + 1) / 20 }
}
