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
  static let junkLimit = 4096

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
