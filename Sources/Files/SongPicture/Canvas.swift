import CPangoCairo

/// A rectangle in pixels, from the picture's upper left corner.
struct Area {
  var x: Double
  var y: Double
  var width: Double
  var height: Double

  var right: Double { x + width }
  var bottom: Double { y + height }
}

/// An opaque cairo image with one pixel per unit.
///
/// Threads: one at a time.
final class Canvas {
  let width: Int
  let height: Int
  private let library: drawing_library
  private let surface: OpaquePointer
  private let context: OpaquePointer
  private let textRenderer: TextRenderer

  init(width: Int, height: Int, _ textRenderer: TextRenderer) throws(PictureError) {
    library = textRenderer.library
    self.textRenderer = textRenderer
    self.width = width
    self.height = height
    guard
      let surface = library.cairo_image_surface_create(
        CAIRO_FORMAT_RGB24, CInt(width), CInt(height)),
      let context = library.cairo_create(surface)
    else { throw .drawing("no memory") }
    self.surface = surface
    self.context = context
    let status = library.cairo_status(context)
    if status != CAIRO_STATUS_SUCCESS { throw .drawing(Self.message(for: status, library)) }
  }

  deinit {
    library.cairo_destroy(context)
    library.cairo_surface_destroy(surface)
  }

  func fill(_ area: Area, _ color: Color, opacity: Double = 1) {
    library.cairo_set_source_rgba(context, color.red, color.green, color.blue, opacity)
    library.cairo_rectangle(context, area.x, area.y, area.width, area.height)
    library.cairo_fill(context)
  }

  /// Draws a line of text, shortened with an ellipsis if it is too long.
  ///
  /// - Parameters:
  ///   - x: The position of the left end, the center or the right end, depending on `alignment`.
  ///   - baseline: The position of the baseline.
  ///   - limit: The greatest width, in pixels.
  /// - Returns: The width, in pixels.
  @discardableResult
  func write(
    _ text: String, _ style: TextStyle, x: Double, baseline: Double,
    alignment: TextAlignment = .left, limit: Double? = nil
  ) -> Double {
    guard let line = textRenderer.line(text, style, limit: limit) else { return 0 }
    defer { library.g_object_unref(UnsafeMutableRawPointer(line.layout)) }
    let start =
      switch alignment {
      case .left: x
      case .center: x - line.width / 2
      case .right: x - line.width
      }
    library.cairo_set_source_rgba(
      context, style.color.red, style.color.green, style.color.blue, 1)
    library.cairo_move_to(context, start, baseline - line.ascent)
    library.pango_cairo_show_layout(context, line.layout)
    return line.width
  }

  /// Gives `body` direct access to the pixels.
  ///
  /// - Parameter body: Receives the first pixel, in the format of `Color.pixel`, and the number of pixels per row.
  func withPixels(_ body: (_ pixels: UnsafeMutablePointer<UInt32>, _ rowLength: Int) -> Void) {
    library.cairo_surface_flush(surface)
    guard let bytes = library.cairo_image_surface_get_data(surface) else { return }
    let rowBytes = Int(library.cairo_image_surface_get_stride(surface))
    bytes.withMemoryRebound(to: UInt32.self, capacity: rowBytes / 4 * height) {
      body($0, rowBytes / 4)
    }
    library.cairo_surface_mark_dirty(surface)
  }

  /// Writes the picture as PNG, with the program's name in the `Software` field.
  ///
  /// - Parameter write: Receives the bytes of the file; returns `false` if they cannot be written.
  func writePNG(_ write: (UnsafeRawBufferPointer) -> Bool) throws(PictureError) {
    var file: [UInt8] = []
    let status = withUnsafeMutablePointer(to: &file) { file in
      library.cairo_surface_write_to_png_stream(
        surface,
        { file, bytes, count in
          file?.assumingMemoryBound(to: [UInt8].self).pointee
            .append(contentsOf: UnsafeBufferPointer(start: bytes, count: Int(count)))
          return CAIRO_STATUS_SUCCESS
        }, file)
    }
    guard status == CAIRO_STATUS_SUCCESS else { throw .drawing(Self.message(for: status, library)) }
    file.insert(contentsOf: Self.softwareChunk, at: Self.headerSize)
    if !file.withUnsafeBytes(write) { throw .notWritten }
  }

  /// The size of a PNG file's signature and its first chunk, IHDR, in bytes.
  private static let headerSize = 33
  /// A tEXt chunk: size, type, text, CRC.
  private static let softwareChunk =
    [0, 0, 0, 18] + Array("tEXtSoftware\0Portative".utf8) + [0xF4, 0x4C, 0x3C, 0x8C]

  private static func message(for status: cairo_status_t, _ library: drawing_library) -> String {
    library.cairo_status_to_string(status).map { String(cString: $0) } ?? "status \(status)"
  }
}
