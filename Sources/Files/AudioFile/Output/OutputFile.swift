import Glibc
import LocalSystem

/// A file that appears at its path only when it is complete, or a stream.
///
/// A file has no name until ``commit()`` links it: if the program dies for any reason, no file remains. If the file
/// system does not support that, or the bytes should survive the program, the file has a temporary name in the
/// destination's folder. A file that is not committed is removed with the last reference. A stream (standard output,
/// a FIFO, a device) accepts bytes in order only: bytes written at an earlier position are dropped.
///
/// The first error is kept in ``failure``, because the C library between us and the encoder does not report it. All
/// later writes fail.
package final class OutputFile {
  package let path: String
  package let isStream: Bool
  private(set) var failure: CInt = 0
  private(set) var length = 0
  var position = 0

  private let descriptor: CInt
  /// `nil` for a caller's descriptor.
  private let location: OutputLocation?
  /// The temporary name; `nil` for a stream, and for a file without a name.
  private var temporary: OutputLocation.Temporary?
  private let closes: Bool

  /// Opens a file that will replace the one at `path`, or opens the device or FIFO at `path`.
  ///
  /// - Parameters:
  ///   - rules: Where the file must be, and what it may replace.
  ///   - keepsPartial: Whether the file remains under its temporary name if the program is killed.
  package init(
    path: String, rules: OutputRules = OutputRules(), keepsPartial: Bool = false
  ) throws(AudioFileError) {
    let location = try OutputLocation(path, rules)
    self.path = location.path
    self.location = location
    closes = true
    isStream = try location.occupant() == .device
    if isStream {
      descriptor = location.openDevice()
    } else {
      let unnamed = keepsPartial ? -1 : location.openUnnamed()
      if unnamed >= 0 {
        descriptor = unnamed
      } else {
        (temporary, descriptor) = location.openTemporary()
      }
    }
    if descriptor < 0 { throw .cannotCreate(path: path, code: errno) }
  }

  /// Checks what writing a file would do.
  ///
  /// - Returns: Whether a file exists that would be replaced.
  /// - Throws: The errors of ``init(path:rules:keepsPartial:)``, except for a missing folder.
  package static func wouldReplace(
    _ path: String, rules: OutputRules
  ) throws(AudioFileError) -> Bool {
    do throws(AudioFileError) {
      return try OutputLocation(path, rules).occupant() == .file
    } catch {
      if case .cannotCreate(_, ENOENT) = error { return false }
      throw error
    }
  }

  /// Removes the files that a process has left under their temporary names, because it was killed. Files of other names
  /// may belong to a process with the same number on another machine.
  ///
  /// - Parameters:
  ///   - path: The path of a file, or of a folder of files, that the process may have written.
  ///   - process: The number of a process that has ended.
  package static func removePartialFiles(at path: String, of process: CInt) {
    let path = resolvedPath(path) ?? path
    for (folder, file) in [(folder(of: path), String(path.folderAndName.name)), (path, nil)] {
      for name in (try? Folder.names(in: folder)) ?? []
      where OutputLocation.isTemporary(name, for: file, of: process) {
        unlink("\(folder)/\(name)".platformString)
      }
    }
  }

  /// Writes to a descriptor, which remains the caller's to close.
  package init(descriptor: CInt, name: String) {
    path = name
    self.descriptor = descriptor
    isStream = true
    location = nil
    closes = false
  }

  /// Returns the folder of a path.
  package static func folder(of path: String) -> String {
    guard let slash = path.lastSlash else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Writes at ``position`` and advances it.
  ///
  /// - Returns: Whether all bytes were written.
  package func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    if isStream, position != length {
      position += bytes.count
      return true
    }
    var done = 0
    while failure == 0, done < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
      let count =
        isStream
        ? Glibc.write(descriptor, rest.baseAddress, rest.count)
        : pwrite(descriptor, rest.baseAddress, rest.count, off_t(position))
      if count > 0 {
        done += count
        position += count
        length = max(length, position)
      } else if count == 0 {
        failure = EIO
      } else if errno != EINTR {
        failure = errno
      }
    }
    return failure == 0
  }

  /// ``failure`` as an error; `nil` if there was none.
  package var error: AudioFileError? {
    if failure == 0 { return nil }
    return failure == EPIPE ? .brokenPipe : .cannotWrite(path: path, code: failure)
  }

  /// Lets bytes be written again at positions that the file already has.
  func forgetFailure() { failure = 0 }

  /// Syncs the file to the disk, so that a full disk or a lost server is reported here. Nothing may be written
  /// afterwards.
  package func sync() throws(AudioFileError) {
    if failure == 0, !isStream, !isSynced {
      WrittenMark.set(on: descriptor)
      if fsync(descriptor) != 0 { failure = errno }
    }
    if let error { throw error }
    isSynced = true
  }
  private var isSynced = false

  /// Moves the complete file to its path.
  ///
  /// It is synced first, so that a power failure leaves either the old or the new file.
  package func commit() throws(AudioFileError) {
    try sync()
    if !isStream, !(try moveToPath()) { failure = errno }
    if let error { throw error }
    isCommitted = true
    location?.didWrite()
  }

  /// - Returns: Whether this succeeded; otherwise `errno` is set.
  private func moveToPath() throws(AudioFileError) -> Bool {
    guard let location else { return true }
    guard let temporary else { return try location.link(descriptor) }
    self.temporary = nil
    return try location.rename(temporary)
  }

  /// Leaves the incomplete file under its temporary name.
  ///
  /// - Returns: Its path; `nil` if it has no name.
  package func keepPartial() -> String? {
    defer { temporary = nil }
    return temporary?.path
  }

  private var isCommitted = false

  deinit {
    if let temporary, !isCommitted { location?.remove(temporary) }
    if closes { close(descriptor) }
  }
}
