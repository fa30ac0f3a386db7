import AudioFile

/// Keeps a song's audio while it is measured, and hands it on as loud as it is to be.
///
/// The mix is measured; its stems, if there are any, get the same gain, and so still add up to it.
///
/// Threads: one at a time.
final class Normalizer {
  private let target: Normalization
  private var meter: ScalableLoudness
  private var spool: NormalizationBuffer
  private let files: Int

  /// - Parameters:
  ///   - sampleRate: Frames per second.
  ///   - folder: Where a temporary file may be made.
  ///   - files: How many files the song has: the mix and its stems.
  init(_ target: Normalization, sampleRate: Int, folder: String, files: Int = 1) {
    guard let meter = ScalableLoudness(sampleRate: sampleRate) else {
      preconditionFailure("no meter for \(sampleRate) frames per second")
    }
    self.target = target
    self.meter = meter
    self.files = files
    spool = NormalizationBuffer(folder: folder)
  }

  /// Takes frames in.
  ///
  /// - Parameter samples: Gives those of a file, left and right side by side; 0 is the mix.
  func add(_ samples: (_ file: Int) -> UnsafeBufferPointer<Float>) throws(AudioFileError) {
    meter.add(interleaved: samples(0).span)
    for file in 0..<files { try spool.append(samples(file)) }
  }

  /// Hands all frames on, in the portions in which they came.
  ///
  /// - Parameters:
  ///   - isCancelled: Asked before every portion.
  ///   - write: Gets the samples of all files, the mix first.
  /// - Returns: What was done to them.
  func finish(
    isCancelled: () -> Bool,
    _ write: ([UnsafeMutableBufferPointer<Float>]) throws(AudioFileError) -> Void
  ) throws(RenderError) -> Normalization.Outcome {
    let outcome = target.outcome(truePeak: meter.truePeak) { meter.integratedLoudness(gain: $0) }
    let factor = outcome.factor
    try spool.replay(together: files) { portions throws(RenderError) in
      if isCancelled() { throw .cancelled }
      for samples in portions {
        for i in samples.indices { samples[i] *= factor }
      }
      do throws(AudioFileError) { try write(portions) } catch { throw .file(error) }
    }
    return outcome
  }
}
