import CPanelPage

/// The page and its modules, which are a part of the program.
///
/// The page contains its style, because a browser draws nothing before it has all styles.
enum PanelPage {
  /// Changes with the page.
  static let version = String(
    checksum(files.sorted { $0.key < $1.key }.flatMap { $0.value.utf8 }), radix: 16)

  static let resources: [String: WebResource] = {
    let modules = files.filter { $0.key.hasSuffix(".js") }.map { name, text in
      ("/\(name)", WebResource(type: "text/javascript; charset=utf-8", text: text))
    }
    return Dictionary(
      uniqueKeysWithValues: modules + [
        ("/", WebResource(type: "text/html; charset=utf-8", text: page))
      ])
  }()

  private static var page: String {
    files["panel.html", default: ""]
      .replacing("@VERSION@", with: version)
      .replacing("@NONCE@", with: WebServer.styleNonce)
      .replacing("@STYLE@", with: files["panel.css", default: ""])
  }

  /// The embedded files by their names.
  private static let files: [String: String] = {
    var files: [String: String] = [:]
    var file = panel_files()
    while let name = file.pointee.name, let text = file.pointee.text {
      files[String(cString: name)] = String(cString: text)
      file += 1
    }
    return files
  }()

  /// Source: FNV-1a, with 64 bits.
  private static func checksum(_ bytes: [UInt8]) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
