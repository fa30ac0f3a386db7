/// Reads the chunks after the header, and decodes the tracks among them.
///
/// The lengths in chunk headers are often wrong. The end of the events and the start of the next chunk are more
/// reliable. Every byte is examined a bounded number of times, so that the search takes linear time for any file.
struct ChunkReader {
  private let bytes: UnsafeRawBufferPointer
  private let end: Int
  private var position: Int
  private(set) var repairs: RepairLog
  private(set) var tracks: [StandardMIDIFile.Track] = []

  init(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>, repairs: RepairLog) {
    self.bytes = bytes
    self.position = range.lowerBound
    self.end = range.upperBound
    self.repairs = repairs
  }

  mutating func readTracks() {
    while position < end {
      guard isChunk(at: position) else {
        skipJunk()
        continue
      }
      if bytes.has("MThd", at: position) {
        repairs.add(.secondFile, at: position)
        return
      }
      if bytes.has("MTrk", at: position) {
        guard tracks.count < 0xFFFF else {
          repairs.add(.tooManyTracks, at: position)
          return
        }
        readTrack()
      } else {
        position += 8 + length(at: position)
      }
    }
  }

  private mutating func skipJunk() {
    let next = bytes.find("MTrk", in: position..<end) ?? end
    let count = next - position
    repairs.add(
      next < end ? .junkBetweenChunks(byteCount: count) : .junkAtEnd(byteCount: count),
      at: position)
    // An "MTrk" in the last seven bytes is not a chunk.
    position = isChunk(at: next) ? next : end
  }

  private mutating func readTrack() {
    let chunk = position
    let announced = length(at: chunk)
    let start = chunk + 8
    let announcedEnd = min(start + announced, end)

    var decoder = TrackDecoder(bytes, start..<announcedEnd, repairs: repairs)
    var ending = decoder.decode()
    if case .ranOut(let insideEvent) = ending, announcedEnd < end, !isChunk(at: announcedEnd) {
      // The length may be too short. A longer track cannot extend beyond the start of the next one. It is accepted
      // if it has an end of track there, or at least completes an event that the length cuts off.
      let limit = bytes.find("MTrk", in: announcedEnd..<end) ?? end
      var longer = TrackDecoder(bytes, start..<limit, repairs: repairs)
      let longerEnding = longer.decode()
      if longerEnding == .endOfTrack || insideEvent && longerEnding == .ranOut(insideEvent: false) {
        (decoder, ending) = (longer, longerEnding)
      }
    }
    tracks.append(decoder.track)
    repairs = decoder.repairs
    position = max(announcedEnd, decoder.position)

    let found = decoder.position - start
    switch ending {
    case _ where decoder.position > announcedEnd:
      repairs.add(.trackLength(announced: announced, found: found), at: chunk + 4)
      if ending != .endOfTrack { repairs.add(.missingEndOfTrack, at: decoder.position) }
    case .endOfTrack where decoder.position < announcedEnd:
      if bytes.has("MTrk", at: decoder.position) {
        repairs.add(.trackLength(announced: announced, found: found), at: chunk + 4)
        position = decoder.position
      } else {
        repairs.add(
          .bytesAfterEndOfTrack(byteCount: announcedEnd - decoder.position), at: decoder.position)
      }
    case .endOfTrack where start + announced > end:
      repairs.add(.trackLength(announced: announced, found: found), at: chunk + 4)
    case .endOfTrack, .unreadable:
      break
    case .ranOut(let insideEvent):
      if start + announced > end {
        repairs.add(.chunkCut(announced: announced, found: end - start), at: chunk + 4)
      }
      if insideEvent { repairs.add(.cutInsideEvent, at: decoder.lastEventOffset) }
      repairs.add(.missingEndOfTrack, at: decoder.position)
    }
  }

  /// Returns whether a chunk can start here: a track or header in any case, another chunk if it fits.
  private func isChunk(at offset: Int) -> Bool {
    guard end - offset >= 8 else { return false }
    if bytes.has("MTrk", at: offset) || bytes.has("MThd", at: offset) { return true }
    return bytes[offset..<offset + 4].allSatisfy { 0x20...0x7E ~= $0 }
      && length(at: offset) <= end - offset - 8
  }

  private func length(at chunk: Int) -> Int {
    Int(UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: chunk + 4, as: UInt32.self)))
  }
}

extension UnsafeRawBufferPointer {
  /// Returns whether the four characters of `name` are at `offset`.
  func has(_ name: StaticString, at offset: Int) -> Bool {
    guard offset >= 0, count - offset >= 4 else { return false }
    return (0..<4).allSatisfy { self[offset + $0] == name.utf8Start[$0] }
  }

  /// Returns the first offset in `range` at which the four characters of `name` occur.
  func find(_ name: StaticString, in range: Range<Int>) -> Int? {
    guard range.count >= 4 else { return nil }
    return (range.lowerBound...range.upperBound - 4).first { has(name, at: $0) }
  }
}
