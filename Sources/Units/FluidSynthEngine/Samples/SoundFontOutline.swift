/// The parts of a SoundFont file that are needed to load its samples one by one.
struct SoundFontOutline {
  let tables: SoundFontTables
  let image: SoundFontImage
  /// The byte range of the 16-bit samples in the file.
  let samples: Range<Int>
  /// The byte range of the lowest 8 bits of 24-bit samples; `nil` for 16-bit samples.
  let lowBytes: Range<Int>?
  /// The number of frames of sample data.
  var frames: Int { samples.count / 2 }

  /// The maximum size in bytes of everything but the samples. No real font is known to exceed it.
  private static let largestRest = 256 << 20

  /// Reads the outline of a SoundFont 2 file.
  ///
  /// - Returns: `nil` if the file violates the standard or its samples are compressed. FluidSynth may still be
  ///   able to load it as a whole.
  init?(_ file: SampleFile) {
    guard let form = RIFFChunk(file, at: 0, limit: file.size), form.id == "RIFF",
      form.content.upperBound == file.size, let lists = form.chunks(file, type: "sfbk"),
      lists.count == 3, lists.allSatisfy({ $0.id == "LIST" }),
      Self.hasPlainSamples(file, lists[0]), let data = lists[1].chunks(file, type: "sdta"),
      let smpl = data.first, smpl.id == "smpl", smpl.content.count.isMultiple(of: 2),
      let tables = Self.tables(file, lists[2])
    else { return nil }
    // Version 2 does not allow compressed samples.
    guard tables.samples.allSatisfy({ $0.type & 0x10 == 0 }) else { return nil }
    self.tables = tables
    samples = smpl.content
    lowBytes = data.dropFirst().first { $0.id == "sm24" }?.content
    guard let image = Self.image(file, samples, lowBytes) else { return nil }
    self.image = image
  }

  /// Whether the file has version 2. In version 3, samples are compressed.
  private static func hasPlainSamples(_ file: SampleFile, _ info: RIFFChunk) -> Bool {
    let version = info.chunks(file, type: "INFO")?.first { $0.id == "ifil" }
    guard let version, version.content.count == 4, let bytes = file.bytes(version.content)
    else { return false }
    return bytes.uint16(at: 0) == 2
  }

  private static func tables(_ file: SampleFile, _ list: RIFFChunk) -> SoundFontTables? {
    let names = ["phdr", "pbag", "pmod", "pgen", "inst", "ibag", "imod", "igen", "shdr"]
    guard list.content.count <= largestRest, let chunks = list.chunks(file, type: "pdta"),
      chunks.prefix(9).map(\.id) == names, let bytes = file.bytes(list.content)
    else { return nil }
    let start = list.content.lowerBound
    return SoundFontTables(
      bytes,
      chunks.prefix(9).map { $0.content.lowerBound - start..<$0.content.upperBound - start })
  }

  private static func image(
    _ file: SampleFile, _ samples: Range<Int>, _ lowBytes: Range<Int>?
  ) -> SoundFontImage? {
    guard file.size - samples.count - (lowBytes?.count ?? 0) <= largestRest else { return nil }
    var image = SoundFontImage()
    for (range, content) in [(samples, SoundFontImage.Part.Content.samples)]
      + (lowBytes.map { [($0, .lowBytes)] } ?? [])
    {
      guard let bytes = file.bytes(image.size..<range.lowerBound) else { return nil }
      image.append(bytes)
      image.append(content, size: range.count)
    }
    guard let bytes = file.bytes(image.size..<file.size) else { return nil }
    image.append(bytes)
    return image
  }
}

extension SoundFontOutline {
  /// The number of samples that FluidSynth accepts: those with a valid range and type.
  var playableSamples: Int {
    tables.samples.count { sample in
      // FluidSynth's end is the last frame.
      let end = max(0, sample.end - 1)
      return sample.start < end && end <= frames && sample.type & ~0xF == 0
    }
  }

  /// Returns the frames that a voice may read: the sample, the 46 frames after it that the standard requires,
  /// and the loop.
  func reach(of sample: SoundFontTables.Sample) -> RangeSet<Int> {
    var reach = RangeSet<Int>()
    let (start, end) = (min(sample.start, frames), min(sample.end + 46, frames))
    if start < end { reach.insert(contentsOf: start..<end) }
    let loop = self.loop(of: sample)
    let loopEnd = min(loop.end, frames)
    if loop.start < loopEnd { reach.insert(contentsOf: loop.start..<loopEnd) }
    return reach
  }

  /// Returns the loop of a sample as FluidSynth corrects it.
  func loop(of sample: SoundFontTables.Sample) -> SampleLoop {
    var loop = SampleLoop(start: sample.loopStart, end: sample.loopEnd)
    loop.end = SoundFontGuard.endOfLoop(start: loop.start, end: loop.end)
    if loop.start > loop.end { (loop.start, loop.end) = (loop.end, loop.start) }
    if loop.start < sample.start || loop.start > frames { loop.start = sample.start }
    if loop.end < sample.start || loop.end > frames { loop.end = sample.end }
    return loop
  }
}

/// The loop of a sample, in frames of the whole sample data.
struct SampleLoop: Hashable {
  var start: Int
  var end: Int
}
