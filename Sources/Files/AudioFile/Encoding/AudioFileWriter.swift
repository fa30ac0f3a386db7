/// Writes stereo to an audio file, block by block, in constant memory.
///
/// The file appears at its destination only when ``finish()`` returns. A writer that is discarded or destroyed before
/// leaves no file. The same samples, format and seed give the same bytes for any block lengths (with the same build
/// of the encoders).
///
/// Realtime: no, it encodes and waits for the disk. Threads: one at a time.
public struct AudioFileWriter: ~Copyable {
  /// The program name in the file's tags.
  public static let software = "Portative"

  /// The destination of the audio.
  public enum Destination: Equatable, Sendable {
    /// A file, replaced when the new one is complete. An existing FIFO or device, such as `/dev/null`, is written to
    /// as a stream.
    case file(String)
    /// A file that remains under a temporary name in the same folder if the program is killed, because a live
    /// performance cannot be repeated.
    case recording(String)
    /// An open descriptor, such as standard output, written to as a stream and not closed.
    case descriptor(CInt, name: String)
  }

  /// Properties of a finished file.
  public struct Summary: Equatable, Sendable {
    /// Frames written.
    public var frames = 0
    /// The largest absolute sample, before any clipping; full scale is 1.
    public var peak: Float = 0
    /// Frames with a sample beyond ±1: clipped in integer formats, unchanged in 32-bit float.
    public var clippedFrames = 0
    /// The size of the file, or the bytes written to the stream.
    public var bytes = 0

    public init() {}
  }

  /// The summary so far; ``Summary/bytes`` is only set at the end.
  public private(set) var summary = Summary()
  public let format: AudioFormat

  let output: OutputFile
  private let encoder: Encoder
  private let header: WaveHeader?
  private var quantizer: Quantizer
  // The encoders get blocks of one size, because Vorbis output depends on the block size.
  private var samples = [Float](repeating: 0, count: blockSize)
  private var count = 0
  private var shorts: [Int16]
  private var integers: [Int32]
  /// Whether the caller provides the integers.
  private var isQuantized = false
  private var isComplete = false
  private static let blockSize = 8192

  /// Opens the destination and writes the header.
  ///
  /// - Parameters:
  ///   - sampleRate: Frames per second; see ``AudioFormat/check(sampleRate:)``.
  ///   - seed: The seed of the dither and of an Ogg stream's serial number. Files that will be mixed or chained
  ///     need different seeds.
  ///   - title: The song's name, for the file's tags; not stored in MP3, W64, AU and raw.
  ///   - rules: For a file: where it must be, and what it may replace.
  /// - Throws: ``AudioFileError/format(_:)`` if the format does not support a setting, and
  ///   ``AudioFileError/cannotCreate(path:code:)`` or ``AudioFileError/cannotWrite(path:code:)``.
  public init(
    to destination: Destination, format: AudioFormat, sampleRate: Int, seed: UInt64 = 0,
    title: String? = nil, rules: OutputRules = OutputRules()
  ) throws(AudioFileError) {
    do { try format.check(sampleRate: sampleRate) } catch { throw .format(error) }
    let output =
      switch destination {
      case .file(let path): try OutputFile(path: path, rules: rules)
      case .recording(let path): try OutputFile(path: path, rules: rules, keepsPartial: true)
      case .descriptor(let descriptor, let name): OutputFile(descriptor: descriptor, name: name)
      }
    if output.isStream, !format.container.canStream {
      throw .format(.cannotStream(format.container))
    }
    let header =
      format.container == .wav || format.container == .rf64
      ? WaveHeader(
        encoding: format.encoding, sampleRate: sampleRate, software: Self.software, title: title)
      : nil
    if let header, !header.bytes(dataBytes: nil).withUnsafeBytes(output.write),
      let error = output.error
    {
      throw error
    }
    let encoder = try Encoder(
      format, sampleRate: sampleRate, output: output, seed: seed, title: title)
    self.init(output, encoder, header, format, seed: seed)
  }

