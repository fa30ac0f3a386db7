public import AudioFile
import Glibc
import MIDIFile
import SongPicture

/// The picture file of a song that is being rendered. Like the audio file, it appears only when it is complete.
///
/// Realtime: no. Threads: one at a time.
public struct PictureFile: ~Copyable {
  private let path: String
  private let file: OutputFile
  private let title: String
  private let soundFont: String
  private var waveform: WaveformAccumulator?
  private var notes: PlayedNotes?

  /// Opens the file under its temporary name.
  ///
  /// - Parameters:
  ///   - path: The destination; an existing file is replaced.
  ///   - title: The title in the picture.
  ///   - soundFont: The name of the SoundFont or player.
  ///   - rules: Where the file must be, and what it may replace.
  /// - Throws: ``AudioFileError/cannotCreate(path:code:)``, and ``AudioFileError/encoder(path:message:)``
  ///   if the drawing libraries are missing.
  public init(
    path: String, title: String, soundFont: String, rules: OutputRules = OutputRules()
  ) throws(AudioFileError) {
    do throws(PictureError) {
      _ = try SongPicture.hasFonts()
    } catch {
      throw .encoder(path: path, message: error.description)
    }
    file = try OutputFile(path: path, rules: rules)
    self.path = path
    self.title = title
    self.soundFont = soundFont
  }

  /// Whether the system has fonts; without them a picture has no text. `true` if pictures cannot be drawn at all.
  public static var hasFonts: Bool { (try? SongPicture.hasFonts()) ?? true }

  /// Starts the picture.
  ///
  /// - Parameter range: The range that is going to be rendered.
  mutating func begin(_ range: FrameRange) {
    let rate = range.timeline.sampleRate
    let expected = Int(range.expectedSeconds * Double(rate)) - range.start
    waveform = WaveformAccumulator(sampleRate: rate, expectedFrames: max(1, expected))
    notes = PlayedNotes(range)
  }

  /// Appends frames.
  ///
  /// - Parameter samples: Interleaved left and right samples; full scale is ±1.
  mutating func add(interleaved samples: Span<Float>) {
    waveform?.add(interleaved: samples)
  }

  /// Draws the picture and writes it under its temporary name.
  mutating func draw(_ figures: AudioFigures) throws(AudioFileError) {
    guard let audio = waveform.take(), let notes else { return }
    let picture = SongPicture(
      title: title, subtitle: subtitle(figures), start: notes.startSeconds, audio: audio)
    do throws(PictureError) {
      try picture.write(notes, to: file.write)
    } catch {
      throw file.error ?? .encoder(path: path, message: error.description)
    }
  }

  /// Moves the file to its destination.
  mutating func commit() throws(AudioFileError) { try file.commit() }

  private func subtitle(_ figures: AudioFigures) -> String {
    var parts = [Self.length(figures.seconds)]
    if figures.file.peak > 0 {
      parts.append("peak \(Self.tenths(20 * log10(Double(figures.file.peak)))) dBFS")
    }
    if let loudness = figures.integratedLoudness { parts.append("\(Self.tenths(loudness)) LUFS") }
    return (parts + [soundFont]).joined(separator: "  ·  ")
  }

  /// Returns the length as `3:16`, or as `2.4 s` below 10 s.
  private static func length(_ seconds: Double) -> String {
    if seconds < 9.95 { return "\(tenths(seconds)) s" }
    let whole = Int(seconds.rounded())
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    if whole < 3600 { return "\(whole / 60):\(two(whole % 60))" }
    return "\(whole / 3600):\(two(whole / 60 % 60)):\(two(whole % 60))"
  }

  private static func tenths(_ value: Double) -> String {
    let tenths = Int((abs(value) * 10).rounded())
    return "\(value < 0 && tenths > 0 ? "−" : "")\(tenths / 10).\(tenths % 10)"
  }
}
