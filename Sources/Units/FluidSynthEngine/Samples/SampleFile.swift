import Glibc
import LocalSystem

/// A SoundFont file that is kept open, so that samples can be read from it later.
struct SampleFile: BitwiseCopyable {
  private let descriptor: CInt
  let size: Int

  /// Opens the file. ``close()`` must be called at the end.
  ///
  /// - Throws: ``InstrumentError/soundFontUnreadable(path:reason:)``.
  init(opening path: String) throws(InstrumentError) {
    descriptor = Glibc.open(path.platformString, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw .soundFontUnreadable(path: path, reason: errnoDescription(errno))
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      let code = errno
      Glibc.close(descriptor)
      throw .soundFontUnreadable(path: path, reason: errnoDescription(code))
    }
    size = status.st_size
  }

  func close() { Glibc.close(descriptor) }

  /// Whether the file still has this identity: it has not been modified or replaced since.
  func isUnchanged(since identity: FileVersion) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && FileVersion(status) == identity
  }

  /// Fills `target` with bytes of the file.
  ///
  /// - Returns: `nil` on success, otherwise an `errno` value: `ENODATA` if the file is too short.
  func read(_ target: UnsafeMutableRawBufferPointer, at position: Int) -> CInt? {
    var rest = target[...]
    while !rest.isEmpty {
      let part = UnsafeMutableRawBufferPointer(rebasing: rest)
      let count = pread(descriptor, part.baseAddress, part.count, position + rest.startIndex)
      if count < 0, errno == EINTR { continue }
      if count < 0 { return errno }
      if count == 0 { return ENODATA }
      rest = rest.dropFirst(count)
    }
    return nil
  }

  /// - Returns: `nil` if the range is not in the file or cannot be read.
  func bytes(_ range: Range<Int>) -> [UInt8]? {
    guard range.upperBound <= size else { return nil }
    var bytes = [UInt8](repeating: 0, count: range.count)
    let failure = bytes.withUnsafeMutableBytes { read($0, at: range.lowerBound) }
    return failure == nil ? bytes : nil
  }
}
