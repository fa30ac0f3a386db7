/// The format of a picture's file.
public enum PictureFormat: String, CaseIterable, Sendable {
  case png
  /// Notes, levels and text as shapes, and the spectrum as pixels.
  case svg
}

/// A picture of a song: notes, levels and spectrum on one time axis.
///
/// It has 1600 × 1000 pixels. The same audio, notes and texts give the same bytes on one machine, because the fonts are
/// the system's.
///
/// Realtime: no. Threads: any; text rendering is serialized.
public struct SongPicture: ~Copyable {
  /// The title; shortened with an ellipsis if it is too long.
  public var title: String
  /// The second line, in a smaller font.
  public var subtitle: String
  public var style = PictureStyle.dark
  public var beats = RollBeats()
  /// The time in the song at which the audio starts, in seconds.
  public var start: Double
  public var audio: WaveformAccumulator

  public init(
    title: String, subtitle: String, start: Double = 0, audio: consuming WaveformAccumulator
  ) {
    self.title = title
    self.subtitle = subtitle
    self.start = start
    self.audio = audio
  }

  /// Returns whether the system has any font. Without fonts, a picture has no text.
  ///
  /// - Throws: ``PictureError/noLibrary`` or ``PictureError/noTransform``, so that callers can check before they
  ///   render a song.
  public static func hasFonts() throws(PictureError) -> Bool {
    guard let textRenderer = TextRenderer.shared else { throw .noLibrary }
    guard Transform.isAvailable else { throw .noTransform }
    return textRenderer.hasFonts
  }

  /// Draws the picture.
  ///
  /// - Parameters:
  ///   - notes: The notes of the song.
  ///   - output: Receives the bytes of the file in order; returns `false` if they cannot be written.
  public consuming func write(
    _ notes: some NoteSource, as format: PictureFormat = .png,
    to output: (UnsafeRawBufferPointer) -> Bool
  ) throws(PictureError) {
    guard let textRenderer = TextRenderer.shared else { throw .noLibrary }
    audio.finish()
    let (width, height) = Layout.size
    let canvas: any Canvas =
      switch format {
      case .png: try PixelCanvas(width: width, height: height, textRenderer)
      case .svg: VectorCanvas(width: width, height: height, title: title, textRenderer)
      }
    let summary = RollSummary(notes)
    try textRenderer.exclusively { () throws(PictureError) in draw(notes, summary, on: canvas) }
    if !(try canvas.encoded()).withUnsafeBytes(output) { throw .notWritten }
  }

  private borrowing func draw(
    _ notes: some NoteSource, _ summary: RollSummary, on canvas: any Canvas
  ) {
    let palette = Palette(style)
    let whole = Area(
      x: 0, y: 0, width: Double(Layout.size.width), height: Double(Layout.size.height))
    canvas.fill(whole, palette.paper)
    let axis = TimeAxis(
      start: start, length: Double(audio.frames) / Double(audio.sampleRate), x: Layout.plotX,
      width: Layout.plotWidth)
    let drawing = Drawing(canvas: canvas, palette: palette, axis: axis)
    let parts = summary.parts
    drawing.header(title: title, subtitle: subtitle)
    let rows = parts.isEmpty ? 0 : drawing.legend(parts)
    let roll = Layout.roll(rows: rows, hasBeats: !beats.beats.isEmpty)
    let ruler = BeatRuler(drawing, roll, beats, sampleRate: audio.sampleRate)
    ruler.draw()
    var panel = RollPanel(drawing, roll, summary, sampleRate: audio.sampleRate)
    panel.draw(notes, ruler, isEmpty: parts.isEmpty)
    LevelPanel(drawing: drawing, area: Layout.levels).draw(audio.levels)
    SpectrumPanel(drawing, Layout.spectrum).draw(audio.spectra, frames: audio.frames)
    drawing.times()
  }
}
