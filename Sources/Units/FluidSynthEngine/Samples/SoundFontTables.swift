/// The samples that the presets of a SoundFont play, according to its tables (the "hydra").
///
/// The tables are parsed here because FluidSynth does not expose them. Tables that violate the standard are
/// rejected, because FluidSynth may interpret them differently.
///
/// Source: E-mu Systems, *SoundFont Technical Specification 2.04*, 2006, section 7.
struct SoundFontTables {
  struct Preset {
    var number: PresetNumber
    /// The range of the preset's zones in `zones`.
    var zones: Range<Int>
  }

  /// A range of keys and velocities that plays one sample.
  struct Zone: BitwiseCopyable {
    var lowestKey: UInt8 = 0
    var highestKey: UInt8 = 127
    var lowestVelocity: UInt8 = 0
    var highestVelocity: UInt8 = 127
    /// The index in `samples`.
    var sample: Int32 = -1
  }

  struct Sample: Equatable {
    /// The fields of the header, in frames of the whole sample data.
    var start: Int
    var end: Int
    var loopStart: Int
    var loopEnd: Int
    var type: UInt16
  }

  /// The maximum number of zones, many times that of real fonts.
  private static let mostZones = 1_000_000

  private(set) var presets: [Preset] = []
  private(set) var zones: [Zone] = []
  private(set) var samples: [Sample] = []

  /// - Parameters:
  ///   - bytes: The bytes of all tables.
  ///   - chunks: The ranges of the tables in `bytes`: phdr, pbag, pmod, pgen, inst, ibag, imod, igen, shdr.
  /// - Returns: `nil` if the tables violate the standard.
  init?(_ bytes: [UInt8], _ chunks: [Range<Int>]) {
    let records = zip(chunks, [38, 4, 10, 4, 22, 4, 10, 4, 46]).map {
      Records(bytes: bytes, range: $0, size: $1)
    }
    guard records.count == 9, records.allSatisfy(\.areWhole),
      let presetZones = Self.zones(records[0], index: 24, bags: records[1], records[3], last: 41),
      let instruments = Self.zones(records[4], index: 20, bags: records[5], records[7], last: 53)
    else { return nil }
    samples = (0..<records[8].count).map { Sample(records[8].bytes(of: $0)) }
    for (index, zones) in presetZones.enumerated() {
      let header = records[0]
      let first = self.zones.count
      for zone in zones {
        guard zone.sample < instruments.count else { return nil }
        self.zones += instruments[Int(zone.sample)].compactMap { $0.limited(to: zone) }
        guard self.zones.count <= Self.mostZones else { return nil }
      }
      presets.append(
        Preset(
          number: PresetNumber(
            bank: Int32(header.uint16(index, at: 22)),
            program: Int32(header.uint16(index, at: 20))),
          zones: first..<self.zones.count))
    }
    guard zones.allSatisfy({ $0.sample < samples.count }) else { return nil }
  }

  /// Returns the zones of each preset or instrument that play something.
  ///
  /// `sample` of each zone is the value of its terminal generator: an instrument or a sample.
  ///
  /// - Parameters:
  ///   - headers: The preset or instrument headers.
  ///   - index: The offset of the bag index in a header.
  ///   - bags: The bags of the zones.
  ///   - generators: The generators of the zones.
  ///   - last: The number of the terminal generator.
  private static func zones(
    _ headers: Records, index: Int, bags: Records, _ generators: Records, last: UInt16
  ) -> [[Zone]]? {
    let bagIndices = (0...headers.count).map { Int(headers.uint16($0, at: index)) }
    let generatorIndices = (0...bags.count).map { Int(bags.uint16($0, at: 0)) }
    guard bagIndices[0] == 0, generatorIndices[0] == 0, isRising(bagIndices),
      isRising(generatorIndices), bagIndices.last! <= bags.count,
      generatorIndices.last! <= generators.count
    else { return nil }
    return zip(bagIndices, bagIndices.dropFirst()).map { first, end in
      (first..<end).compactMap {
        Zone(generators, generatorIndices[$0]..<generatorIndices[$0 + 1], last: last)
      }
    }
  }

  private static func isRising(_ numbers: [Int]) -> Bool {
    zip(numbers, numbers.dropFirst()).allSatisfy { $0 <= $1 }
  }
}

/// A table of records of equal size. The last record only marks the end.
private struct Records {
  let bytes: [UInt8]
  let range: Range<Int>
  let size: Int

  var areWhole: Bool { range.count > 0 && range.count % size == 0 }
  /// The number of records without the terminal one.
  var count: Int { range.count / size - 1 }

  func bytes(of index: Int) -> [UInt8] {
    let start = range.lowerBound + index * size
    return Array(bytes[start..<start + size])
  }

  // Fonts have tens of thousands of generators, so fields are read without creating an array per record.
  func byte(_ index: Int, at offset: Int) -> UInt8 {
    bytes[range.lowerBound + index * size + offset]
  }

  func uint16(_ index: Int, at offset: Int) -> UInt16 {
    UInt16(byte(index, at: offset)) | UInt16(byte(index, at: offset + 1)) << 8
  }
}

extension SoundFontTables.Zone {
  /// - Returns: `nil` for a zone that plays nothing, such as a global zone.
  fileprivate init?(_ generators: Records, _ range: Range<Int>, last: UInt16) {
    self.init()
    for index in range {
      switch generators.uint16(index, at: 0) {
      // FluidSynth ignores ranges at other positions.
      case 43 where index == range.lowerBound:
        (lowestKey, highestKey) = (generators.byte(index, at: 2), generators.byte(index, at: 3))
      case 44 where index == range.lowerBound || isKeyRange(generators, range, before: index):
        (lowestVelocity, highestVelocity) = (
          generators.byte(index, at: 2), generators.byte(index, at: 3)
        )
      case last:
        sample = Int32(generators.uint16(index, at: 2))
        return
      default: break
      }
    }
    return nil
  }

  private func isKeyRange(_ generators: Records, _ range: Range<Int>, before index: Int) -> Bool {
    index == range.lowerBound + 1 && generators.uint16(range.lowerBound, at: 0) == 43
  }

  /// Returns an instrument's zone limited to the ranges of a preset's zone; `nil` if no note is left.
  fileprivate func limited(to other: Self) -> Self? {
    var zone = self
    zone.lowestKey = max(lowestKey, other.lowestKey)
    zone.highestKey = min(highestKey, other.highestKey)
    zone.lowestVelocity = max(lowestVelocity, other.lowestVelocity)
    zone.highestVelocity = min(highestVelocity, other.highestVelocity)
    let isEmpty =
      zone.lowestKey > zone.highestKey || zone.lowestVelocity > zone.highestVelocity
    return isEmpty ? nil : zone
  }

  @_noLocks func plays(key: UInt8, velocity: UInt8) -> Bool {
    lowestKey <= key && key <= highestKey && lowestVelocity <= velocity
      && velocity <= highestVelocity
  }
}

extension SoundFontTables.Sample {
  fileprivate init(_ header: [UInt8]) {
    start = Int(header.uint32(at: 20))
    end = Int(header.uint32(at: 24))
    loopStart = Int(header.uint32(at: 28))
    loopEnd = Int(header.uint32(at: 32))
    type = header.uint16(at: 44)
  }
}
