/// Writes stereo to an audio file, block by block, in constant memory.
///
/// The file appears at its destination only when ``finish()`` returns. A writer that is discarded, or
/// goes without being finished, leaves nothing behind. The same samples, format and seed give the same
/// bytes, however the samples were cut into blocks (of one build of the encoders).
///
/// Realtime: no, it encodes and waits for the disk. Threads: one at a time.
public struct AudioFileWriter: ~Copyable {
  /// The name that goes into the file's tags.
  public static let software = "Portative"

  /// Where the audio goes.
  public enum Destination: Equatable, Sendable {
    /// A file, which is replaced when the new one is whole. What is there and is not a file (a FIFO,
    /// `/dev/null`) is written to as a stream.
    case file(String)
    /// A file whose beginning is left under a temporary name, beside its own, if the program is killed:
    /// what was played will not be played again.
    case recording(String)
    /// An open descriptor, such as standard output: a stream. It stays open.
    case descriptor(CInt, name: String)
  }

  /// What a finished file holds.
  public struct Summary: Equatable, Sendable {
    /// Frames written.
    public var frames = 0
    /// The largest absolute sample, before any clipping; full scale is 1.
    public var peak: Float = 0
    /// Frames with a sample beyond ±1: clipped in integers, kept as they are in 32-bit float.
    public var clippedFrames = 0
    /// Size of the file, or bytes sent down the stream.
    public var bytes = 0

    public init() {}
  }

  /// What was written so far; ``Summary/bytes`` is known at the end.
  public private(set) var summary = Summary()
  public let format: AudioFormat

  private let output: OutputFile
  private let encoder: Encoder
  private let header: WaveHeader?
  private var quantizer: Quantizer
  // The encoders get blocks of one size, because what Vorbis makes of a song depends on it.
  private var samples = [Float](repeating: 0, count: blockSize)
  private var count = 0
  private var shorts: [Int16]
  private var integers: [Int32]
  /// Whether the caller makes the integers.
  private var isQuantized = false
  private var isComplete = false
  private static let blockSize = 8192

  /// Opens the destination and writes the header.
  ///
  /// - Parameters:
  ///   - sampleRate: Frames per second; see ``AudioFormat/check(sampleRate:)``.
  ///   - seed: Where the dither and an Ogg stream's serial number begin. Files that will be mixed,
  ///     or chained, want seeds of their own.
  ///   - title: The song's name, for the file's tags; MP3, W64, AU and raw get none.
  ///   - rules: Of a file: where it must be, and what it may replace.
  /// - Throws: ``AudioFileError/format(_:)`` for what the format cannot do, and
  ///   ``AudioFileError/cannotCreate(path:code:)`` or ``AudioFileError/cannotWrite(path:code:)``.
  public init(
    to destination: Destination, format: AudioFormat, sampleRate: Int, seed: UInt64 = 0,
    title: String? = nil, rules: OutputRules = OutputRules()
  ) throws(AudioFileError) {
    do { try format.check(sampleRate: sampleRate) } catch { throw .format(error) }
    let output =
      switch destination {
      case .file(let path): try OutputFile(path: path, rules: rules)
      case .recording(let path): try OutputFile(path: path, rules: rules, survives: true)
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
    encoder = try Encoder(
      format, sampleRate: sampleRate, output: output, seed: seed, title: title)
    quantizer = Quantizer(seed: seed)
    shorts = format.encoding == .pcm16 ? Array(repeating: 0, count: Self.blockSize) : []
    integers = format.encoding == .pcm24 ? Array(repeating: 0, count: Self.blockSize) : []
    self.format = format
    self.output = output
    self.header = header
  }

  /// Appends frames.
  ///
  /// - Parameters:
  ///   - left: Samples of the left channel; full scale is ±1. Beyond it integers clip.
  ///   - right: As many of the right channel.
  /// - Throws: When the system or the encoder refuses, and ``AudioFileError/notFinite(frame:)``.
  ///   The writer is of no use then, and should be discarded.
  public mutating func write(
    left: Span<Float>, right: Span<Float>
  ) throws(AudioFileError) {
    precondition(left.count == right.count, "both channels have as many frames")
    var interleaved: [Float] = []
    interleaved.reserveCapacity(2 * left.count)
    for frame in left.indices {
      interleaved.append(left[frame])
      interleaved.append(right[frame])
    }
    try write(interleaved: interleaved.span)
  }

  /// Appends frames whose samples lie side by side: left, right, left, right.
  ///
  /// - Parameter samples: An even number of them; full scale is ±1.
  /// - Throws: As ``write(left:right:)``.
  public mutating func write(interleaved samples: Span<Float>) throws(AudioFileError) {
    try append(samples) { _, _, _ in }
  }

  /// Appends frames that were made integers already, by a ``JointQuantizer``. A file is written in this
  /// way from its first frame on, or never.
  ///
  /// - Parameters:
  ///   - samples: As in ``write(interleaved:)``; they are measured, and not kept.
  ///   - integers: As many; they are kept.
  /// - Throws: As ``write(left:right:)``.
  /// - Precondition: the format keeps integers.
  public mutating func write(
    interleaved samples: Span<Float>, as integers: Span<Int32>
  ) throws(AudioFileError) {
    precondition(samples.count == integers.count, "every sample has its integer")
    precondition(isQuantized || summary.frames == 0, "all samples have integers, or none")
    isQuantized = true
    let encoding = format.encoding
    try append(samples) { writer, portion, place in
      switch encoding {
      case .pcm16:
        for i in 0..<portion.count {
          writer.shorts[place + i] = Int16(truncatingIfNeeded: integers[portion.lowerBound + i])
        }
      case .pcm24:
        for i in 0..<portion.count {
          writer.integers[place + i] = integers[portion.lowerBound + i] << 8
        }
      case .float32, .coded: preconditionFailure("the format keeps no integers")
      }
    }
  }

  /// - Parameter keep: Is told which part of the samples comes to which place in the block.
  private mutating func append(
    _ samples: Span<Float>, _ keep: (inout AudioFileWriter, Range<Int>, Int) -> Void
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
      keep(&self, done..<done + portion, count)
      try measure(count..<count + portion)
      done += portion
      count += portion
      if count == Self.blockSize { try encode() }
    }
  }

  /// Counts the frames of a part of the block, and what is odd about them.
  private mutating func measure(_ range: Range<Int>) throws(AudioFileError) {
    // Sizes are in the order of their bit patterns, with what is infinite or no number at the end; and
    // integers are compared several at a time.
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

  /// Hands the collected samples to the encoder.
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

  /// Completes the file and brings it to the disk, still under its temporary name: of several files,
  /// all can be there before the first is given its name. Nothing may be written after it.
  ///
  /// - Throws: When the last bytes cannot be written; the writer should be discarded.
  public mutating func complete() throws(AudioFileError) {
    if isComplete { return }
    if count > 0 { try encode() }
    try encoder.close()
    if let header, !output.isStream {
      let dataBytes = output.length - header.bytes(dataBytes: nil).count
      output.position = 0
      let bytes = header.bytes(dataBytes: dataBytes, alwaysRF64: format.container == .rf64)
      _ = bytes.withUnsafeBytes(output.write)
    }
    try output.sync()
    isComplete = true
  }

  /// Completes the file and gives it its name.
  ///
  /// - Throws: When the last bytes, or the new name, cannot be written; nothing is left then.
  public consuming func finish() throws(AudioFileError) -> Summary {
    try complete()
    try output.commit()
    summary.bytes = output.length
    return summary
  }

  /// Removes what was written. Going without ``finish()`` does the same.
  public consuming func discard() {}
}
