import Glibc
import LocalSystem

/// Where bytes go: a file that appears at its path only when it is whole, or a stream.
///
/// A file has no name until ``commit()`` gives it one: a program that dies, however it dies, leaves
/// nothing behind. Where the file system cannot do that, or the bytes shall outlive such a death, it
/// has a temporary name beside its destination. One that is not committed goes with the last
/// reference. A stream (standard output,
/// a FIFO, a device) takes bytes in order only: what is written over bytes already sent is dropped.
///
/// The first failure is kept in ``failure``, because the C library between us and the encoder does
/// not pass it on, and everything after it is refused.
package final class OutputFile {
  package let path: String
  package let isStream: Bool
  private(set) var failure: CInt = 0
  private(set) var length = 0
  var position = 0

  private let descriptor: CInt
  /// `nil` where there is only a descriptor.
  private let place: OutputPlace?
  /// `nil` for a stream, and for a file without a name.
  private var temporary: OutputPlace.Temporary?
  private let closes: Bool

  /// Opens a file that will replace what is at `path`, or the device or FIFO that is there.
  ///
  /// - Parameters:
  ///   - rules: Where the file must be, and what it may replace.
  ///   - survives: Whether what was written is left under its temporary name if the program is
  ///     killed.
  package init(
    path: String, rules: OutputRules = OutputRules(), survives: Bool = false
  ) throws(AudioFileError) {
    let place = try OutputPlace(path, rules)
    self.path = place.path
    self.place = place
    closes = true
    isStream = try place.occupant() == .device
    if isStream {
      descriptor = place.openDevice()
    } else {
      let unnamed = survives ? -1 : place.openUnnamed()
      if unnamed >= 0 {
        descriptor = unnamed
      } else {
        (temporary, descriptor) = place.openTemporary()
      }
    }
    if descriptor < 0 { throw .cannotCreate(path: path, code: errno) }
  }

  /// Finds out what writing a file would do.
  ///
  /// - Returns: Whether there is a file already, which would be replaced.
  /// - Throws: What ``init(path:rules:survives:)`` would, but for a folder that is missing.
  package static func wouldReplace(
    _ path: String, rules: OutputRules
  ) throws(AudioFileError) -> Bool {
    do throws(AudioFileError) {
      return try OutputPlace(path, rules).occupant() == .file
    } catch {
      if case .cannotCreate(_, ENOENT) = error { return false }
      throw error
    }
  }

  /// Writes to a descriptor that stays the caller's.
  package init(descriptor: CInt, name: String) {
    path = name
    self.descriptor = descriptor
    isStream = true
    place = nil
    closes = false
  }

  /// The folder that a path is in.
  package static func folder(of path: String) -> String {
    guard let slash = path.lastSlash else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Writes at ``position`` and moves it.
  ///
  /// - Returns: Whether all bytes were taken.
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

  /// What the failure kept means to the caller.
  package var error: AudioFileError? {
    if failure == 0 { return nil }
    return failure == EPIPE ? .readerGone : .cannotWrite(path: path, code: failure)
  }

  /// Brings all that was written to the disk, so that a full one or a lost server is reported here and
  /// not never. Nothing may be written after it.
  package func sync() throws(AudioFileError) {
    if failure == 0, !isStream, !isSynced {
      WrittenMark.set(on: descriptor)
      if fsync(descriptor) != 0 { failure = errno }
    }
    if let error { throw error }
    isSynced = true
  }
  private var isSynced = false

  /// Makes the file appear at its path, on the disk and whole.
  ///
  /// It is synced before it is named, so that a power cut leaves the old file or the new one.
  package func commit() throws(AudioFileError) {
    try sync()
    if !isStream, !(try appear()) { failure = errno }
    if let error { throw error }
    isCommitted = true
    place?.didWrite()
  }

  /// - Returns: Whether the file is at its path; else `errno` says why not.
  private func appear() throws(AudioFileError) -> Bool {
    guard let place else { return true }
    guard let temporary else { return try place.give(name: descriptor) }
    self.temporary = nil
    return try place.give(name: temporary)
  }

  private var isCommitted = false

  deinit {
    if let temporary, !isCommitted { place?.remove(temporary) }
    if closes { close(descriptor) }
  }
}
