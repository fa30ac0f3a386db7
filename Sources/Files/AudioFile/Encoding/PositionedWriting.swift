import Glibc

/// Writes all bytes to a file at one place, whatever interrupts it.
///
/// - Returns: 0, or the `errno` that says why not.
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
