import CPanelPage
import WebServer

/// The page, which is a part of the program.
enum PanelPage {
  /// Changes with the page.
  static let version = String(checksum(Array(html.bytes) + style.bytes + script.bytes), radix: 16)

  static let resources: [String: WebResource] = [
    "/": WebResource(
      type: "text/html; charset=utf-8",
      text: String(decoding: html.bytes, as: UTF8.self).replacing("@VERSION@", with: version)),
    "/panel.css": style, "/panel.js": script,
  ]

  private static let html = WebResource(
    type: "text/html; charset=utf-8", panel_html(), panel_html_size())
  private static let style = WebResource(
    type: "text/css; charset=utf-8", panel_css(), panel_css_size())
  private static let script = WebResource(
    type: "text/javascript; charset=utf-8", panel_js(), panel_js_size())

  /// Source: FNV-1a, with 64 bits.
  private static func checksum(_ bytes: [UInt8]) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}

extension WebResource {
  fileprivate init(type: String, _ start: UnsafePointer<UInt8>, _ count: Int) {
    self.init(type: type, bytes: UnsafeBufferPointer(start: start, count: count))
  }
}
