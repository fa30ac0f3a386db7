/// A SoundFont of noise of any size, to measure the cost of large SoundFonts. No two samples are equal.
///
/// Each preset of bank 0 has two samples, one for each half of the keyboard; every second sample is looped.
package struct NoiseSoundFont {
  /// The number of presets, 1…128.
  package var presets: Int
  /// The length of each sample in frames.
  package var frames: Int
  /// Whether samples have 24 bits instead of 16.
  package var has24Bits: Bool
  /// What the velocity modulates in each zone of an instrument: the index of a generator; `nil` for nothing.
  package var modulatorDestination: UInt16?
  /// Generators of each zone of an instrument, by their numbers.
  package var generators: [(number: UInt16, value: Int16)]

  package init(
    presets: Int = 4, frames: Int = 4_000, has24Bits: Bool = false,
    modulatorDestination: UInt16? = nil, generators: [(number: UInt16, value: Int16)] = []
  ) {
    self.presets = presets
    self.frames = frames
    self.has24Bits = has24Bits
    self.modulatorDestination = modulatorDestination
    self.generators = generators
  }

  /// The silence after each sample that the standard requires, in frames.
  private static let gap = 46
  private static let samplesPerPreset = 2
  private var samples: Int { presets * Self.samplesPerPreset }

  /// Writes the file in pieces.
  ///
  /// - Parameter write: Receives the bytes in order, at most one sample or table at a time.
  package func write<Failure: Error>(
    _ write: (_ bytes: [UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    let dataFrames = samples * (frames + Self.gap)
    let lowBytes = has24Bits ? dataFrames + dataFrames % 2 : 0
    let dataSize = 4 + 8 + dataFrames * 2 + (has24Bits ? 8 + lowBytes : 0)
    var tables = RIFFBytes()
    tables.append(list: "LIST", type: "pdta", self.tables())
    var information = RIFFBytes()
    information.append(list: "LIST", type: "INFO", self.information())

    var head = RIFFBytes()
    head.append(Array("RIFF".utf8))
    head.append(UInt32(4 + information.bytes.count + 8 + dataSize + tables.bytes.count))
    head.append(Array("sfbk".utf8) + information.bytes)
    head.append(Array("LIST".utf8))
    head.append(UInt32(dataSize))
    head.append(Array("sdtasmpl".utf8))
    head.append(UInt32(dataFrames * 2))
    try write(head.bytes)
    for sample in 0..<samples { try write(noise(sample, bytesPerFrame: 2)) }
    if has24Bits {
      var header = RIFFBytes()
      header.append(Array("sm24".utf8))
      header.append(UInt32(lowBytes))
      try write(header.bytes)
      for sample in 0..<samples { try write(noise(sample + samples, bytesPerFrame: 1)) }
      try write([UInt8](repeating: 0, count: lowBytes - dataFrames))
    }
    try write(tables.bytes)
  }

  /// Returns the bytes of the whole file.
  package func bytes() -> [UInt8] {
    var bytes: [UInt8] = []
    write { bytes += $0 }
    return bytes
  }

  /// Returns a sample and the silence after it.
  private func noise(_ seed: Int, bytesPerFrame: Int) -> [UInt8] {
    let size = frames * bytesPerFrame
    var state = UInt64(seed + 1) &* 0x9E37_79B9_7F4A_7C15
    return [UInt8](unsafeUninitializedCapacity: size + Self.gap * bytesPerFrame) { bytes, count in
      for index in 0..<size {
        // Xorshift: Marsaglia 2003.
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        bytes[index] = UInt8(truncatingIfNeeded: state >> 32)
      }
      count = size + Self.gap * bytesPerFrame
      for index in size..<count { bytes[index] = 0 }
    }
  }

  private func information() -> RIFFBytes {
    var version = RIFFBytes()
    version.append(UInt16(2))
    version.append(UInt16(has24Bits ? 4 : 1))
    var chunks = RIFFBytes()
    chunks.append(chunk: "ifil", version.bytes)
    chunks.append(chunk: "isng", text: "EMU8000")
    chunks.append(chunk: "INAM", text: "Noise")
    return chunks
  }

  private func tables() -> RIFFBytes {
    var (phdr, pbag, pgen) = (RIFFBytes(), RIFFBytes(), RIFFBytes())
    var (inst, ibag, imod) = (RIFFBytes(), RIFFBytes(), RIFFBytes())
    var (igen, shdr) = (RIFFBytes(), RIFFBytes())
    let zoneGenerators = 3 + generators.count
    let zoneModulators = modulatorDestination == nil ? 0 : 1
    for preset in 0...presets {
      let isLast = preset == presets
      phdr.append(isLast ? "EOP" : "Noise \(preset)", fieldSize: 20)
      for value in [isLast ? 0 : preset, 0, preset] { phdr.append(UInt16(value)) }
      for _ in 0..<3 { phdr.append(UInt32(0)) }
      for value in [preset, 0] { pbag.append(UInt16(value)) }
      inst.append(isLast ? "EOI" : "Noise \(preset)", fieldSize: 20)
      inst.append(UInt16(preset * Self.samplesPerPreset))
      if isLast { break }
      pgen.append(Generator.instrument)
      pgen.append(UInt16(preset))
      for part in 0..<Self.samplesPerPreset {
        let sample = preset * Self.samplesPerPreset + part
        for value in [sample * zoneGenerators, sample * zoneModulators] {
          ibag.append(UInt16(value))
        }
        if let modulatorDestination {
          for value in [2, modulatorDestination, 500, 0, 0] { imod.append(value) }
        }
        igen.append(Generator.keyRange)
        igen.append([[0, 63], [64, 127]][part])
        for generator in generators {
          igen.append(generator.number)
          igen.append(UInt16(bitPattern: generator.value))
        }
        igen.append(Generator.sampleModes)
        igen.append(UInt16(sample % 2))
        igen.append(Generator.sampleID)
        igen.append(UInt16(sample))
        let start = sample * (frames + Self.gap)
        shdr.append("Noise \(sample)", fieldSize: 20)
        for value in [start, start + frames, start + frames / 4, start + frames - 8, 48_000] {
          shdr.append(UInt32(value))
        }
        shdr.append([60, 0, 0, 0, 1, 0])
      }
    }
    for value in [samples * zoneGenerators, samples * zoneModulators] {
      ibag.append(UInt16(value))
    }
    pgen.append(UInt32(0))
    igen.append(UInt32(0))
    shdr.append("EOS", fieldSize: 20)
    shdr.append([UInt8](repeating: 0, count: 26))

    var chunks = RIFFBytes()
    let none = [UInt8](repeating: 0, count: 10)
    imod.append(none)
    for (id, bytes) in [
      ("phdr", phdr.bytes), ("pbag", pbag.bytes), ("pmod", none), ("pgen", pgen.bytes),
      ("inst", inst.bytes), ("ibag", ibag.bytes), ("imod", imod.bytes), ("igen", igen.bytes),
      ("shdr", shdr.bytes),
    ] {
      chunks.append(chunk: id, bytes)
    }
    return chunks
  }
}

/// Numbers of generators. Source: *SoundFont Technical Specification 2.04*, section 8.1.2.
private enum Generator {
  static let instrument: UInt16 = 41
  static let keyRange: UInt16 = 43
  static let sampleID: UInt16 = 53
  static let sampleModes: UInt16 = 54
}
