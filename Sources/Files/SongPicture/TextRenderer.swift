import CPangoCairo
import Synchronization

/// How a line of text looks.
struct TextStyle {
  var color: Color
  /// Pixels from line to line, about.
  var size: Double
  var isBold = false
}

/// Which part of a line of text is where it is put.
enum TextAlignment {
  case left, center, right
}

/// Sets lines of text, in the fonts of the system: the one for sans-serif, and those for what it lacks.
///
/// Finding fonts takes longer than drawing with them, so that there is one of these for all pictures.
///
/// `@unchecked Sendable`: nothing is drawn but within ``exclusively(_:)``. Fonts and their caches are shared,
/// and whether two threads may use them at once depends on the versions of four libraries.
final class TextRenderer: @unchecked Sendable {
  let library: drawing_library
  /// Whether the system has any font. Pango ends the program where it finds none.
  let hasFonts: Bool
  private let fonts: OpaquePointer?
  private let context: OpaquePointer?
  private let regular: OpaquePointer?
  private let bold: OpaquePointer?

  private let lock = Mutex(())

  /// `nil` where the libraries are missing.
  static let shared: TextRenderer? = cpangocairo_load().map { TextRenderer($0.pointee) }

  func exclusively<Failure: Error>(_ body: () throws(Failure) -> Void) throws(Failure) {
    try lock.withLock { _ throws(Failure) in try body() }
  }

  private init(_ library: drawing_library) {
    self.library = library
    _ = library.FcInit()
    // The system's and, as set 1, those that a program adds.
    hasFonts = (library.FcConfigGetFonts(nil, 0)?.pointee.nfont ?? 0) > 0
    guard hasFonts else {
      (fonts, context, regular, bold) = (nil, nil, nil, nil)
      return
    }
    fonts = library.pango_cairo_font_map_new()
    context = fonts.flatMap { library.pango_font_map_create_context($0) }
    regular = library.pango_font_description_from_string("sans-serif")
    bold = library.pango_font_description_from_string("sans-serif bold")
    guard let context, let options = library.cairo_font_options_create() else { return }
    library.cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
    library.cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
    library.cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
    library.pango_cairo_context_set_font_options(context, options)
    library.cairo_font_options_destroy(options)
  }

  deinit {
    library.pango_font_description_free(bold)
    library.pango_font_description_free(regular)
    library.g_object_unref(context.map(UnsafeMutableRawPointer.init))
    library.g_object_unref(fonts.map(UnsafeMutableRawPointer.init))
  }

  /// A line that is set.
  struct Line {
    /// The caller's, to be let go.
    let layout: OpaquePointer
    /// Pixels.
    let width: Double
    /// From the upper end to what the letters stand on.
    let ascent: Double
  }

  /// - Returns: `nil` where there are no fonts, or no memory.
  func line(_ text: String, _ style: TextStyle, limit: Double?) -> Line? {
    guard let context, let font = style.isBold ? bold : regular,
      let layout = library.pango_layout_new(context)
    else { return nil }
    let scale = Double(PANGO_SCALE)
    library.pango_font_description_set_absolute_size(font, style.size * scale)
    library.pango_layout_set_font_description(layout, font)
    library.pango_layout_set_single_paragraph_mode(layout, 1)
    library.pango_layout_set_text(layout, text, -1)
    if let limit {
      library.pango_layout_set_width(layout, CInt(limit * scale))
      library.pango_layout_set_ellipsize(layout, CInt(PANGO_ELLIPSIZE_END))
    }
    var width: CInt = 0
    library.pango_layout_get_size(layout, &width, nil)
    return Line(
      layout: layout, width: Double(width) / scale,
      ascent: Double(library.pango_layout_get_baseline(layout)) / scale)
  }
}
