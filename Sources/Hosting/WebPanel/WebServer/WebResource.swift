import CWebSockets
import Glibc

/// A file that a ``WebServer`` sends, which is a part of the program.
///
/// `@unchecked Sendable`: the bytes are never changed.
package struct WebResource: @unchecked Sendable {
  /// The media type, as a text of C in memory that is never freed.
  let typeText: UnsafePointer<CChar>?
  /// Valid as long as the process.
  package let bytes: UnsafeBufferPointer<UInt8>
  /// The bytes compressed with gzip; empty if that is not worth it. Valid as long as the process.
  package let compressed: UnsafeBufferPointer<UInt8>

  /// Fewer bytes fit into one packet of a network.
  private static let leastCompressed = 1000

  /// Copies a text into memory that is never freed.
  ///
  /// - Parameter type: The media type.
  package init(type: String, text: String) {
    typeText = UnsafePointer(strdup(type))
    let text = Array(text.utf8)
    let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.count)
    _ = copy.initialize(from: text)
    bytes = UnsafeBufferPointer(copy)
    var count = 0
    let compressed =
      text.count >= Self.leastCompressed && web_load()
      ? web_gzip(copy.baseAddress!, copy.count, &count) : nil
    self.compressed = UnsafeBufferPointer(
      start: compressed.map { UnsafePointer($0) }, count: compressed == nil ? 0 : count)
  }
}
