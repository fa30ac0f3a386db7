import AudioHash
import Glibc
import LocalSystem

/// Reads a song's bytes: a file, a FIFO, or standard input to its end.
enum InputFile {
  /// The longest file that is read. The longest songs known have some tens of mebibytes; one that is
  /// longer than this is no song, and its events would fill the memory.
  static let maximumBytes = 1 << 30

  /// - Parameter path: `-` is standard input.
  /// - Throws: ``ExitCode/inputUnusable``, with the system's reason.
  static func read(_ path: String) throws(Failure) -> [UInt8] {
    let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw unreadable(path, errno) }
    defer { if path != "-" { close(descriptor) } }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw unreadable(path, errno) }
    if status.st_mode & S_IFMT == S_IFDIR { throw folder(path) }
    if status.st_size > maximumBytes { throw tooLong(path) }
    return try readAll(descriptor, path, expected: Int(status.st_size))
  }

  /// A fingerprint of a file's bytes.
  static func hash(_ path: String) throws(Failure) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw unreadable(path, errno) }
    defer { close(descriptor) }
    var hash = ContentHash()
    var block = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      let count = Glibc.read(descriptor, &block, block.count)
      if count == 0 { return hash.text }
      if count > 0 {
        block.withUnsafeBytes { hash.add(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
      } else if errno != EINTR {
        throw unreadable(path, errno)
      }
      if let signal = Interruption.signal { throw .interrupted(by: signal) }
    }
  }

  private static func readAll(
    _ descriptor: CInt, _ path: String, expected: Int
  ) throws(Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(expected)
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Glibc.read(descriptor, &block, block.count)
      if count == 0 { return bytes }
      if count > 0 {
        bytes += block[..<count]
        if bytes.count > maximumBytes { throw tooLong(path) }
      } else if errno != EINTR {
        throw unreadable(path, errno)
      }
      if let signal = Interruption.signal { throw .interrupted(by: signal) }
    }
  }

  private static func unreadable(_ path: String, _ code: CInt) -> Failure {
    Failure(.inputUnusable, "cannot read \(name(path)): \(systemMessage(code))")
  }

  private static func folder(_ path: String) -> Failure {
    Failure(
      .inputUnusable, "\(name(path)) is a folder, not a song: name the MIDI files in it")
  }

  private static func tooLong(_ path: String) -> Failure {
    Failure(
      .inputUnusable,
      "\(name(path)) must be at most \(maximumBytes) bytes long to be a song, but is longer")
  }

  /// How messages call it.
  static func name(_ path: String) -> String { path == "-" ? "standard input" : "'\(path)'" }
}
