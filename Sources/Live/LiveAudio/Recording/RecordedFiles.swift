import AudioFile
import Configuration
import LocalSystem

/// The audio file of a recording, which follows the positions of a stream, and the MIDI file beside it. An error ends one
/// of them and is reported.
///
/// Threads: that of the recording.
struct RecordedFiles: ~Copyable {
  private let path: String
  private let sampleRate: Int
  private let report: @Sendable (RecorderEvent) -> Void
  /// `nil` after an error.
  private var audio: AudioFileWriter?
  private var midi: RecordedMIDI?
  /// The position of the next frame in the stream.
  private var end: Int64
  private var hasInvalidSamples = false
  private var updateTime = MonotonicClock.now

  /// Begins the files.
  ///
  /// - Parameters:
  ///   - music: What keyboards play; `nil`: there is no MIDI file.
  ///   - begin: The position of the first frame in the stream.
  ///   - midiInterval: The time after which the MIDI file is written again, in seconds.
  init(
    to path: String, sampleRate: Int, _ music: (any PlayedMusic)?, from begin: Int64,
    midiInterval: Double, _ report: @escaping @Sendable (RecorderEvent) -> Void
  ) {
    (self.path, self.sampleRate, self.report) = (path, sampleRate, report)
    end = begin
    midi = music.map {
      RecordedMIDI(
        to: Recorder.midiPath(path), $0, from: begin, every: midiInterval, report)
    }
    do {
      audio = try Self.writer(to: path, sampleRate: sampleRate)
      report(.recording(path: path, sampleRate: sampleRate))
    } catch {
      audio = nil
      report(Self.failure(error))
    }
  }

  /// Opens an audio file in the format of its extension, with the most bits that it can have.
  static func writer(to path: String, sampleRate: Int) throws -> AudioFileWriter {
    let container = try AudioFormat.Container(fileName: path)
    return try AudioFileWriter(
      to: .recording(path), format: AudioFormat(container, bits: container.bits.last),
      sampleRate: sampleRate, rules: OutputRules(mayReplace: { _, _ in false }))
  }

  /// How far the audio file is; `nil` after an error.
  mutating func progress() -> RecordingProgress? {
    guard let summary = audio?.summary else { return nil }
    return RecordingProgress(
      path: path, seconds: Double(summary.frames) / Double(sampleRate), peak: summary.peak)
  }

  /// Adds interleaved frames at a position in the stream, after silence for frames that are missing. Samples that are no
  /// finite numbers become 0, because encoders and other programs refuse them.
  mutating func write(_ samples: [Float], at position: Int64) {
    if position > end { writeSilence(Int(position - end)) }
    end += Int64(samples.count / 2)
    let isFinite = samples.allSatisfy { $0.isFinite }
    if !isFinite, !hasInvalidSamples { reportInvalidSample() }
    let finite = isFinite ? samples : samples.map { $0.isFinite ? $0 : 0 }
    do { try audio?.write(interleaved: finite.span) } catch { fail(error) }
  }

  private mutating func reportInvalidSample() {
    hasInvalidSamples = true
    report(
      .warning(
        "a port plays samples that are no finite numbers, at \(clock(audio?.summary.frames ?? 0)) of the recording "
          + "'\(path)', which has 0 for them; more may follow"))
  }

  mutating func writeSilence(_ frames: Int) {
    end += Int64(frames)
    let silence = [Float](repeating: 0, count: 2 * 4096)
    var left = frames
    do {
      while left > 0, audio != nil {
        let count = min(left, silence.count / 2)
        try audio?.write(interleaved: silence.span.extracting(0..<2 * count))
        left -= count
      }
    } catch {
      fail(error)
    }
  }

  /// Lets other programs read what was recorded so far.
  mutating func update() {
    if MonotonicClock.now - updateTime >= 1_000_000_000 {
      updateTime = MonotonicClock.now
      do { try audio?.updateHeader() } catch { fail(error) }
    }
    midi?.update()
  }

  /// Completes the files.
  mutating func complete() {
    do {
      if let frames = try audio.take()?.finish().frames {
        report(.recorded(path: path, content: clock(frames)))
      }
    } catch {
      fail(error)
    }
    midi.take()?.end()
  }

  /// Ends the audio file, and leaves what was recorded.
  private mutating func fail(_ error: any Error) {
    let rest = audio.take()?.keepPartial().map { "; what was recorded before is in '\($0)'" } ?? ""
    report(Self.failure(error, rest))
  }

  private static func failure(_ error: any Error, _ rest: String = "") -> RecorderEvent {
    .failed(
      sentence: "the recording has ended, the sound continues: \(error)\(rest)", Failure(error))
  }

  private func clock(_ frames: Int) -> String { clockText(Double(frames) / Double(sampleRate)) }
}
