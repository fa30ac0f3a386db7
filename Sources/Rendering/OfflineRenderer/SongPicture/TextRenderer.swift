import CPangoCairo
import Synchronization

/// The style of a line of text.
struct TextStyle {
  var color: Color
  /// The size of the font, in pixels.
  var size: Double
  var isBold = false
}

/// The part of a line of text that is at the given position.
enum TextAlignment {
  case left, center, right
}

/// Lays out lines of text in the system's sans-serif font and its fallbacks.
///
/// Finding fonts takes longer than drawing with them, so all pictures share one instance.
///
/// `@unchecked Sendable`: drawing only takes place within ``exclusively(_:)``. Fonts and their caches are shared, and
/// their thread safety depends on the versions of four libraries.
final class TextRenderer: @unchecked Sendable {
  let library: drawing_library
  /// Whether the system has any font. Pango terminates the program if it finds none.
  let hasFonts: Bool
  private let fonts: OpaquePointer?
  private let context: OpaquePointer?
  private let regular: OpaquePointer?
  private let bold: OpaquePointer?

  private let lock = Mutex(())

  /// The shared instance; `nil` if the libraries are missing.
  static let shared: TextRenderer? = cpangocairo_load().map { TextRenderer($0.pointee) }

  func exclusively<Failure: Error>(_ body: () throws(Failure) -> Void) throws(Failure) {
    try lock.withLock { _ throws(Failure) in try body() }
  }

  private init(_ library: drawing_library) {
    self.library = library
    _ = library.FcInit()
    // Set 0 contains the system's fonts; set 1 would contain fonts added by the program.
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

  /// A laid-out line of text.
  struct Line {
    /// The layout, which the caller must release.
    let layout: OpaquePointer
    /// The width, in pixels.
    let width: Double
    /// The distance from the upper end to the baseline, in pixels.
    let ascent: Double
  }

  /// Returns the width of a line of text, in pixels; 0 without fonts.
  func width(of text: String, _ style: TextStyle) -> Double {
    guard let line = line(text, style, limit: nil) else { return 0 }
    library.g_object_unref(UnsafeMutableRawPointer(line.layout))
    return line.width
  }

  /// Returns as much of a text as is not wider than a limit, with an ellipsis if it is not all.
  func shortened(_ text: String, _ style: TextStyle, limit: Double) -> String {
    if width(of: text, style) <= limit { return text }
    var (fits, tooLong) = (0, text.count)
    while tooLong - fits > 1 {
      let middle = (fits + tooLong) / 2
      if width(of: text.prefix(middle) + "\u{2026}", style) <= limit {
        fits = middle
      } else {
        tooLong = middle
      }
    }
    return text.prefix(fits) + "\u{2026}"
  }

  /// Lays out a line of text.
  ///
  /// - Returns: `nil` if there are no fonts, or memory cannot be allocated.
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
