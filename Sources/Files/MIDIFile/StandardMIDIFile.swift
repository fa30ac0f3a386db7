import RenderCore

/// A Standard MIDI File: tracks of events with ticks.
///
/// The value represents the file's contents. ``timeline(sampleRate:)`` converts it to a ``Timeline``, in which every
/// event has a frame, for rendering.
///
/// Two files are equal if format, division and tracks are equal. ``repairs`` describe how a file was read, and are
/// not compared.
///
/// Realtime: no; files are read, created and written off the render thread.
///
/// Source: RP-001, *Standard MIDI Files 1.0*.
public struct StandardMIDIFile: Equatable, Sendable {
  /// The relation between the tracks; the raw value is the one in the header.
  public enum Format: UInt16, Sendable {
    /// A single track with all events.
    case singleTrack = 0
    /// Tracks that play simultaneously. Tempo and time signatures of any track apply to all.
    case simultaneous = 1
    /// Independent sequences, one per track. The timeline plays them one after another.
    case sequential = 2
  }

  /// The relation between the tracks.
  public let format: Format
  /// The unit of all ticks.
  public let division: Division
  /// The tracks in file order. Never empty; exactly one in format 0.
  public let tracks: [Track]

  /// The SoundFont in the file's RIFF container; `nil` if there is none. Not compared either.
  public internal(set) var embeddedSoundFont: EmbeddedSoundFont?

  /// A song whose tempos, time signatures, key signatures, texts and names of tracks this one has instead of its own, which
  /// then only place its events in time. Not compared either.
  package var score: Score?

  /// A reference, because a song contains it.
  package final class Score: Sendable {
    let song: StandardMIDIFile
    package init(_ song: StandardMIDIFile) { self.song = song }
  }

  /// The repaired faults, in the order found, at most ``maximumRepairs``. Empty for a valid file and for one created
  /// in memory.
  public let repairs: [Repair]
  /// The number of repairs that are not listed in ``repairs``.
  public let unlistedRepairCount: Int

  /// The greatest length of ``repairs``. It limits the memory for badly damaged files.
  public static let maximumRepairs = 100

  /// Creates a file from tracks.
  ///
  /// - Parameters:
  ///   - division: Ticks per quarter note in 1…32 767, or ticks per frame in 1…255.
  ///   - tracks: 1…65 535; exactly one in format 0.
  /// - Precondition: The numbers are in range.
  public init(format: Format, division: Division, tracks: [Track]) {
    precondition(division.isValid, "a division of zero, or over 32767 ticks per quarter note")
    precondition(1...0xFFFF ~= tracks.count, "a file has 1 to 65535 tracks")
    precondition(format != .singleTrack || tracks.count == 1, "a file of format 0 has one track")
    self.init(
      format: format, division: division, tracks: tracks, repairs: RepairLog())
  }

  init(format: Format, division: Division, tracks: [Track], repairs: RepairLog) {
    self.format = format
    self.division = division
    self.tracks = tracks
    self.repairs = repairs.listed
    self.unlistedRepairCount = repairs.unlistedCount
  }

  public static func == (a: Self, b: Self) -> Bool {
    a.format == b.format && a.division == b.division && a.tracks == b.tracks
  }
}

extension StandardMIDIFile {
  /// Reads a file from its bytes.
  ///
  /// Besides plain files, these are accepted: RIFF containers (`.rmi`), and up to 4 096 bytes of other data before
  /// the header chunk, such as a MacBinary header. Faults that can be interpreted are repaired and listed in
  /// ``repairs``. Takes linear time and memory for any input.
  ///
  /// - Throws: ``DecodingError`` if there is no valid header or no track.
  ///
  /// Source: RP-001, *Standard MIDI Files 1.0*; RP-029, *RMID File Format*.
  public init(decoding bytes: [UInt8]) throws(DecodingError) {
    self = try bytes.withUnsafeBufferPointer { (buffer) throws(DecodingError) in
      try Self(decoding: UnsafeRawBufferPointer(buffer))
    }
  }