  private init(
    _ output: OutputFile, _ encoder: Encoder, _ header: WaveHeader?,
    _ format: AudioFormat, seed: UInt64
  ) {
    quantizer = Quantizer(seed: seed)
    shorts = format.encoding == .pcm16 ? Array(repeating: 0, count: Self.blockSize) : []
    integers = format.encoding == .pcm24 ? Array(repeating: 0, count: Self.blockSize) : []
    self.format = format
    self.output = output
    self.encoder = encoder
    self.header = header
  }

  /// Appends frames.
  ///
  /// - Parameters:
  ///   - left: Samples of the left channel; full scale is ±1. Integer formats clip beyond it.
  ///   - right: The same number of samples of the right channel.
  /// - Throws: If the system or the encoder fails, and ``AudioFileError/notFinite(frame:)``.
  ///   The writer is then unusable and should be discarded.
  public mutating func write(
    left: Span<Float>, right: Span<Float>
  ) throws(AudioFileError) {
    precondition(left.count == right.count, "both channels must have the same number of frames")
    var interleaved: [Float] = []
    interleaved.reserveCapacity(2 * left.count)
    for frame in left.indices {
      interleaved.append(left[frame])
      interleaved.append(right[frame])
    }
    try write(interleaved: interleaved.span)
  }

  /// Appends interleaved frames: left, right, left, right.
  ///
  /// - Parameter samples: An even number of samples; full scale is ±1.
  /// - Throws: As ``write(left:right:)``.
  public mutating func write(interleaved samples: Span<Float>) throws(AudioFileError) {
    try append(samples) { _, _, _ in }
  }

  /// Appends frames that a ``JointQuantizer`` has already quantized. All frames of a file must be written in this way,
  /// or none.
  ///
  /// - Parameters:
  ///   - samples: The samples before quantization, as in ``write(interleaved:)``; they are only measured.
  ///   - integers: The same number of integers, which are written.
  /// - Throws: As ``write(left:right:)``.
  /// - Precondition: The format stores integers.
  public mutating func write(
    interleaved samples: Span<Float>, as integers: Span<Int32>
  ) throws(AudioFileError) {
    precondition(samples.count == integers.count, "every sample needs an integer")
    precondition(
      isQuantized || summary.frames == 0, "all frames must be quantized by the caller, or none")
    isQuantized = true
    let encoding = format.encoding
    try append(samples) { writer, portion, offset in
      switch encoding {
      case .pcm16:
        for i in 0..<portion.count {
          writer.shorts[offset + i] = Int16(truncatingIfNeeded: integers[portion.lowerBound + i])
        }
      case .pcm24:
        for i in 0..<portion.count {
          writer.integers[offset + i] = integers[portion.lowerBound + i] << 8
        }
      case .float32, .coded: preconditionFailure("the format does not store integers")
      }
    }
  }

  /// Copies samples into the block, and encodes each full block.
  ///
  /// - Parameter store: Called for each copied range of `samples`, with its offset in the block.
  private mutating func append(
    _ samples: Span<Float>, _ store: (inout AudioFileWriter, Range<Int>, Int) -> Void
  ) throws(AudioFileError) {
    precondition(samples.count.isMultiple(of: 2), "every frame has two samples")
    var done = 0
    while done < samples.count {
      let portion = min(samples.count - done, Self.blockSize - count)
      samples.extracting(done..<done + portion).withUnsafeBufferPointer { source in
        self.samples.withUnsafeMutableBufferPointer { block in
          for i in 0..<portion { block[count + i] = source[i] }
        }
      }
      store(&self, done..<done + portion, count)
      try measure(count..<count + portion)
      done += portion
      count += portion
      if count == Self.blockSize { try encode() }
    }
  }

