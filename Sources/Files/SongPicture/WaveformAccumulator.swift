/// What a picture keeps of a song's audio while it goes by: levels and spectra in some thousands of columns,
/// however long it is.
///
/// Memory: about 4 MB. Takes about 1 ms for each 4 s of audio, and 40 ms for a short song.
///
/// Realtime: no. Threads: one at a time.
public struct WaveformAccumulator: ~Copyable {
  let sampleRate: Int
  private(set) var levels: LevelColumns
  private var spectrograph: Spectrograph
  private(set) var frames = 0

  /// - Parameters:
  ///   - sampleRate: Frames per second.
  ///   - expectedFrames: How long the song is going to be, about. What is twice as long is drawn half as
  ///     fine, at worst.
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
  /// - Parameter samples: Left and right side by side; full scale is ±1.
  public mutating func add(interleaved samples: Span<Float>) {
    samples.withUnsafeBufferPointer { samples in
      levels.add(interleaved: samples)
      spectrograph.add(interleaved: samples)
      frames += samples.count / 2
    }
  }

  /// Ends the columns that were begun; nothing may be added after it.
  mutating func finish() {
    levels.finish()
    spectrograph.finish()
  }
}
