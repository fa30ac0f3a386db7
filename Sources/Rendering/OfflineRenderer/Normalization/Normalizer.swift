import AudioFile

/// Measures and stores a song's audio, then passes it on with the gain that gives the target level.
///
/// The mix is measured; its stems, if there are any, get the same gain, and so still add up to it.
///
/// Threads: one at a time.
final class Normalizer {
  private let target: Normalization
  private var meter: ScalableLoudness
  private var buffer: NormalizationBuffer
  private let files: Int

  /// Creates a normalizer.
  ///
  /// - Parameters:
  ///   - sampleRate: Frames per second.
  ///   - folder: The folder for a temporary file.
  ///   - files: The number of files of the song: the mix and its stems.
  init(_ target: Normalization, sampleRate: Int, folder: String, files: Int = 1) {
    guard let meter = ScalableLoudness(sampleRate: sampleRate) else {
      preconditionFailure("no meter for \(sampleRate) frames per second")
    }
    self.target = target
    self.meter = meter
    self.files = files
    buffer = NormalizationBuffer(folder: folder)
  }

  /// Measures and stores frames.
  ///
  /// - Parameter samples: Returns the interleaved samples of a file; 0 is the mix.
  func add(_ samples: (_ file: Int) -> UnsafeBufferPointer<Float>) throws(AudioFileError) {
    meter.add(interleaved: samples(0).span)
    for file in 0..<files { try buffer.append(samples(file)) }
  }

  /// Passes on all frames, in the same portions in which they were added.
  ///
  /// - Parameters:
  ///   - isCancelled: Called before every portion.
  ///   - write: Receives the samples of all files, the mix first.
  /// - Returns: The applied normalization.
  func finish(
    isCancelled: () -> Bool,
    _ write: ([UnsafeMutableBufferPointer<Float>]) throws(AudioFileError) -> Void
  ) throws(RenderError) -> Normalization.Outcome {
    let outcome = target.outcome(truePeak: meter.truePeak) { meter.integratedLoudness(gain: $0) }
    let factor = outcome.factor
    try buffer.replay(together: files) { portions throws(RenderError) in
      if isCancelled() { throw .cancelled }
      for samples in portions {
        for i in samples.indices { samples[i] *= factor }
      }
      do throws(AudioFileError) { try write(portions) } catch { throw .file(error) }
    }
    return outcome
  }
}
