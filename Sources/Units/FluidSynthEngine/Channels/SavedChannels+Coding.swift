import RenderCore

/// Encodes the sixteen channels as the bytes of a saved state.
///
/// The format is `FSYN`, the version, and sixteen channels of about 203 bytes. A channel has 128 controllers, bend (2
/// bytes), bend range in semitones, bank (2 bytes), program, and group (basic channel or 255, mode, count); then the
/// number of generators that are not 0, and the number and value (4 bytes) of each.
///
/// Version 2 adds the cents of the bend range; then the number of entered parameters, and the number and value (2
/// bytes) of each, in the order in which they must be entered. Numbers of several bytes are little-endian.
///
/// Version 3 adds what a sound module keeps beside its channels. For each channel: controllers 0 and 32 for the next program
/// change; the bank (2 bytes) that replaces them, or 65,535; whether the part is a rhythm part; its MIDI channel; key shift
/// plus 64; tuning (4 bytes); and twelve scale tunings, each plus 64. After the channels: the last reset (0 for none, GM, GM2,
/// GS, XG); key shift plus 64; and volume, attenuation, balance, tuning and the five factors of the effects, 4 bytes each.
package enum SavedChannels {
  private static let mark = Array("FSYN".utf8)
  static let version: UInt8 = 3

  package static func encode(_ channels: [SavedChannel]) -> [UInt8] {
    var bytes = mark + [version]
    for channel in channels { append(channel, to: &bytes) }
    append(channels[0].common, to: &bytes)
    return bytes
  }

  private static func append(_ channel: SavedChannel, to bytes: inout [UInt8]) {
    for number in 0..<128 { bytes.append(channel.controllers[number]) }
    append(channel.bend, count: 2, to: &bytes)
    append(channel.bendRange >> 7, count: 1, to: &bytes)
    append(channel.selection.requested.bank, count: 2, to: &bytes)
    append(channel.selection.requested.program, count: 1, to: &bytes)
    append(channel.group.basic, count: 1, to: &bytes)
    append(channel.group.mode, count: 1, to: &bytes)
    append(channel.group.count, count: 1, to: &bytes)
    let set = (0..<64).filter { channel.generators[$0] != 0 }
    bytes.append(UInt8(set.count))
    for generator in set {
      bytes.append(UInt8(generator))
      let bits = channel.generators[generator].bitPattern
      append(Int32(bitPattern: bits), count: 4, to: &bytes)
    }
    append(channel.bendRange & 127, count: 1, to: &bytes)
    let entries = channel.parameters.entries
    bytes.append(UInt8(entries.count))
    for entry in entries {
      bytes.append(entry.number)
      append(Int32(entry.value), count: 2, to: &bytes)
    }
    bytes += [channel.selection.coarse, channel.selection.fine]
    append(channel.selection.bank, count: 2, to: &bytes)
    bytes += [channel.isRhythm ? 1 : 0, channel.part.channel]
    bytes.append(UInt8(64 + Int(channel.part.keyShift)))
    append(channel.part.tuning, to: &bytes)
    for note in 0..<12 { bytes.append(UInt8(64 + Int(channel.part.scale[note]))) }
  }

  private static func append(_ common: ModuleSettings.Common, to bytes: inout [UInt8]) {
    let (master, effects) = (common.master, common.effects)
    bytes.append(UInt8(common.system.flatMap(systems.firstIndex).map { $0 + 1 } ?? 0))
    bytes.append(UInt8(64 + Int(master.keyShift)))
    for value in [
      master.volume, master.attenuation, master.balance, master.tuning, effects.reverbTime,
      effects.reverbLevel, effects.chorusLevel, effects.chorusRate, effects.chorusDepth,
    ] { append(value, to: &bytes) }
  }

  private static let systems: [SystemExclusive.System] = [.gm, .gm2, .gs, .xg]

  private static func append(_ value: Float, to bytes: inout [UInt8]) {
    append(Int32(bitPattern: value.bitPattern), count: 4, to: &bytes)
  }

  private static func append(_ number: Int32, count: Int, to bytes: inout [UInt8]) {
    for i in 0..<Int32(count) { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * i))) }
  }

  /// Decodes a saved state of any version.
  ///
  /// - Throws: ``StateError``.
  package static func decode(_ bytes: [UInt8]) throws(StateError) -> [SavedChannel] {
    guard bytes.starts(with: mark), bytes.count > mark.count else { throw .unknown }
    let version = bytes[mark.count]
    guard 1...Self.version ~= version else { throw .unknownVersion(Int(version)) }
    var reader = StateReader(bytes[(mark.count + 1)...])
    var channels: [SavedChannel] = []
    for index in 0..<16 { channels.append(try channel(&reader, version, index)) }
    if version >= 3 {
      let common = try common(&reader)
      for index in 0..<16 { channels[index].common = common }
    }
    guard reader.isAtEnd else { throw .broken("it continues after its end") }
    return channels
  }

  private static func channel(
    _ reader: inout StateReader, _ version: UInt8, _ index: Int
  ) throws(StateError) -> SavedChannel {
    var channel = SavedChannel()
    for number in 0..<128 {
      channel.controllers[number] = UInt8(
        try reader.number(1, "controller \(number)", 0...127))
    }
    channel.bend = try reader.number(2, "a pitch bend", 0...16_383)
    channel.bendRange = try reader.number(1, "a pitch bend range", BendRange.values) << 7
    channel.selection.requested.bank = try reader.number(2, "a bank", 0...16_383)
    channel.selection.requested.program = try reader.number(1, "a program", 0...128)
    // Before version 3 a bank remained for later program changes, as in FluidSynth.
    channel.selection.bank = channel.selection.requested.bank
    channel.isRhythm = index == 9
    channel.part.channel = UInt8(index)
    let basic = try reader.number(1, "a basic channel", 0...255)
    guard basic < 16 || basic == 255 else { throw .broken("a basic channel is \(basic)") }
    channel.group.basic = basic == 255 ? -1 : basic
    channel.group.mode = try reader.number(1, "a channel mode", 0...3)
    channel.group.count = try reader.number(1, "a count of channels", 0...16)
    for _ in 0..<(try reader.number(1, "a count of generators", 0...64)) {
      let generator = try reader.number(1, "a generator", 0...63)
      channel.generators[Int(generator)] = try reader.decimal("a generator", -99_999...99_999)
    }
    if version == 1 { return channel }
    channel.bendRange |= try reader.number(1, "a pitch bend range's cents", BendRange.values)
    for _ in 0..<(try reader.number(1, "a count of parameters", 0...64)) {
      let number = UInt8(
        try reader.number(1, "a parameter", 0...Int32(EnteredParameters.count - 1)))
      guard EnteredParameters.keeps(number) else { throw .broken("a parameter is \(number)") }
      let value = try reader.number(2, "a parameter's value", 0...16_383)
      channel.parameters.enter(number, UInt16(value))
    }
    if version == 2 { return channel }
    channel.selection.coarse = UInt8(try reader.number(1, "controller 0", 0...127))
    channel.selection.fine = UInt8(try reader.number(1, "controller 32", 0...127))
    let bank = try reader.number(2, "a bank", 0...65_535)
    channel.selection.bank = bank == 65_535 ? -1 : bank
    channel.isRhythm = try reader.number(1, "a rhythm part", 0...1) == 1
    channel.part.channel = UInt8(try reader.number(1, "a part's channel", 0...16))
    channel.part.keyShift = Int8(try reader.number(1, "a key shift", 40...88) - 64)
    channel.part.tuning = try reader.decimal("a tuning", -110...110)
    for note in 0..<12 {
      channel.part.scale[note] = Int8(try reader.number(1, "a scale tuning", 0...127) - 64)
    }
    return channel
  }

  private static func common(
    _ reader: inout StateReader
  ) throws(StateError) -> ModuleSettings.Common {
    var common = ModuleSettings.Common()
    let system = Int(try reader.number(1, "a reset", 0...Int32(systems.count)))
    common.system = system == 0 ? nil : systems[system - 1]
    common.master.keyShift = Int8(try reader.number(1, "a key shift", 40...88) - 64)
    common.master.volume = try reader.decimal("a volume", 0...1)
    common.master.attenuation = try reader.decimal("an attenuation", 0...1)
    common.master.balance = try reader.decimal("a balance", -1...1)
    common.master.tuning = try reader.decimal("a tuning", -110...110)
    for path in [
      \ModuleSettings.Common.effects.reverbTime, \.effects.reverbLevel, \.effects.chorusLevel,
      \.effects.chorusRate, \.effects.chorusDepth,
    ] { common[keyPath: path] = try reader.decimal("an effect's value", 0...50) }
    return common
  }
}

/// Reads numbers and checks their ranges.
private struct StateReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func number(
    _ count: Int, _ name: String, _ range: ClosedRange<Int32>
  ) throws(StateError) -> Int32 {
    guard rest.count >= count else { throw .broken("it ends too early") }
    let bytes = rest.prefix(count)
    rest = rest.dropFirst(count)
    let number = Int32(truncatingIfNeeded: bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) })
    guard range.contains(number) else { throw .broken("\(name) is \(number)") }
    return number
  }

  mutating func decimal(
    _ name: String, _ range: ClosedRange<Float>
  ) throws(StateError) -> Float {
    let bits = UInt32(bitPattern: try number(4, name, Int32.min...Int32.max))
    let value = Float(bitPattern: bits)
    guard range.contains(value) else { throw .broken("\(name) is \(value)") }
    return value
  }
}
