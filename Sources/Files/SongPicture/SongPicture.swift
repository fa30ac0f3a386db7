/// A picture of a song: notes, levels and spectrum on one time axis.
///
/// The format is PNG, 1600 × 1000 pixels. The same audio, notes and texts give the same bytes on one machine, because
/// the fonts are the system's.
///
/// Realtime: no. Threads: any; text rendering is serialized.
public struct SongPicture: ~Copyable {
  /// The title; shortened with an ellipsis if it is too long.
  public var title: String
  /// The second line, in a smaller font.
  public var subtitle: String
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
  ///   - output: Receives the bytes of the PNG file in order; returns `false` if they cannot be written.
  public consuming func write(
    _ notes: some NoteSource, to output: (UnsafeRawBufferPointer) -> Bool
  ) throws(PictureError) {
    guard let textRenderer = TextRenderer.shared else { throw .noLibrary }
    audio.finish()
    let canvas = try Canvas(width: Layout.size.width, height: Layout.size.height, textRenderer)
    let summary = RollSummary(notes)
    try textRenderer.exclusively { () throws(PictureError) in draw(notes, summary, on: canvas) }
    try canvas.writePNG(output)
  }

  private borrowing func draw(_ notes: some NoteSource, _ summary: RollSummary, on canvas: Canvas) {
    let whole = Area(
      x: 0, y: 0, width: Double(canvas.width), height: Double(canvas.height))
    canvas.fill(whole, Palette.paper)
    let axis = TimeAxis(
      start: start, length: Double(audio.frames) / Double(audio.sampleRate), x: Layout.plotX,
      width: Layout.plotWidth)
    let drawing = Drawing(canvas: canvas, axis: axis)
    let parts = summary.parts
    drawing.header(title: title, subtitle: subtitle)
    drawing.legend(parts)
    RollPanel(drawing, Layout.roll(parts: parts.count), summary, sampleRate: audio.sampleRate)
      .draw(notes, isEmpty: parts.isEmpty)
    LevelPanel(drawing: drawing, area: Layout.levels).draw(audio.levels)
    SpectrumPanel(drawing, Layout.spectrum).draw(audio.spectra, frames: audio.frames)
    drawing.times()
  }
}
