import CLinux
import Glibc

/// Extended attributes of files: see `xattr(7)`. Not every file system has them.
package enum FileAttribute {
  /// - Returns: Whether the file system took it.
  @discardableResult
  package static func set(_ name: String, to text: String, of descriptor: CInt) -> Bool {
    let bytes = Array(text.utf8)
    return fsetxattr(descriptor, name, bytes, bytes.count, 0) == 0
  }

  package enum Value: Equatable {
    case text(String)
    /// The file has no such attribute.
    case missing
    /// The file system has no attributes, or they cannot be read.
    case unsupported
  }

  package static func get(_ name: String, of descriptor: CInt) -> Value {
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = fgetxattr(descriptor, name, &bytes, bytes.count)
    if count >= 0 { return .text(String(decoding: bytes[..<Int(count)], as: UTF8.self)) }
    return errno == ENODATA ? .missing : .unsupported
  }
}
