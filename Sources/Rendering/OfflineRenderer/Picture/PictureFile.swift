public import AudioFile
import Glibc
import MIDIFile
import SongPicture

/// The picture of a song that is being rendered; like its audio, it appears whole or not at all.
///
/// Realtime: no. Threads: one at a time.
public struct PictureFile: ~Copyable {
  private let path: String
  private let file: OutputFile
  private let title: String
  private let soundFont: String
  private var sketch: WaveformAccumulator?
  private var notes: PlayedNotes?

  /// Opens the file under its temporary name.
  ///
  /// - Parameters:
  ///   - path: Where it will be; what is there is replaced.
  ///   - title: What the song is called in it.
  ///   - soundFont: The name of what plays it.
  ///   - rules: Where the file must be, and what it may replace.
  /// - Throws: ``AudioFileError/cannotCreate(path:code:)``, and ``AudioFileError/encoder(path:message:)``
  ///   where there is nothing to draw with.
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

  /// Whether the system has fonts: without them a picture has no text. `true` where nothing can be drawn.
  public static var hasFonts: Bool { (try? SongPicture.hasFonts()) ?? true }

  /// - Parameter range: What is going to be rendered.
  mutating func begin(_ range: FrameRange) {
    let rate = range.timeline.sampleRate
    let expected = Int(range.expectedSeconds * Double(rate)) - range.start
    sketch = WaveformAccumulator(sampleRate: rate, expectedFrames: max(1, expected))
    notes = PlayedNotes(range)
  }

  /// Appends frames.
  ///
  /// - Parameter samples: Left and right side by side; full scale is ±1.
  mutating func add(interleaved samples: Span<Float>) {
    sketch?.add(interleaved: samples)
  }

  /// Draws the picture and writes it under its temporary name.
  mutating func draw(_ figures: AudioFigures) throws(AudioFileError) {
    guard let audio = sketch.take(), let notes else { return }
    let picture = SongPicture(
      title: title, subtitle: subtitle(figures), start: notes.startSeconds, audio: audio)
    do throws(PictureError) {
      try picture.write(notes, to: file.write)
    } catch {
      throw file.error ?? .encoder(path: path, message: error.description)
    }
  }

  /// Gives it its name.
  mutating func commit() throws(AudioFileError) { try file.commit() }

  private func subtitle(_ figures: AudioFigures) -> String {
    var parts = [Self.length(figures.seconds)]
    if figures.file.peak > 0 {
      parts.append("peak \(Self.tenths(20 * log10(Double(figures.file.peak)))) dBFS")
    }
    if let loudness = figures.integratedLoudness { parts.append("\(Self.tenths(loudness)) LUFS") }
    return (parts + [soundFont]).joined(separator: "  ·  ")
  }

  /// `3:16`, or `2.4 s` of what is short.
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
