import AudioFile

/// The files of one song that is being rendered: the mix, and its stems if there are any.
///
/// They are moved to their destinations together, the mix last; without ``finish()`` no file remains. In integer
/// formats, the stems add up exactly to the mix; see ``JointQuantizer``.
///
/// Threads: one at a time.
final class SongFiles {
  private var mix: RenderedFile?
  private let stemFiles: StemFiles?
  private let stems: [StemFile]
  private var quantizer: JointQuantizer?
  /// The order in which stems are rounded: the last one gets the remaining difference to the mix.
  private var roundingOrder: [Int] = []
  private var integers: [Int32] = []

  init(mix: consuming RenderedFile, stems stemFiles: StemFiles? = nil) {
    self.mix = consume mix
    self.stemFiles = stemFiles
    stems = stemFiles?.list ?? []
    guard let settings = stemFiles?.settings else { return }
    quantizer = JointQuantizer(settings.format, seed: settings.seed)
    roundingOrder = Array(stems.indices)
    // The remaining audio is usually silent, and has to stay silent, so it is not rounded last.
    if let rest = stems.last, rest.isOmittedIfSilent {
      roundingOrder = [stems.count - 1] + roundingOrder.dropLast()
    }
  }

  var count: Int { 1 + stems.count }

  /// The summary of the mix so far.
  var summary: AudioFileWriter.Summary { mix?.summary ?? .init() }

  var stemsReport: StemsReport? {
    if stems.isEmpty { return nil }
    var report = StemsReport(
      clippedSamples: quantizer?.clippedSamples ?? 0, otherFiles: stemFiles?.otherFiles ?? 0)
    for stem in stems where !stem.isOmitted {
      var audio = AudioFigures()
      audio.file = stem.summary
      report.stems.append(stem.entry(audio))
    }
    return report
  }

  /// Appends frames.
  ///
  /// - Parameter samples: Returns the interleaved samples of a file; 0 is the mix, followed by the stems.
  func write(
    _ frames: Int, _ samples: (_ file: Int) -> UnsafeBufferPointer<Float>
  ) throws(AudioFileError) {
    if quantizer != nil {
      try writeIntegers(2 * frames, samples)
      return
    }
    try mix?.write(interleaved: samples(0).span)
    for (index, stem) in stems.enumerated() {
      try stem.file?.write(interleaved: samples(1 + index).span)
    }
  }

  private func writeIntegers(
    _ count: Int, _ samples: (_ file: Int) -> UnsafeBufferPointer<Float>
  ) throws(AudioFileError) {
    // Moved out of the object, so that a span of it can be used.
    var integers: [Int32] = []
    swap(&integers, &self.integers)
    defer { swap(&integers, &self.integers) }
    if integers.count < count { integers = Array(repeating: 0, count: count) }
    quantizer?.roundMix(samples(0).span, to: &integers)
    try mix?.write(interleaved: samples(0).span, as: integers.span.extracting(first: count))
    for index in roundingOrder {
      let audio = samples(1 + index)
      if index == roundingOrder.last {
        quantizer?.roundLast(count, to: &integers)
      } else {
        quantizer?.roundStem(audio.span, to: &integers)
      }
      try stems[index].file?.write(
        interleaved: audio.span, as: integers.span.extracting(first: count))
    }
  }

  /// Completes all files, then moves them to their destinations.
  func finish() throws(AudioFileError) -> (mix: AudioFigures, stems: StemsReport?) {
    for stem in stems where !stem.isOmitted { try stem.file?.complete() }
    try mix?.complete()
    var report = stemsReport
    report?.stems = []
    for stem in stems {
      if let audio = try stem.finish() {
        report?.stems.append(stem.entry(audio))
      }
    }
    guard let mix = mix.take() else { preconditionFailure("files can be finished only once") }
    let audio = try mix.finish()
    for stem in stems { stem.commit() }
    return (audio, report)
  }

  /// Removes unfinished files.
  func discard() {
    mix = nil
    stemFiles?.discard()
  }
}
