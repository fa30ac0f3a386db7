/// Writes a ``SoundFont`` as an `.sf2` file.
///
/// Source: E-mu Systems, *SoundFont Technical Specification 2.01*, 1998, sections 4 to 7.
struct SoundFontWriter {
  private let font: SoundFont

  init(_ font: SoundFont) { self.font = font }

  /// The whole file.
  func bytes() -> [UInt8] {
    var form = RIFFBytes()
    form.append(list: "LIST", type: "INFO", information())
    form.append(list: "LIST", type: "sdta", sampleData())
    form.append(list: "LIST", type: "pdta", hydra())
    var file = RIFFBytes()
    file.append(list: "RIFF", type: "sfbk", form)
    return file.bytes
  }

  private func information() -> RIFFBytes {
    var version = RIFFBytes()
    version.append(UInt16(2))
    version.append(UInt16(1))
    var chunks = RIFFBytes()
    chunks.append(chunk: "ifil", version.bytes)
    chunks.append(chunk: "isng", text: "EMU8000")
    chunks.append(chunk: "INAM", text: font.name)
    chunks.append(chunk: "IENG", text: font.engineer)
    chunks.append(chunk: "ICOP", text: font.copyright)
    chunks.append(chunk: "ICMT", text: font.comment)
    chunks.append(chunk: "ISFT", text: "makesounds:makesounds")
    return chunks
  }

  /// Frames of silence the standard asks for after each sample.
  private static let gap = 46

  private func sampleData() -> RIFFBytes {
    var data = RIFFBytes()
    for sample in font.samples {
      for frame in sample.frames {
        let scaled = (max(-1, min(1, frame)) * 32_767).rounded()
        data.append(Int16(scaled))
      }
      for _ in 0..<Self.gap { data.append(Int16(0)) }
    }
    var chunks = RIFFBytes()
    chunks.append(chunk: "smpl", data.bytes)
    return chunks
  }

  /// The nine tables: each ends with a terminal record, and each index points to the next table.
  private func hydra() -> RIFFBytes {
    var phdr = RIFFBytes()
    var pbag = RIFFBytes()
    var pgen = RIFFBytes()
    for (index, preset) in font.presets.enumerated() {
      phdr.append(preset.name, fieldSize: 20)
      for value in [preset.program, preset.bank, index] { phdr.append(UInt16(value)) }
      for _ in 0..<3 { phdr.append(UInt32(0)) }
      pbag.append(UInt16(index))
      pbag.append(UInt16(0))
      pgen.append(Generator.instrument.rawValue)
      pgen.append(UInt16(preset.instrument))
    }
    phdr.append("EOP", fieldSize: 20)
    for value in [0, 0, font.presets.count] { phdr.append(UInt16(value)) }
    for _ in 0..<3 { phdr.append(UInt32(0)) }
    pbag.append(UInt16(font.presets.count))
    pbag.append(UInt16(0))
    pgen.append(UInt32(0))

    var inst = RIFFBytes()
    var ibag = RIFFBytes()
    var imod = RIFFBytes()
    var igen = RIFFBytes()
    var (zones, generators, modulators) = (0, 0, 0)
    for instrument in font.instruments {
      inst.append(instrument.name, fieldSize: 20)
      inst.append(UInt16(zones))
      for zone in instrument.zones {
        ibag.append(UInt16(generators))
        ibag.append(UInt16(modulators))
        generators += append(zone, to: &igen)
        for modulator in zone.modulators { append(modulator, to: &imod) }
        modulators += zone.modulators.count
        zones += 1
      }
    }
    inst.append("EOI", fieldSize: 20)
    inst.append(UInt16(zones))
    ibag.append(UInt16(generators))
    ibag.append(UInt16(modulators))
    igen.append(UInt32(0))
    imod.append([UInt8](repeating: 0, count: 10))

    var chunks = RIFFBytes()
    chunks.append(chunk: "phdr", phdr.bytes)
    chunks.append(chunk: "pbag", pbag.bytes)
    chunks.append(chunk: "pmod", [UInt8](repeating: 0, count: 10))
    chunks.append(chunk: "pgen", pgen.bytes)
    chunks.append(chunk: "inst", inst.bytes)
    chunks.append(chunk: "ibag", ibag.bytes)
    chunks.append(chunk: "imod", imod.bytes)
    chunks.append(chunk: "igen", igen.bytes)
    chunks.append(chunk: "shdr", sampleHeaders())
    return chunks
  }

  /// Key range first and sample last, as the standard orders them. Returns how many were written.
  private func append(_ zone: SoundFont.Zone, to igen: inout RIFFBytes) -> Int {
    igen.append(Generator.keyRange.rawValue)
    igen.append(UInt8(zone.keys.lowerBound))
    igen.append(UInt8(zone.keys.upperBound))
    let middle = zone.generators.sorted { $0.key < $1.key }
    for (generator, amount) in middle {
      igen.append(generator.rawValue)
      igen.append(Int16(clamping: amount))
    }
    igen.append(Generator.sampleID.rawValue)
    igen.append(UInt16(zone.sample))
    return middle.count + 2
  }

  private func append(_ modulator: SoundFont.Modulator, to imod: inout RIFFBytes) {
    imod.append(modulator.source)
    imod.append(modulator.destination.rawValue)
    imod.append(Int16(clamping: modulator.amount))
    imod.append(UInt16(0))
    imod.append(UInt16(0))
  }

  private func sampleHeaders() -> [UInt8] {
    var shdr = RIFFBytes()
    var start = 0
    for sample in font.samples {
      let end = start + sample.frames.count
      // A sample without a loop gets one over its whole length: the field may not be empty.
      let loop = sample.loop ?? 8..<sample.frames.count - 8
      shdr.append(sample.name, fieldSize: 20)
      for value in [start, end, start + loop.lowerBound, start + loop.upperBound] {
        shdr.append(UInt32(value))
      }
      shdr.append(UInt32(sample.sampleRate))
      shdr.append(UInt8(sample.key))
      shdr.append(UInt8(0))  // pitch correction in cents: the rate already tunes it
      shdr.append(UInt16(0))  // no stereo partner
      shdr.append(UInt16(1))  // mono
      start = end + Self.gap
    }
    shdr.append("EOS", fieldSize: 20)
    shdr.append([UInt8](repeating: 0, count: 26))
    return shdr.bytes
  }
}
