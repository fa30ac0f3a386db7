import RenderCore

/// Encodes the sixteen channels as the bytes of a saved state.
///
/// The format is `FSYN`, the version, and sixteen channels of about 203 bytes. A channel has 128 controllers, bend (2
/// bytes), bend range in semitones, bank (2 bytes), program, and group (basic channel or 255, mode, count); then the
/// number of generators that are not 0, and the number and value (4 bytes) of each.
///
/// Version 2 adds the cents of the bend range; then the number of entered parameters, and the number and value (2
/// bytes) of each, in the order in which they must be entered. Numbers of several bytes are little-endian.
package enum SavedChannels {
  private static let mark = Array("FSYN".utf8)
  static let version: UInt8 = 2

  package static func encode(_ channels: [SavedChannel]) -> [UInt8] {
    var bytes = mark + [version]
    for channel in channels { append(channel, to: &bytes) }
    return bytes
  }

  private static func append(_ channel: SavedChannel, to bytes: inout [UInt8]) {
    for number in 0..<128 { bytes.append(channel.controllers[number]) }
    append(channel.bend, count: 2, to: &bytes)
    append(channel.bendRange >> 7, count: 1, to: &bytes)
    append(channel.preset.bank, count: 2, to: &bytes)
    append(channel.preset.program, count: 1, to: &bytes)
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
    for _ in 0..<16 { channels.append(try channel(&reader, version)) }
    guard reader.isAtEnd else { throw .broken("it continues after its end") }
    return channels
  }

  private static func channel(
    _ reader: inout StateReader, _ version: UInt8
  ) throws(StateError) -> SavedChannel {
    var channel = SavedChannel()
    for number in 0..<128 {
      channel.controllers[number] = UInt8(
        try reader.number(1, "controller \(number)", 0...127))
    }
    channel.bend = try reader.number(2, "a pitch bend", 0...16_383)
    channel.bendRange = try reader.number(1, "a pitch bend range", BendRange.values) << 7
    channel.preset.bank = try reader.number(2, "a bank", 0...16_383)
    channel.preset.program = try reader.number(1, "a program", 0...128)
    let basic = try reader.number(1, "a basic channel", 0...255)
    guard basic < 16 || basic == 255 else { throw .broken("a basic channel is \(basic)") }
    channel.group.basic = basic == 255 ? -1 : basic
    channel.group.mode = try reader.number(1, "a channel mode", 0...3)
    channel.group.count = try reader.number(1, "a count of channels", 0...16)
    for _ in 0..<(try reader.number(1, "a count of generators", 0...64)) {
      let generator = try reader.number(1, "a generator", 0...63)
      let bits = UInt32(bitPattern: try reader.number(4, "a generator", Int32.min...Int32.max))
      let value = Float(bitPattern: bits)
      guard abs(value) < 100_000 else { throw .broken("a generator is \(value)") }
      channel.generators[Int(generator)] = value
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
    return channel
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
}
