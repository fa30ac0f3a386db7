import Foundation

/// Reads an SF2 file with nothing borrowed from the writer, and refuses what the standard forbids.
struct SoundFontReader {
  struct Failure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
  }

  struct Sample {
    var name: String
    var start, end, loopStart, loopEnd, rate, key: Int
  }

  struct Zone {
    /// Amounts by generator number; ranges are left as they are stored.
    var generators: [Int: Int] = [:]
    var keys: ClosedRange<Int> {
      let amount = generators[43] ?? 0x7f00
      return (amount & 0xff)...(amount >> 8)
    }
  }

  struct Preset {
    var name: String
    var bank, program: Int
    var instruments: [Int] = []
  }

  private(set) var chunks: [String: Range<Int>] = [:]
  private(set) var presets: [Preset] = []
  private(set) var instruments: [[Zone]] = []
  private(set) var samples: [Sample] = []
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) throws {
    self.bytes = bytes
    try readChunks(0..<bytes.count)
    guard chunks.count == 7 + 1 + 9 else { throw Failure("\(chunks.count) chunks, not 17") }
    try readSamples()
    try readInstruments()
    try readPresets()
  }

  /// One frame of the sample data.
  func frame(_ index: Int) -> Int {
    Int(Int16(truncatingIfNeeded: number(chunks["smpl"]!.lowerBound + 2 * index, 2)))
  }

  var frameCount: Int { chunks["smpl"]!.count / 2 }

  func text(_ id: String) -> String {
    String(decoding: bytes[chunks[id]!].prefix { $0 != 0 }, as: UTF8.self)
  }

  private func number(_ offset: Int, _ size: Int) -> Int {
    (0..<size).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
  }

  private mutating func readChunks(_ range: Range<Int>) throws {
    var offset = range.lowerBound
    while offset < range.upperBound {
      guard offset + 8 <= range.upperBound else { throw Failure("a chunk header is cut off") }
      let id = String(decoding: bytes[offset..<offset + 4], as: UTF8.self)
      let size = number(offset + 4, 4)
      guard size.isMultiple(of: 2) else { throw Failure("\(id) has the odd size \(size)") }
      guard offset + 8 + size <= range.upperBound else { throw Failure("\(id) runs over its list") }
      if id == "RIFF" || id == "LIST" {
        try readChunks(offset + 12..<offset + 8 + size)
      } else {
        chunks[id] = offset + 8..<offset + 8 + size
      }
      offset += 8 + size
    }
  }

  /// The offsets of a table's records, the terminal record included.
  private func records(_ id: String, size: Int) throws -> [Int] {
    guard let range = chunks[id] else { throw Failure("\(id) is missing") }
    guard range.count.isMultiple(of: size) else { throw Failure("\(id): \(range.count) bytes") }
    return Array(stride(from: range.lowerBound, to: range.upperBound, by: size))
  }

  private func name(_ offset: Int) -> String {
    String(decoding: bytes[offset..<offset + 20].prefix { $0 != 0 }, as: UTF8.self)
  }

  private mutating func readSamples() throws {
    for offset in try records("shdr", size: 46).dropLast() {
      let fields = stride(from: 20, to: 40, by: 4).map { number(offset + $0, 4) }
      samples.append(
        Sample(
          name: name(offset), start: fields[0], end: fields[1], loopStart: fields[2],
          loopEnd: fields[3], rate: fields[4], key: number(offset + 40, 1)))
    }
  }

  private func zones(bags: String, _ bag: Range<Int>, generators: String) throws -> [Zone] {
    let bagTable = try records(bags, size: 4)
    let table = try records(generators, size: 4)
    return bag.map { index in
      var zone = Zone()
      for entry in number(bagTable[index], 2)..<number(bagTable[index + 1], 2) {
        zone.generators[number(table[entry], 2)] = number(table[entry] + 2, 2)
      }
      return zone
    }
  }

  private mutating func readInstruments() throws {
    let table = try records("inst", size: 22)
    for (offset, next) in zip(table, table.dropFirst()) {
      let bag = number(offset + 20, 2)..<number(next + 20, 2)
      instruments.append(try zones(bags: "ibag", bag, generators: "igen"))
    }
  }

  private mutating func readPresets() throws {
    let table = try records("phdr", size: 38)
    for (offset, next) in zip(table, table.dropFirst()) {
      let bag = number(offset + 24, 2)..<number(next + 24, 2)
      let used = try zones(bags: "pbag", bag, generators: "pgen").compactMap { $0.generators[41] }
      presets.append(
        Preset(
          name: name(offset), bank: number(offset + 22, 2), program: number(offset + 20, 2),
          instruments: used))
    }
  }
}
