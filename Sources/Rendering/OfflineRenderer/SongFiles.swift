import AudioFile

/// The files of one song, being written: the mix, and its stems where there are some.
///
/// They get their names together, the mix at last; going without ``finish()`` leaves nothing behind.
/// In formats that keep integers, those of the stems add up to those of the mix; see ``JointQuantizer``.
///
/// Threads: one at a time.
final class SongFiles {
  private var mix: RenderedFile?
  private let stemFiles: StemFiles?
  private let stems: [StemFile]
  private var quantizer: JointQuantizer?
  /// Stems in the order in which they are rounded: the last one takes what is left.
  private var roundingOrder: [Int] = []
  private var integers: [Int32] = []

  init(mix: consuming RenderedFile, stems stemFiles: StemFiles? = nil) {
    self.mix = consume mix
    self.stemFiles = stemFiles
    stems = stemFiles?.list ?? []
    guard let settings = stemFiles?.settings else { return }
    quantizer = JointQuantizer(settings.format, seed: settings.seed)
    roundingOrder = Array(stems.indices)
    // A rest that is empty, as a rule, is to stay so.
    if let rest = stems.last, rest.isLeftOutIfSilent {
      roundingOrder = [stems.count - 1] + roundingOrder.dropLast()
    }
  }

  var count: Int { 1 + stems.count }

  /// What was written to the mix so far.
  var summary: AudioFileWriter.Summary { mix?.summary ?? .init() }

  var stemsReport: StemsReport? {
    if stems.isEmpty { return nil }
    var report = StemsReport(
      clippedSamples: quantizer?.clippedSamples ?? 0, otherFiles: stemFiles?.otherFiles ?? 0)
    for stem in stems where !stem.isLeftOut {
      var audio = AudioFigures()
      audio.file = stem.summary
      report.stems.append(.init(name: stem.name, path: stem.path, audio: audio))
    }
    return report
  }

  /// Appends frames.
  ///
  /// - Parameter samples: Gives those of a file, left and right side by side; 0 is the mix, and then
  ///   come the stems.
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
    // Out of the object, that a span of it may be had.
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

  /// Completes the files, and gives them their names once all are whole.
  func finish() throws(AudioFileError) -> (mix: AudioFigures, stems: StemsReport?) {
    for stem in stems where !stem.isLeftOut { try stem.file?.complete() }
    try mix?.complete()
    var report = stemsReport
    report?.stems = []
    for stem in stems {
      if let audio = try stem.finish() {
        report?.stems.append(.init(name: stem.name, path: stem.path, audio: audio))
      }
    }
    guard let mix = mix.take() else { preconditionFailure("files are finished once") }
    let audio = try mix.finish()
    for stem in stems { stem.keep() }
    return (audio, report)
  }

  /// Removes what was not finished.
  func discard() {
    mix = nil
    stemFiles?.discard()
  }
}
