import RenderCore

extension StandardMIDIFile {
  /// Encodes the file to bytes from which ``init(decoding:)-([UInt8])`` reads an equal file.
  ///
  /// - Parameter runningStatus: Whether to omit repeated status bytes, which makes the file smaller.
  /// - Throws: ``EncodingError`` if the format cannot represent the file.
  ///
  /// Source: RP-001, *Standard MIDI Files 1.0*.
  public func encoded(runningStatus: Bool = true) throws(EncodingError) -> [UInt8] {
    var bytes = Array("MThd".utf8)
    bytes.append(bigEndian: UInt32(6))
    bytes.append(bigEndian: format.rawValue)
    bytes.append(bigEndian: UInt16(tracks.count))
    switch division {
    case .ticksPerQuarter(let ticks): bytes.append(bigEndian: ticks)
    case .timeCode(let rate, let ticks): bytes += [UInt8(bitPattern: rate.rawValue), ticks]
    }
    for (index, track) in tracks.enumerated() {
      var encoder = TrackEncoder(track: index, usesRunningStatus: runningStatus)
      for event in track.events { try encoder.append(event) }
      try encoder.appendEnd(at: track.endTick)
      guard let length = UInt32(exactly: encoder.bytes.count) else {
        throw .trackTooLong(track: index, byteCount: encoder.bytes.count)
      }
      bytes += "MTrk".utf8
      bytes.append(bigEndian: length)
      bytes += encoder.bytes
    }
    return bytes
  }

  /// The reason why a file cannot be encoded. `track` is an index, from 0.
  public enum EncodingError: Error, Equatable, CustomStringConvertible {
    /// Two events of a track are more than 2²⁸ − 1 ticks apart.
    case gapTooLong(track: Int, tick: Int64)
    /// A track is longer than 2³² − 1 bytes.
    case trackTooLong(track: Int, byteCount: Int)

    public var description: String {
      switch self {
      case .gapTooLong(let track, let tick):
        "the event at tick \(tick) of track \(track + 1) must be at most 268435455 ticks after the one "
          + "before it; put a text event between them"
      case .trackTooLong(let track, let byteCount):
        "track \(track + 1) must be at most 4294967295 bytes long, but has \(byteCount); split it"
      }
    }
  }
}

/// Encodes the events of one track chunk.
private struct TrackEncoder {
  let track: Int
  let usesRunningStatus: Bool
  var bytes: [UInt8] = []
  private var tick: Int64 = 0
  private var runningStatus: UInt8 = 0

  init(track: Int, usesRunningStatus: Bool) {
    self.track = track
    self.usesRunningStatus = usesRunningStatus
  }

  mutating func append(
    _ event: StandardMIDIFile.Event
  ) throws(StandardMIDIFile.EncodingError) {
    try appendDelta(to: event.tick)
    if case .channel(let message) = event.content {
      append(message)
      return
    }
    runningStatus = 0
    switch event.content {
    case .channel: break
    case .sysEx(let data):
      bytes.append(0xF0)
      bytes.append(quantity: data.count + 1)
      bytes += data
      bytes.append(0xF7)
    case .escape(let data):
      bytes.append(0xF7)
      bytes.append(quantity: data.count)
      bytes += data
    case .meta(let meta):
      bytes += [0xFF, meta.type]
      bytes.append(quantity: meta.data.count)
      bytes += meta.data
    }
  }

  mutating func appendEnd(at tick: Int64) throws(StandardMIDIFile.EncodingError) {
    try appendDelta(to: tick)
    bytes += [0xFF, MetaEvent.endOfTrackType, 0]
  }

  private mutating func append(_ message: ChannelMessage) {
    if message.status != runningStatus || !usesRunningStatus { bytes.append(message.status) }
    runningStatus = message.status
    bytes.append(message.data1)
    if ChannelMessage.dataCount(ofStatus: message.status) == 2 { bytes.append(message.data2) }
  }

  private mutating func appendDelta(
    to next: Int64
  ) throws(StandardMIDIFile.EncodingError) {
    guard next - tick < 1 << 28 else { throw .gapTooLong(track: track, tick: next) }
    bytes.append(quantity: Int(next - tick))
    tick = next
  }
}

extension [UInt8] {
  fileprivate mutating func append(bigEndian number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
  }

  /// - Parameter quantity: 0…2²⁸ − 1.
  fileprivate mutating func append(quantity: Int) {
    for shift in [21, 14, 7] where quantity >> shift > 0 {
      append(UInt8(quantity >> shift & 0x7F) | 0x80)
    }
    append(UInt8(quantity & 0x7F))
  }
}
