import CPangoCairo
import Glibc
import LocalSystem

/// An SVG document, with text as text and pixels as an embedded PNG file.
///
/// Source: W3C, *Scalable Vector Graphics (SVG) 1.1*.
final class VectorCanvas: Canvas {
  private let textRenderer: TextRenderer
  private var text: String
  /// Rectangles of one colour, which become one path.
  private var path = ""
  private var pathStyle = ""
  private var problem: PictureError?

  init(width: Int, height: Int, title: String, _ textRenderer: TextRenderer) {
    self.textRenderer = textRenderer
    text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="\(width)" \
      height="\(height)" viewBox="0 0 \(width) \(height)" font-family="DejaVu Sans, Verdana, sans-serif" \
      xml:space="preserve">
      <title>\(title.xmlEscaped)</title>
      <desc>Portative</desc>

      """
  }

  func fill(_ area: Area, _ color: Color, opacity: Double) {
    let style =
      "fill=\"\(Self.text(color))\"" + (opacity < 1 ? " fill-opacity=\"\(number(opacity))\"" : "")
    if style != pathStyle { endPath() }
    pathStyle = style
    path +=
      "M\(number(area.x)) \(number(area.y))h\(number(area.width))v\(number(area.height))"
      + "h\(number(-area.width))z"
  }

  func write(
    _ text: String, _ style: TextStyle, x: Double, baseline: Double, alignment: TextAlignment,
    limit: Double?
  ) -> Double {
    endPath()
    let line = limit.map { textRenderer.shortened(text, style, limit: $0) } ?? text
    let anchor =
      switch alignment {
      case .left: ""
      case .center: " text-anchor=\"middle\""
      case .right: " text-anchor=\"end\""
      }
    self.text +=
      "<text x=\"\(number(x))\" y=\"\(number(baseline))\" font-size=\"\(number(style.size))\""
      + (style.isBold ? " font-weight=\"bold\"" : "") + anchor
      + " fill=\"\(Self.text(style.color))\">\(line.xmlEscaped)</text>\n"
    return width(of: line, style)
  }

  func width(of text: String, _ style: TextStyle) -> Double { textRenderer.width(of: text, style) }

  func draw(_ area: Area, _ body: (UnsafeMutablePointer<UInt32>, _ rowLength: Int) -> Void) {
    endPath()
    do throws(PictureError) {
      let image = try PixelImage(
        width: Int(area.width), height: Int(area.height), textRenderer.library)
      image.withPixels(body)
      text +=
        "<image x=\"\(number(area.x))\" y=\"\(number(area.y))\" width=\"\(number(area.width))\" "
        + "height=\"\(number(area.height))\" preserveAspectRatio=\"none\" "
        + "xlink:href=\"data:image/png;base64,\(Self.base64(try image.png()))\"/>\n"
    } catch {
      problem = problem ?? error
    }
  }

  func encoded() throws(PictureError) -> [UInt8] {
    endPath()
    if let problem { throw problem }
    return Array((text + "</svg>\n").utf8)
  }

  private func endPath() {
    if !path.isEmpty { text += "<path \(pathStyle) d=\"\(path)\"/>\n" }
    path = ""
  }

  /// Returns a number with at most two digits after the point.
  private func number(_ value: Double) -> String {
    let hundredths = Int((value * 100).rounded())
    let (whole, rest) = (abs(hundredths) / 100, abs(hundredths) % 100)
    let sign = hundredths < 0 ? "-" : ""
    if rest == 0 { return "\(sign)\(whole)" }
    return "\(sign)\(whole)."
      + (rest % 10 == 0 ? "\(rest / 10)" : rest < 10 ? "0\(rest)" : "\(rest)")
  }

  private static func text(_ color: Color) -> String {
    "#" + String(color.pixel & 0xFF_FFFF, digits: 6, radix: 16)
  }

  /// Source: RFC 4648, *The Base16, Base32, and Base64 Data Encodings*.
  private static func base64(_ bytes: [UInt8]) -> String {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let three = (0..<3).map { start + $0 < bytes.count ? UInt32(bytes[start + $0]) : 0 }
      let word = three[0] << 16 | three[1] << 8 | three[2]
      for place in 0..<4 {
        text.append(
          start + place > bytes.count
            ? UInt8(ascii: "=") : digits[Int(word >> (18 - 6 * UInt32(place)) & 63)])
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
