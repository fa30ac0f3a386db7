/// A rectangle in pixels, from the picture's upper left corner.
struct Area {
  var x: Double
  var y: Double
  var width: Double
  var height: Double

  var right: Double { x + width }
  var bottom: Double { y + height }
}

/// The surface of a picture.
///
/// Threads: one at a time.
protocol Canvas {
  func fill(_ area: Area, _ color: Color, opacity: Double)

  /// Draws a line of text, shortened with an ellipsis if it is too long.
  ///
  /// - Parameters:
  ///   - x: The position of the left end, the center or the right end, depending on `alignment`.
  ///   - baseline: The position of the baseline.
  ///   - limit: The greatest width, in pixels.
  /// - Returns: The width, in pixels.
  @discardableResult
  func write(
    _ text: String, _ style: TextStyle, x: Double, baseline: Double, alignment: TextAlignment,
    limit: Double?
  ) -> Double

  /// Returns the width of a line of text, in pixels.
  func width(of text: String, _ style: TextStyle) -> Double

  /// Draws pixels.
  ///
  /// - Parameter body: Receives the first pixel of the area, in the format of `Color.pixel`, and the number of pixels from
  ///   one row to the next.
  func draw(_ area: Area, _ body: (UnsafeMutablePointer<UInt32>, _ rowLength: Int) -> Void)

  /// The bytes of the file.
  func encoded() throws(PictureError) -> [UInt8]
}

extension Canvas {
  func fill(_ area: Area, _ color: Color) { fill(area, color, opacity: 1) }

  @discardableResult
  func write(
    _ text: String, _ style: TextStyle, x: Double, baseline: Double,
    alignment: TextAlignment = .left, limit: Double? = nil
  ) -> Double {
    write(text, style, x: x, baseline: baseline, alignment: alignment, limit: limit)
  }
}
