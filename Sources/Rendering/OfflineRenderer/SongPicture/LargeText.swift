import CPangoCairo

/// Text of a terminal that is several rows high, drawn with the system's font in blocks of half a character. What was drawn
/// before is kept, because a panel asks for the same text ten times a second.
///
/// Threads: one at a time, which is not realtime.
package final class LargeText {
  private struct Request: Hashable {
    let text: String
    let columns: Int
    let rows: Int
  }

  /// The last few texts.
  private var drawn: [Request: [String]] = [:]

  package init() {}

  /// Returns a line of text as rows of a terminal, as large as it fits. The first call finds fonts, which takes up to a second.
  ///
  /// - Parameters:
  ///   - text: The text. It is shortened with an ellipsis if it does not fit at the least size.
  ///   - columns: The width of the terminal, 1 or more.
  ///   - rows: The greatest number of rows, 1 or more.
  /// - Returns: `rows` strings of at most `columns` characters; `nil` if the libraries that draw text or fonts are not
  ///   installed, or if there is not enough room for letters, which takes 5 rows and 20 columns.
  package func rows(_ text: String, columns: Int, rows: Int) -> [String]? {
    let request = Request(text: text, columns: columns, rows: rows)
    if let result = drawn[request] { return result }
    if drawn.count >= 8 { drawn = [:] }
    drawn[request] = Self.draw(text, columns: columns, rows: rows)
    return drawn[request]
  }

  private static func draw(_ text: String, columns: Int, rows: Int) -> [String]? {
    guard rows >= leastRows, columns >= 20, let renderer = TextRenderer.shared, renderer.hasFonts
    else { return nil }
    let (width, height) = (columns, rows * 2)
    var result: [String]?
    renderer.exclusively {
      // Without descenders, capital letters have about two thirds of a line.
      var style = TextStyle(
        color: Color(lightness: 1, a: 0, b: 0), size: Double(height) * 0.75, isBold: true)
      let wanted = renderer.width(of: text, style)
      if wanted > Double(width) {
        style.size = max(Double(leastRows * 2) * 0.75, style.size * Double(width) / wanted)
      }
      guard let canvas = try? PixelCanvas(width: width, height: height, renderer) else { return }
      _ = canvas.write(
        text, style, x: 0, baseline: Double(height) / 2 + style.size * 0.35, alignment: .left,
        limit: Double(width))
      result = blocks(canvas, width: width, height: height)
    }
    return result
  }

  private static let leastRows = 5

  /// Returns a row for each two rows of pixels.
  private static func blocks(_ canvas: PixelCanvas, width: Int, height: Int) -> [String] {
    var rows: [String] = []
    canvas.draw(Area(x: 0, y: 0, width: Double(width), height: Double(height))) {
      pixels, rowLength in
      func isLit(_ x: Int, _ y: Int) -> Bool { pixels[y * rowLength + x] & 0xFF > 110 }
      for y in stride(from: 0, to: height - 1, by: 2) {
        var row = ""
        for x in 0..<width {
          switch (isLit(x, y), isLit(x, y + 1)) {
          case (true, true): row += "\u{2588}"
          case (true, false): row += "\u{2580}"
          case (false, true): row += "\u{2584}"
          case (false, false): row += " "
          }
        }
        while row.last == " " { row.removeLast() }
        rows.append(row)
      }
    }
    return rows
  }
}
