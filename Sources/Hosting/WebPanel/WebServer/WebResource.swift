import Glibc

/// A file that a ``WebServer`` sends.
///
/// `@unchecked Sendable`: the bytes are never changed.
package struct WebResource: @unchecked Sendable {
  /// The media type, as a text of C in memory that is never freed.
  let typeText: UnsafePointer<CChar>?
  /// Valid as long as the process.
  package let bytes: UnsafeBufferPointer<UInt8>

  /// - Parameters:
  ///   - type: The media type.
  ///   - bytes: The content, in memory that is never freed.
  package init(type: String, bytes: UnsafeBufferPointer<UInt8>) {
    typeText = UnsafePointer(strdup(type))
    self.bytes = bytes
  }

  /// Copies a text into memory that is never freed.
  package init(type: String, text: String) {
    let text = Array(text.utf8)
    let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.count)
    _ = copy.initialize(from: text)
    self.init(type: type, bytes: UnsafeBufferPointer(copy))
  }
}
