import CRender

// The messages that restore settings.
extension ModuleSettings {
  /// The System Exclusive messages, without F0 and F7, that bring any module to these settings, except for the channels
  /// that parts play. The first resets it.
  ///
  /// Realtime: no.
  package var messages: [[UInt8]] {
    var messages = [reset]
    let initial = ModuleSettings()
    if master.volume != initial.master.volume {
      let value = Int((master.volume * Float(127 << 7)).rounded())
      messages.append([0x7F, 0x7F, 0x04, 0x01, UInt8(value & 127), UInt8(value >> 7)])
    }
    if master.attenuation != initial.master.attenuation {
      messages.append(
        [0x43, 0x10, 0x4C, 0x00, 0x00, 0x05, UInt8((master.attenuation * 127).rounded())])
    }
    if master.balance != initial.master.balance { messages.append(balance) }
    if master.tuning != initial.master.tuning { messages.append(tuning) }
    if master.keyShift != initial.master.keyShift {
      messages.append(Self.gs(0x00, 0x05, [Self.shift(master.keyShift)]))
    }
    appendEffects(to: &messages)
    for part in UInt8(0)..<16 { append(part, to: &messages) }
    return messages
  }

  /// The messages that make parts play other channels than their own. Realtime: no.
  package var routing: [[UInt8]] {
    (UInt8(0)..<16).filter { self[$0].channel != $0 }.map {
      Self.gs(Self.block($0), 0x02, [self[$0].channel])
    }
  }

  private var reset: [UInt8] {
    switch system {
    case .gm: [0x7E, 0x7F, 0x09, 0x01]
    case .gm2: [0x7E, 0x7F, 0x09, 0x03]
    case .xg: [0x43, 0x10, 0x4C, 0x00, 0x00, 0x7E, 0x00]
    case nil, .gs: Self.gs(0x00, 0x7F, [0])
    }
  }

  /// By GS if that has the exact value, otherwise by the universal message.
  private var balance: [UInt8] {
    let coarse = (master.balance * 63).rounded()
    if coarse / 63 == master.balance { return Self.gs(0x00, 0x06, [UInt8(64 + coarse)]) }
    let value = Int((master.balance * 8191).rounded()) + 8192
    return [0x7F, 0x7F, 0x04, 0x02, UInt8(value & 127), UInt8(value >> 7)]
  }

  private var tuning: [UInt8] {
    let steps = Int((master.tuning * 10).rounded())
    if Float(steps) / 10 == master.tuning {
      return Self.gs(0x00, 0x00, Self.nibbles(steps + 0x400, count: 4))
    }
    let value = Int((master.tuning * 81.91).rounded()) + 8192
    return [0x7F, 0x7F, 0x04, 0x03, UInt8(value & 127), UInt8(value >> 7)]
  }

  private func appendEffects(to messages: inout [[UInt8]]) {
    let initial = EffectFactors()
    if effects.reverbTime == 0 {
      messages.append([0x43, 0x10, 0x4C, 0x02, 0x01, 0x00, 0x00, 0x00])
    } else if effects.reverbTime != initial.reverbTime {
      let steps = maths_log2(Double(effects.reverbTime)) / 0.036_067_376_022_224_1
      messages.append(Self.gs(0x01, 0x34, [Self.byte(64 + Float(steps))]))
    }
    for (address, value, isInitial): (UInt8, Float, Bool) in [
      (0x33, effects.reverbLevel * 64, effects.reverbLevel == initial.reverbLevel),
      (0x3A, effects.chorusLevel * 64, effects.chorusLevel == initial.chorusLevel),
      (0x3D, effects.chorusRate * 3, effects.chorusRate == initial.chorusRate),
      (0x3E, effects.chorusDepth * 20 - 1, effects.chorusDepth == initial.chorusDepth),
    ] where !isInitial { messages.append(Self.gs(0x01, address, [Self.byte(value)])) }
  }

  private func append(_ index: UInt8, to messages: inout [[UInt8]]) {
    let (part, initial) = (self[index], ModuleSettings()[index])
    let block = Self.block(index)
    if isRhythm(index) != ModuleSettings().isRhythm(index) {
      messages.append(Self.gs(block, 0x15, [isRhythm(index) ? 1 : 0]))
    }
    if part.keyShift != initial.keyShift {
      messages.append(Self.gs(block, 0x16, [Self.shift(part.keyShift)]))
    }
    if part.tuning != initial.tuning {
      let steps = Int((part.tuning / 0.39345).rounded())
      if Float(steps) * 0.39345 == part.tuning {
        messages.append(Self.gs(block, 0x17, Self.nibbles(steps + 0x80, count: 2)))
      } else {
        let value = Int((part.tuning * 81.91).rounded()) + 8192
        messages.append(Self.gs(block, 0x2A, [UInt8(value >> 7), UInt8(value & 127)]))
      }
    }
    if !part.hasScale(of: initial) {
      messages.append(Self.gs(block, 0x40, (0..<12).map { UInt8(64 + Int(part.scale[$0])) }))
    }
  }

  private static func block(_ part: UInt8) -> UInt8 {
    0x10 | (part == 9 ? 0 : part < 9 ? part + 1 : part)
  }

  private static func gs(_ middle: UInt8, _ low: UInt8, _ data: [UInt8]) -> [UInt8] {
    let body = [0x40, middle, low] + data
    let sum = body.reduce(0) { ($0 + Int($1)) % 128 }
    return [0x41, 0x10, 0x42, 0x12] + body + [UInt8((128 - sum) % 128)]
  }

  private static func shift(_ semitones: Int8) -> UInt8 { UInt8(64 + Int(semitones)) }
  private static func byte(_ value: Float) -> UInt8 { UInt8(max(0, min(127, value.rounded()))) }

  /// Numbers of four bits, the highest first.
  private static func nibbles(_ value: Int, count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(value >> (4 * $0) & 15) }
  }
}
