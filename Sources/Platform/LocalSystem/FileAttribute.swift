import CLinux
import Glibc

/// Extended attributes of files; see `xattr(7)`. Some file systems do not support them.
package enum FileAttribute {
  /// Sets an attribute.
  ///
  /// - Returns: Whether the file system has stored it.
  @discardableResult
  package static func set(_ name: String, to text: String, of descriptor: CInt) -> Bool {
    let bytes = Array(text.utf8)
    return fsetxattr(descriptor, name, bytes, bytes.count, 0) == 0
  }

  package enum Value: Equatable {
    case text(String)
    /// The file has no such attribute.
    case missing
    /// The file system does not support attributes, or they cannot be read.
    case unsupported
  }

  /// Reads an attribute of at most 256 bytes.
  package static func get(_ name: String, of descriptor: CInt) -> Value {
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = fgetxattr(descriptor, name, &bytes, bytes.count)
    if count >= 0 { return .text(String(decoding: bytes[..<Int(count)], as: UTF8.self)) }
    return errno == ENODATA ? .missing : .unsupported
  }
}
