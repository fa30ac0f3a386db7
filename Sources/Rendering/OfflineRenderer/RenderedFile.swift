public import AudioFile

/// An audio file being written, together with all that a report says of the audio.
///
/// Blocks go in; at the end the file has its name and the figures are known. Like the
/// ``AudioFileWriter`` in it, it leaves nothing behind if it goes without being finished.
///
/// Realtime: no. Threads: one at a time.
public struct RenderedFile: ~Copyable {
  private var writer: AudioFileWriter
  private var hash = AudioHash()
  private var meter: ScalableLoudness?
  private var picture: PictureFile?
  private let sampleRate: Int
  /// The folder it will be in; empty for a stream.
  let folder: String

  /// - Parameters:
  ///   - measuresLoudness: Also loudness and true peak: about one second's work for each 160 of
  ///     audio at 48 kHz, many times that of the rest here.
  ///   - seed: See ``AudioFileWriter``.
  ///   - picture: Drawn of the audio, and finished with it.
  ///   - rules: Where the file must be, and what it may replace.
  /// - Throws: As ``AudioFileWriter``.
  public init(
    to destination: AudioFileWriter.Destination, format: AudioFormat, sampleRate: Int,
    seed: UInt64 = 0, title: String? = nil, measuresLoudness: Bool,
    picture: consuming PictureFile? = nil, rules: OutputRules = OutputRules()
  ) throws(AudioFileError) {
    writer = try AudioFileWriter(
      to: destination, format: format, sampleRate: sampleRate, seed: seed, title: title,
      rules: rules)
    meter = measuresLoudness ? ScalableLoudness(sampleRate: sampleRate) : nil
    self.picture = picture
    self.sampleRate = sampleRate
    folder = destination.folder
  }

  /// Says what is going to be written, before the first frame.
  mutating func begin(_ range: FrameRange) { picture?.begin(range) }

  /// What was written so far, but for the size of the file.
  public var summary: AudioFileWriter.Summary { writer.summary }

  /// Appends frames.
  ///
  /// - Parameter samples: Left and right side by side; full scale is ±1.
  /// - Throws: As ``AudioFileWriter/write(interleaved:)``; the file should then be let go.
  public mutating func write(interleaved samples: Span<Float>) throws(AudioFileError) {
    try writer.write(interleaved: samples)
    measure(samples)
  }

  /// Appends frames that were made integers already; see ``AudioFileWriter/write(interleaved:as:)``.
  mutating func write(
    interleaved samples: Span<Float>, as integers: Span<Int32>
  ) throws(AudioFileError) {
    try writer.write(interleaved: samples, as: integers)
    measure(samples)
  }

  private mutating func measure(_ samples: Span<Float>) {
    hash.add(interleaved: samples)
    meter?.add(interleaved: samples)
    picture?.add(interleaved: samples)
  }

  /// Completes the file under its temporary name; see ``AudioFileWriter/complete()``.
  public mutating func complete() throws(AudioFileError) { try writer.complete() }

  /// Completes the file and gives it its name, and then its picture.
  public consuming func finish() throws(AudioFileError) -> AudioFigures {
    var figures = AudioFigures()
    figures.hash = hash.text
    figures.integratedLoudness = meter?.integratedLoudness()
    figures.truePeak = meter?.truePeak
    figures.file = writer.summary
    figures.seconds = Double(figures.file.frames) / Double(sampleRate)
    // Whole before the audio has its name, so that a full disk leaves neither.
    try picture?.draw(figures)
    figures.file = try writer.finish()
    try picture?.commit()
    return figures
  }
}

extension AudioFileWriter.Destination {
  fileprivate var folder: String {
    switch self {
    case .file(let path), .recording(let path): OutputFile.folder(of: path)
    case .descriptor: ""
    }
  }
}

/// What was measured of one song's audio.
public struct AudioFigures: Equatable, Sendable {
  /// Frames, sample peak, clipped frames, size.
  public var file = AudioFileWriter.Summary()
  /// Length of the audio.
  public var seconds = 0.0
  /// Fingerprint of the samples before they were encoded, in hexadecimal.
  public var hash = ""
  /// LUFS; `nil` if it is silence, shorter than 0.4 s, or was not measured.
  public var integratedLoudness: Double?
  /// Linear; `nil` if it was not measured.
  public var truePeak: Double?

  public init() {}
}
