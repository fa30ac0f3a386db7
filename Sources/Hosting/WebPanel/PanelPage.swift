import CPanelPage
import WebServer

/// The page, which is a part of the program.
///
/// It contains its style, because a browser draws nothing before it has all styles.
enum PanelPage {
  /// Changes with the page.
  static let version = String(
    checksum([html, style, first, script].flatMap { Array($0) }), radix: 16)

  static let resources: [String: WebResource] = [
    "/": WebResource(type: "text/html; charset=utf-8", text: page),
    "/first.js": WebResource(type: scriptType, bytes: first),
    "/panel.js": WebResource(type: scriptType, bytes: script),
  ]

  private static var page: String {
    String(decoding: html, as: UTF8.self)
      .replacing("@VERSION@", with: version)
      .replacing("@NONCE@", with: WebServer.styleNonce)
      .replacing("@STYLE@", with: String(decoding: style, as: UTF8.self))
  }

  private static let scriptType = "text/javascript; charset=utf-8"
  private static var html: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: panel_html(), count: panel_html_size())
  }
  private static var style: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: panel_css(), count: panel_css_size())
  }
  private static var first: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: panel_first_js(), count: panel_first_js_size())
  }
  private static var script: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: panel_js(), count: panel_js_size())
  }

  /// Source: FNV-1a, with 64 bits.
  private static func checksum(_ bytes: [UInt8]) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
