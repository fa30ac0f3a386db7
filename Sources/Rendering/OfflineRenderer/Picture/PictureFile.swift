package import AudioFile
import Glibc
import MIDIFile

/// The picture file of a song that is being rendered. Like the audio file, it appears only when it is complete.
///
/// Realtime: no. Threads: one at a time.
public struct PictureFile: ~Copyable {
  private let path: String
  private let file: OutputFile
  private let title: String
  private let name: String
  private let format: PictureFormat
  private let style: PictureStyle
  private let sounds: PlayedSounds
  private var waveform: WaveformAccumulator?
  private var range: FrameRange?

  /// Opens the file under its temporary name.
  ///
  /// - Parameters:
  ///   - path: The destination; an existing file is replaced.
  ///   - title: The title in the picture.
  ///   - format: The format of the file.
  ///   - sounds: What plays the song, with its names.
  ///   - name: The name of what plays the song, in the picture.
  ///   - rules: Where the file must be, and what it may replace.
  /// - Throws: ``AudioFileError/cannotCreate(path:code:)``, and ``AudioFileError/encoder(path:message:)``
  ///   if the drawing libraries are missing.
  package init(
    path: String, format: PictureFormat = .png, style: PictureStyle = .dark, title: String,
    sounds: PlayedSounds, named name: String, rules: OutputRules = OutputRules()
  ) throws(AudioFileError) {
    do throws(PictureError) {
      _ = try SongPicture.hasFonts()
    } catch {
      throw .encoder(path: path, message: error.description)
    }
    self.init(
      path, try OutputFile(path: path, rules: rules), format, style, title, sounds, name)
  }

  private init(
    _ path: String, _ file: OutputFile, _ format: PictureFormat, _ style: PictureStyle,
    _ title: String, _ sounds: PlayedSounds, _ name: String
  ) {
    (self.path, self.file, self.title, self.name) = (path, file, title, name)
    (self.format, self.style, self.sounds) = (format, style, sounds)
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
    self.range = range
  }

  /// Appends frames.
  ///
  /// - Parameter samples: Interleaved left and right samples; full scale is ±1.
  mutating func add(interleaved samples: Span<Float>) {
    waveform?.add(interleaved: samples)
  }

  /// Draws the picture and writes it under its temporary name.
  mutating func draw(_ figures: AudioFigures) throws(AudioFileError) {
    guard let audio = waveform.take(), let range else { return }
    let notes = PlayedNotes(range, sounds)
    var picture = SongPicture(
      title: title, subtitle: subtitle(figures), start: notes.startSeconds, audio: audio)
    picture.style = style
    picture.beats = RollBeats(range, end: range.start + figures.file.frames)
    do throws(PictureError) {
      try picture.write(notes, as: format, to: file.write)
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
    return (parts + [name]).joined(separator: "  ·  ")
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

extension RollBeats {
  /// The beats and tempos of a part of a song.
  ///
  /// - Parameter end: The frame of the song at which the audio ends.
  fileprivate init(_ range: FrameRange, end: Int) {
    self.init()
    let (timeline, start) = (range.timeline, range.start)
    var meter = ""
    beats = timeline.beats(before: Int64(end)).map { beat in
      if beat.beat == 1 { meter = "\(beat.numerator)/\(beat.denominator)" }
      return Beat(
        frame: Int(beat.frame) - start, bar: beat.bar, meter: beat.beat == 1 ? meter : nil)
    }
    tempos = timeline.tempos.map {
      Tempo(frame: Int($0.frame) - start, tempo: 60e6 / Double(max(1, $0.microsecondsPerQuarter)))
    }
  }
}