  /// Updates the summary for a range of the block, and checks that its samples are finite.
  private mutating func measure(_ range: Range<Int>) throws(AudioFileError) {
    // Magnitudes sort like their bit patterns, with infinity and NaN last, and integer comparisons vectorize.
    var size: Int32 = 0
    samples.withUnsafeBufferPointer { block in
      for i in range { size = max(size, Int32(bitPattern: block[i].bitPattern & 0x7FFF_FFFF)) }
    }
    let level = Float(bitPattern: UInt32(bitPattern: size))
    if !level.isFinite {
      let bad = range.first { !samples[$0].isFinite } ?? range.lowerBound
      throw .notFinite(frame: summary.frames + (bad - range.lowerBound) / 2)
    }
    if level > 1 {
      for i in stride(from: range.lowerBound, to: range.upperBound, by: 2)
      where max(abs(samples[i]), abs(samples[i + 1])) > 1 { summary.clippedFrames += 1 }
    }
    summary.peak = max(summary.peak, level)
    summary.frames += range.count / 2
  }

  /// Encodes the collected samples.
  private mutating func encode() throws(AudioFileError) {
    switch format.encoding {
    case .pcm16:
      if !isQuantized { quantizer.convert(samples, count: count, to: &shorts) }
      try encoder.write(shorts, count: count)
    case .pcm24:
      if !isQuantized { quantizer.convert(samples, count: count, to: &integers) }
      try encoder.write(integers, count: count)
    case .float32, .coded:
      try encoder.write(samples, count: count)
    }
    count = 0
    if let limit = format.container.maximumDataBytes, output.length > limit {
      throw .tooLong(format.container)
    }
  }

  /// Writes a header for the samples in the file, so that other programs can read it if this one is killed. Up to 4096
  /// frames may not be in the file yet. WAV, RF64, W64, AIFF and AU have such a header; the other formats need none.
  ///
  /// - Throws: ``AudioFileError/cannotWrite(path:code:)``.
  public mutating func updateHeader() throws(AudioFileError) {
    if output.isStream || isComplete { return }
    switch format.container {
    case .wav, .rf64: try writeHeader()
    case .w64, .aiff, .au: try encoder.updateHeader()
    case .flac, .ogg, .opus, .mp3, .raw: break
    }
  }

  private func writeHeader() throws(AudioFileError) {
    guard let header else { return }
    let end = output.position
    var dataBytes = output.length - header.bytes(dataBytes: nil).count
    // A full disk may end the file within a frame.
    dataBytes -= dataBytes % header.bytesPerFrame
    output.position = 0
    let bytes = header.bytes(dataBytes: dataBytes, alwaysRF64: format.container == .rf64)
    _ = bytes.withUnsafeBytes(output.write)
    output.position = end
    if let error = output.error { throw error }
  }

  /// Ends after an error without removing the file, if it was opened as a ``Destination/recording(_:)``. Its header
  /// counts the samples in the file, as after ``updateHeader()``.
  ///
  /// - Returns: The temporary path of the file; `nil` if there is none.
  public consuming func keepPartial() -> String? {
    // The bytes of the header have their place also on a full disk.
    output.forgetFailure()
    try? updateHeader()
    return output.keepPartial()
  }

  /// Completes the file and syncs it to the disk, still under its temporary name. Several files can thus be completed
  /// before the first one gets its name. Nothing may be written afterwards.
  ///
  /// - Throws: If the last bytes cannot be written; the writer should then be discarded.
  public mutating func complete() throws(AudioFileError) {
    if isComplete { return }
    if count > 0 { try encode() }
    try encoder.close()
    if !output.isStream { try writeHeader() }
    try output.sync()
    isComplete = true
  }

  /// Completes the file and moves it to its destination.
  ///
  /// - Throws: If the last bytes or the new name cannot be written; no file is left then.
  public consuming func finish() throws(AudioFileError) -> Summary {
    try complete()
    try output.commit()
    summary.bytes = output.length
    return summary
  }

  /// Removes the file. Destroying the writer without ``finish()`` has the same effect.
  public consuming func discard() {}
}
