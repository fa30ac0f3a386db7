import CLV2
package import RenderCore

extension AtomWriter {
  /// Appends a `time:Position` object with all that a transport provides.
  ///
  /// - Returns: Whether there was room.
  ///
  /// Realtime: yes. Source: LV2's time extension, in which beats are those of the meter.
  @_noLocks package mutating func append(_ transport: Transport, at frame: Int) -> Bool {
    let hasMeter = transport.provides.has(.meter)
    let meter = hasMeter ? transport.meter : Meter()
    let beats = transport.beat / meter.beatLength
    let hasFrame = transport.provides.has(.songFrame)
    let hasBeat = transport.provides.has(.beat) && beats.magnitude < 1e15
    let count = 1 + (hasFrame ? 1 : 0) + (hasBeat ? 4 : 0) + (hasMeter ? 2 : 0)
    guard
      let memory = reserve(AtomObjectWriter.size(properties: count), at: Int64(frame), types.object)
    else { return false }
    var object = AtomObjectWriter(memory, type: types.position)
    let barLength = Double(meter.count)
    // Without a meter, bars of four quarter notes begin at 0.
    let bar = ((hasMeter ? transport.barStart / meter.beatLength : beats) / barLength).wholePart
    let barStart = hasMeter ? transport.barStart / meter.beatLength : bar * barLength
    object.append(types.speed, types.float, transport.advances ? 1 as Float : 0)
    if hasFrame { object.append(types.frame, types.long, transport.songFrame) }
    if hasBeat {
      object.append(types.beat, types.double, beats)
      object.append(types.bar, types.long, Int64(bar))
      object.append(types.barBeat, types.float, Float(beats - barStart))
      object.append(types.beatsPerMinute, types.float, Float(transport.tempo / meter.beatLength))
    }
    if hasMeter {
      object.append(types.beatUnit, types.int, Int32(meter.unit))
      object.append(types.beatsPerBar, types.float, Float(meter.count))
    }
    return true
  }
}

/// The properties of an object that is being written, each with a number of at most eight bytes.
///
/// Realtime: yes.
struct AtomObjectWriter: BitwiseCopyable {
  private let start: UnsafeMutableRawPointer
  private var count = 8

  /// - Parameter start: Room for ``size(properties:)`` bytes.
  @_noLocks init(_ start: UnsafeMutableRawPointer, type: LV2_URID) {
    self.start = start
    start.storeBytes(of: 0, as: UInt32.self)
    start.storeBytes(of: type, toByteOffset: 4, as: UInt32.self)
  }

  @_noLocks static func size(properties: Int) -> Int { 8 + 24 * properties }

  @_noLocks mutating func append(_ key: LV2_URID, _ type: LV2_URID, _ value: Float) {
    append(key, type, bits: UInt64(value.bitPattern), count: 4)
  }

  @_noLocks mutating func append(_ key: LV2_URID, _ type: LV2_URID, _ value: Double) {
    append(key, type, bits: value.bitPattern, count: 8)
  }

  @_noLocks mutating func append(_ key: LV2_URID, _ type: LV2_URID, _ value: Int32) {
    append(key, type, bits: UInt64(UInt32(bitPattern: value)), count: 4)
  }

  @_noLocks mutating func append(_ key: LV2_URID, _ type: LV2_URID, _ value: Int64) {
    append(key, type, bits: UInt64(bitPattern: value), count: 8)
  }

  @_noLocks private mutating func append(
    _ key: LV2_URID, _ type: LV2_URID, bits: UInt64, count length: UInt32
  ) {
    let record = start + count
    record.storeBytes(of: key, as: UInt32.self)
    record.storeBytes(of: 0, toByteOffset: 4, as: UInt32.self)
    record.storeBytes(of: length, toByteOffset: 8, as: UInt32.self)
    record.storeBytes(of: type, toByteOffset: 12, as: UInt32.self)
    record.storeBytes(of: bits.littleEndian, toByteOffset: 16, as: UInt64.self)
    count += 24
  }
}
