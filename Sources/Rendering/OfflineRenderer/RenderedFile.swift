public import AudioFile

/// An audio file that is being written, with all figures for a report.
///
/// Blocks are appended; ``finish()`` moves the file to its destination and returns the figures. Like its
/// ``AudioFileWriter``, it leaves no file if it is destroyed without being finished.
///
/// Realtime: no. Threads: one at a time.
public struct RenderedFile: ~Copyable {
  private var writer: AudioFileWriter
  private var hash = AudioHash()
  private var meter: ScalableLoudness?
  private var picture: PictureFile?
  private let sampleRate: Int
  /// The folder of the file; empty for a stream.
  let folder: String

  /// Opens the destination.
  ///
  /// - Parameters:
  ///   - measuresLoudness: Whether to measure loudness and true peak, which takes about one second for each
  ///     160 seconds of audio at 48 kHz, many times the cost of the rest.
  ///   - seed: See ``AudioFileWriter``.
  ///   - picture: A picture of the audio, finished with the file.
  ///   - rules: Where the file must be, and what it may replace.
  /// - Throws: As ``AudioFileWriter``.
  public init(
    to destination: AudioFileWriter.Destination, format: AudioFormat, sampleRate: Int,
    seed: UInt64 = 0, title: String? = nil, measuresLoudness: Bool,
    picture: consuming PictureFile? = nil, rules: OutputRules = OutputRules()
  ) throws(AudioFileError) {
    let writer = try AudioFileWriter(
      to: destination, format: format, sampleRate: sampleRate, seed: seed, title: title,
      rules: rules)
    self.init(
      writer, measuresLoudness ? ScalableLoudness(sampleRate: sampleRate) : nil, picture,
      sampleRate: sampleRate, folder: destination.folder)
  }

  private init(
    _ writer: consuming AudioFileWriter, _ meter: consuming ScalableLoudness?,
    _ picture: consuming PictureFile?, sampleRate: Int, folder: String
  ) {
    self.writer = writer
    self.meter = meter
    self.picture = picture
    self.sampleRate = sampleRate
    self.folder = folder
  }

  /// Sets the range that is going to be written. Called before the first frame.
  mutating func begin(_ range: FrameRange) { picture?.begin(range) }

  /// The summary so far, without the size of the file.
  public var summary: AudioFileWriter.Summary { writer.summary }

  /// Appends frames.
  ///
  /// - Parameter samples: Interleaved left and right samples; full scale is ±1.
  /// - Throws: As ``AudioFileWriter/write(interleaved:)``; the file should then be discarded.
  public mutating func write(interleaved samples: Span<Float>) throws(AudioFileError) {
    try writer.write(interleaved: samples)
    measure(samples)
  }

  /// Appends frames that are already quantized; see ``AudioFileWriter/write(interleaved:as:)``.
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

  /// Completes the file and moves it to its destination, then its picture.
  public consuming func finish() throws(AudioFileError) -> AudioFigures {
    var figures = AudioFigures()
    figures.hash = hash.text
    figures.integratedLoudness = meter?.integratedLoudness()
    figures.truePeak = meter?.truePeak
    figures.file = writer.summary
    figures.seconds = Double(figures.file.frames) / Double(sampleRate)
    // The picture is written before the audio file is moved, so that a full disk leaves neither of them.
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

/// The measured properties of a song's audio.
public struct AudioFigures: Equatable, Sendable {
  /// The frames, sample peak, clipped frames, and size.
  public var file = AudioFileWriter.Summary()
  /// The length of the audio, in seconds.
  public var seconds = 0.0
  /// The hash of the samples before encoding, in hexadecimal; see ``AudioHash``.
  public var hash = ""
  /// The integrated loudness in LUFS; `nil` for silence, if shorter than 0.4 s, or if not measured.
  public var integratedLoudness: Double?
  /// The linear true peak; `nil` if not measured.
  public var truePeak: Double?

  public init() {}
}
