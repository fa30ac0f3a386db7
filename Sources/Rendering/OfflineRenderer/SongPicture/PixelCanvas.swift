import CPangoCairo

/// An opaque cairo image with one pixel per unit, for PNG.
final class PixelCanvas: Canvas {
  private let image: PixelImage
  private let library: drawing_library
  private let context: OpaquePointer
  private let textRenderer: TextRenderer

  init(width: Int, height: Int, _ textRenderer: TextRenderer) throws(PictureError) {
    library = textRenderer.library
    self.textRenderer = textRenderer
    image = try PixelImage(width: width, height: height, library)
    guard let context = library.cairo_create(image.surface) else { throw .drawing("no memory") }
    self.context = context
    let status = library.cairo_status(context)
    if status != CAIRO_STATUS_SUCCESS { throw .drawing(library.message(for: status)) }
  }

  deinit { library.cairo_destroy(context) }

  func fill(_ area: Area, _ color: Color, opacity: Double) {
    library.cairo_set_source_rgba(context, color.red, color.green, color.blue, opacity)
    library.cairo_rectangle(context, area.x, area.y, area.width, area.height)
    library.cairo_fill(context)
  }

  func write(
    _ text: String, _ style: TextStyle, x: Double, baseline: Double, alignment: TextAlignment,
    limit: Double?
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

  func width(of text: String, _ style: TextStyle) -> Double { textRenderer.width(of: text, style) }

  func draw(_ area: Area, _ body: (UnsafeMutablePointer<UInt32>, _ rowLength: Int) -> Void) {
    image.withPixels { pixels, rowLength in
      body(pixels + Int(area.y) * rowLength + Int(area.x), rowLength)
    }
  }

  /// The picture as PNG, with the program's name in the `Software` field.
  func encoded() throws(PictureError) -> [UInt8] {
    var file = try image.png()
    file.insert(contentsOf: Self.softwareChunk, at: Self.headerSize)
    return file
  }

  /// The size of a PNG file's signature and its first chunk, IHDR, in bytes.
  private static let headerSize = 33
  /// A tEXt chunk: size, type, text, CRC.
  private static let softwareChunk =
    [0, 0, 0, 18] + Array("tEXtSoftware\0Portative".utf8) + [0xF4, 0x4C, 0x3C, 0x8C]
}

/// The pixels of a cairo image.
final class PixelImage {
  let surface: OpaquePointer
  private let library: drawing_library
  private let height: Int

  init(width: Int, height: Int, _ library: drawing_library) throws(PictureError) {
    guard
      let surface = library.cairo_image_surface_create(
        CAIRO_FORMAT_RGB24, CInt(width), CInt(height))
    else { throw .drawing("no memory") }
    self.surface = surface
    self.library = library
    self.height = height
  }

  deinit { library.cairo_surface_destroy(surface) }

  /// - Parameter body: Receives the first pixel, in the format of `Color.pixel`, and the number of pixels per row.
  func withPixels(_ body: (UnsafeMutablePointer<UInt32>, _ rowLength: Int) -> Void) {
    library.cairo_surface_flush(surface)
    guard let bytes = library.cairo_image_surface_get_data(surface) else { return }
    let rowBytes = Int(library.cairo_image_surface_get_stride(surface))
    bytes.withMemoryRebound(to: UInt32.self, capacity: rowBytes / 4 * height) {
      body($0, rowBytes / 4)
    }
    library.cairo_surface_mark_dirty(surface)
  }

  /// Returns the bytes of a PNG file.
  func png() throws(PictureError) -> [UInt8] {
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
    guard status == CAIRO_STATUS_SUCCESS else { throw .drawing(library.message(for: status)) }
    return file
  }
}

extension drawing_library {
  fileprivate func message(for status: cairo_status_t) -> String {
    cairo_status_to_string(status).map { String(cString: $0) } ?? "status \(status)"
  }
}
