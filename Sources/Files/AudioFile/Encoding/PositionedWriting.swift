import Glibc

/// Writes all bytes to a file at `offset`, and continues after interruptions.
///
/// - Returns: 0, or an `errno` value.
package func writeAll(
  _ bytes: UnsafeRawBufferPointer, to descriptor: CInt, at offset: Int
) -> CInt {
  var rest = bytes[...]
  while !rest.isEmpty {
    let part = UnsafeRawBufferPointer(rebasing: rest)
    let count = pwrite(
      descriptor, part.baseAddress, part.count, off_t(offset + bytes.count - rest.count))
    if count < 0, errno == EINTR { continue }
    if count <= 0 { return count < 0 ? errno : EIO }
    rest = rest.dropFirst(count)
  }
  return 0
}
