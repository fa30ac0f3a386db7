/// A picture of a song: its notes over its levels over its spectrum, on one time axis.
///
/// 1600 × 1000 pixels, PNG. The same audio, notes and texts give the same bytes, on one machine: fonts are
/// the system's.
///
/// Realtime: no. Threads: any; text is set on one at a time.
public struct SongPicture: ~Copyable {
  /// What the song is called; shortened with an ellipsis where it is too long.
  public var title: String
  /// What else there is to say, in small letters below.
  public var subtitle: String
  /// Seconds of the song at which the audio begins.
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

  /// Whether there is a font to write with; without one a picture has no text.
  ///
  /// - Throws: ``PictureError/noLibrary``, ``PictureError/noTransform``, so that it can be known before a song
  ///   is rendered.
  public static func hasFonts() throws(PictureError) -> Bool {
    guard let lettering = TextRenderer.shared else { throw .noLibrary }
    guard Transform.isAvailable else { throw .noTransform }
    return lettering.hasFonts
  }

  /// Draws it.
  ///
  /// - Parameters:
  ///   - notes: Of the song.
  ///   - take: Gets the PNG file's bytes in order; `false` ends it.
  public consuming func write(
    _ notes: some NoteSource, to take: (UnsafeRawBufferPointer) -> Bool
  ) throws(PictureError) {
    guard let lettering = TextRenderer.shared else { throw .noLibrary }
    audio.finish()
    let canvas = try Canvas(width: Layout.size.width, height: Layout.size.height, lettering)
    let summary = RollSummary(notes)
    try lettering.exclusively { () throws(PictureError) in draw(notes, summary, on: canvas) }
    try canvas.writePNG(take)
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