  /// Reads a file from bytes in memory, such as a mapped file. They are not retained.
  ///
  /// - Throws: As ``init(decoding:)-([UInt8])``.
  public init(decoding bytes: UnsafeRawBufferPointer) throws(DecodingError) {
    guard bytes.count > 0 else { throw .empty }
    var repairs = RepairLog()
    let range = try Self.findHeader(in: bytes, &repairs)
    let header = try Header(bytes, range)
    var chunks = ChunkReader(bytes, header.end..<range.upperBound, repairs: repairs)
    chunks.readTracks()
    repairs = chunks.repairs
    guard !chunks.tracks.isEmpty else { throw .noTracks(offset: header.end) }

    let count = chunks.tracks.count
    var format = Format(rawValue: header.format)
    if format == nil {
      repairs.add(.unknownFormat(header.format), at: range.lowerBound + 8)
    }
    if count != header.trackCount {
      repairs.add(
        .trackCount(announced: header.trackCount, found: count), at: range.lowerBound + 10)
    }
    if format == .singleTrack, count > 1 {
      repairs.add(.formatZeroWithTracks(count: count), at: range.lowerBound + 8)
      format = .simultaneous
    }
    self.init(
      format: format ?? .simultaneous, division: header.division, tracks: chunks.tracks,
      repairs: repairs)
    embeddedSoundFont = EmbeddedSoundFont(in: bytes)
  }

  /// The number of bytes in which the header is searched.
  private static let junkLimit = 4096

  /// The number of bytes that ``mayBegin(with:)`` needs.
  public static let beginning = junkLimit + 4

  /// Returns whether a file that starts with these bytes may be a Standard MIDI File. If not, the rest need not be
  /// read, because ``init(decoding:)-([UInt8])`` would reject it.
  public static func mayBegin(with bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { bytes in
      bytes.has("RIFF", at: 0)
        || bytes.find("MThd", in: 0..<min(bytes.count, beginning)) != nil
    }
  }

  /// Returns the range from the header chunk to the end of the file's data.
  private static func findHeader(
    in bytes: UnsafeRawBufferPointer, _ repairs: inout RepairLog
  ) throws(DecodingError) -> Range<Int> {
    if let data = riffData(in: bytes, &repairs), bytes.has("MThd", at: data.lowerBound) {
      return data
    }
    let searched = min(bytes.count, beginning)
    guard let start = bytes.find("MThd", in: 0..<searched) else {
      throw .noHeader(searched: searched)
    }
    if start > 0 { repairs.add(.junkBeforeHeader(byteCount: start), at: 0) }
    return start..<bytes.count
  }

  /// Returns the data chunk of a RIFF file of type RMID, or `nil` if there is none.
  private static func riffData(
    in bytes: UnsafeRawBufferPointer, _ repairs: inout RepairLog
  ) -> Range<Int>? {
    guard bytes.has("RIFF", at: 0), bytes.has("RMID", at: 8) else { return nil }
    var position = 12
    while bytes.count - position >= 8 {
      let length = Int(
        UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: position + 4, as: UInt32.self)))
      let start = position + 8
      if bytes.has("data", at: position) {
        let left = bytes.count - start
        if length > left {
          repairs.add(.containerCut(announced: length, found: left), at: position + 4)
        }
        return start..<start + min(length, left)
      }
      position = start + length + length % 2
    }
    return nil
  }
}

/// The contents of a header chunk.
private struct Header {
  let format: UInt16
  let trackCount: Int
  let division: Division
  /// The first byte after the chunk, which may be longer than the known fields.
  let end: Int

  init(
    _ bytes: UnsafeRawBufferPointer, _ range: Range<Int>
  ) throws(StandardMIDIFile.DecodingError) {
    let start = range.lowerBound
    guard range.count >= 14 else { throw .headerCut(offset: start, found: range.count) }
    var cursor = ByteCursor(bytes, start + 4..<range.upperBound)
    let length = Int(cursor.bigEndian(4)!)
    guard length >= 6 else { throw .headerTooShort(offset: start, length: length) }
    format = UInt16(cursor.bigEndian(2)!)
    trackCount = Int(cursor.bigEndian(2)!)
    let (high, low) = (UInt8(cursor.bigEndian(1)!), UInt8(cursor.bigEndian(1)!))
    end = start + 8 + min(length, range.count - 8)

    if high < 0x80 {
      division = .ticksPerQuarter(UInt16(high) << 8 | UInt16(low))
    } else {
      guard let rate = Division.FrameRate(rawValue: Int8(bitPattern: high)) else {
        throw .unknownFrameRate(offset: start + 12, value: -Int(Int8(bitPattern: high)))
      }
      division = .timeCode(rate, ticksPerFrame: low)
    }
    guard division.isValid else { throw .zeroDivision(offset: start + 12) }
  }
}

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
