import AudioFile

/// An audio file that follows the positions of a stream. Frames that are missing become silence.
struct RecordedAudio: ~Copyable {
  let path: String
  private var writer: AudioFileWriter
  /// The position of the next frame.
  private var end: Int64

  /// - Parameter begin: The position of the first frame in the stream.
  init(to path: String, sampleRate: Int, from begin: Int64) throws {
    self.path = path
    end = begin
    writer = try Self.writer(to: path, sampleRate: sampleRate)
  }

  /// Opens a file in the format of its extension, with the most bits that it can have.
  static func writer(to path: String, sampleRate: Int) throws -> AudioFileWriter {
    let container = try AudioFormat.Container(fileName: path)
    return try AudioFileWriter(
      to: .recording(path), format: AudioFormat(container, bits: container.bits.last),
      sampleRate: sampleRate, rules: OutputRules(mayReplace: { _, _ in false }))
  }

  /// Adds interleaved frames at a position in the stream. Samples that are no finite numbers become 0, because
  /// encoders and other programs refuse them.
  ///
  /// - Returns: The first frame of the file with such a sample; `nil` if there is none.
  mutating func write(_ samples: [Float], at position: Int64) throws(AudioFileError) -> Int? {
    if position > end { try writeSilence(Int(position - end)) }
    let invalid = samples.firstIndex { !$0.isFinite }
    if invalid == nil {
      try writer.write(interleaved: samples.span)
    } else {
      let finite = samples.map { $0.isFinite ? $0 : 0 }
      try writer.write(interleaved: finite.span)
    }
    end += Int64(samples.count / 2)
    return invalid.map { writer.summary.frames - samples.count / 2 + $0 / 2 }
  }

  mutating func writeSilence(_ frames: Int) throws(AudioFileError) {
    let silence = [Float](repeating: 0, count: 2 * 4096)
    var left = frames
    while left > 0 {
      let count = min(left, silence.count / 2)
      try writer.write(interleaved: silence.span.extracting(0..<2 * count))
      left -= count
    }
    end += Int64(frames)
  }

  mutating func updateHeader() throws(AudioFileError) { try writer.updateHeader() }

  /// - Returns: The number of frames.
  consuming func finish() throws(AudioFileError) -> Int { try writer.finish().frames }

  /// Ends after an error.
  ///
  /// - Returns: The path under which the file remains; `nil` if there is none.
  consuming func keepPartial() -> String? { writer.keepPartial() }
}
