/// Accumulates levels and spectra of streamed audio for a picture, in some thousand columns for any length.
///
/// Memory: about 4 MB. Takes about 1 ms for each 4 s of audio, and 40 ms for a short song.
///
/// Realtime: no. Threads: one at a time.
public struct WaveformAccumulator: ~Copyable {
  let sampleRate: Int
  private(set) var levels: LevelColumns
  private var spectrograph: Spectrograph
  private(set) var frames = 0

  /// Creates an accumulator.
  ///
  /// - Parameters:
  ///   - sampleRate: Frames per second.
  ///   - expectedFrames: The approximate length of the song, in frames. If the song is twice as long, the
  ///     resolution may be halved.
  public init(sampleRate: Int, expectedFrames: Int) {
    self.sampleRate = sampleRate
    let wanted = Int(Layout.plotWidth)
    levels = LevelColumns(wanted: wanted, expectedFrames: expectedFrames)
    spectrograph = Spectrograph(
      wanted: wanted, bands: Int(Layout.spectrum.height), expectedFrames: expectedFrames,
      sampleRate: sampleRate)
  }

  var spectra: SpectrumColumns { spectrograph.columns }

  /// Appends frames.
  ///
  /// - Parameter samples: Interleaved left and right samples; full scale is ±1.
  public mutating func add(interleaved samples: Span<Float>) {
    samples.withUnsafeBufferPointer { samples in
      levels.add(interleaved: samples)
      spectrograph.add(interleaved: samples)
      frames += samples.count / 2
    }
  }

  /// Ends incomplete columns. Nothing may be added afterwards.
  mutating func finish() {
    levels.finish()
    spectrograph.finish()
  }
}
