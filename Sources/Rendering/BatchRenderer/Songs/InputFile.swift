import ContentHash
import Glibc
import LocalSystem
import MIDIFile

/// Reads the bytes of a song from a file, a FIFO or standard input, to its end.
enum InputFile {
  /// The greatest length of a file, in bytes. The longest known songs have some tens of mebibytes. A longer file is not
  /// a song, and its events would exhaust the memory.
  static let maximumBytes = 1 << 30

  /// Reads a whole file.
  ///
  /// - Parameters:
  ///   - path: `-` is standard input.
  ///   - root: A folder that the path begins with, below which no symbolic link is followed; `nil`: links are followed.
  ///   - isSong: Whether reading may stop as soon as the bytes cannot be a MIDI file.
  /// - Throws: ``Failure/Kind/inputUnusable`` with the system's reason.
  static func read(
    _ path: String, below root: String? = nil, isSong: Bool = true
  ) throws(Failure) -> [UInt8] {
    let descriptor = path == "-" ? STDIN_FILENO : open(path, below: root)
    guard descriptor >= 0 else { throw unreadable(path, errno) }
    defer { if path != "-" { close(descriptor) } }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw unreadable(path, errno) }
    if status.st_mode & S_IFMT == S_IFDIR { throw folder(path) }
    if status.st_size > maximumBytes { throw tooLong(path) }
    return try readAll(descriptor, path, expected: Int(status.st_size), isSong: isSong)
  }

  /// - Returns: A descriptor; negative if the file cannot be opened, with the reason in `errno`.
  private static func open(_ path: String, below root: String?) -> CInt {
    guard let root else { return Glibc.open(path.platformString, O_RDONLY | O_CLOEXEC) }
    let parts = SongPath.parts(of: path, below: root)
    guard let name = parts.last, let folder = try? Folder.open(parts.dropLast(), below: root)
    else {
      return -1
    }
    defer { close(folder) }
    // `O_NONBLOCK`: opening must not block if a FIFO has replaced the file since it was found.
    return openat(folder, name.platformString, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
  }

  /// Returns a hash of a file's bytes.
  static func hash(_ path: String) throws(Failure) -> String {
    let descriptor = Glibc.open(path.platformString, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw unreadable(path, errno) }
    defer { close(descriptor) }
    var hash = ContentHash()
    try forEachBlock(descriptor, path) { block in
      hash.add(block)
      return true
    }
    return hash.text
  }

  private static func readAll(
    _ descriptor: CInt, _ path: String, expected: Int, isSong: Bool
  ) throws(Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    try forEachBlock(descriptor, path) { block throws(Failure) in
      let wasShort = bytes.count < StandardMIDIFile.beginning
      bytes += block
      if bytes.count > maximumBytes { throw tooLong(path) }
      if isSong, wasShort, bytes.count >= StandardMIDIFile.beginning {
        // The decoder reports what is wrong.
        if !StandardMIDIFile.mayBegin(with: bytes) { return false }
        try checkMemory(for: expected, path)
        bytes.reserveCapacity(expected)
      }
      return true
    }
    return bytes
  }

  /// Reads blocks until the end of the file or until `body` returns `false`.
  private static func forEachBlock(
    _ descriptor: CInt, _ path: String,
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Bool
  ) throws(Failure) {
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { block.deallocate() }
    while true {
      let count = Glibc.read(descriptor, block.baseAddress, block.count)
      if count == 0 { return }
      if count > 0 {
        if try !body(UnsafeRawBufferPointer(rebasing: block[..<count])) { return }
      } else if errno != EINTR {
        throw unreadable(path, errno)
      }
      if let signal = Interruption.signal { throw .interrupted(by: signal) }
    }
  }

  /// Refuses a song whose events would exhaust the memory and so endanger the other songs of the run.
  private static func checkMemory(for bytes: Int, _ path: String) throws(Failure) {
    // An event may have three bytes, and takes 32 bytes when decoded and another 24 when played.
    let needed = bytes * 20
    guard bytes > 1 << 24, let available = ProcessEnvironment.availableMemory,
      needed > available / 2
    else { return }
    throw Failure(
      .inputUnusable,
      "\(name(path)) is \(bytes) bytes long: rendering it may need \(needed >> 20) MiB of memory, but "
        + "only \(available >> 20) MiB are available; free some memory, or split the song")
  }

  private static func unreadable(_ path: String, _ code: CInt) -> Failure {
    Failure(.inputUnusable, "cannot read \(name(path)): \(errnoDescription(code))")
  }

  private static func folder(_ path: String) -> Failure {
    Failure(
      .inputUnusable, "\(name(path)) is a folder, not a song: name a MIDI file in it")
  }

  private static func tooLong(_ path: String) -> Failure {
    Failure(
      .inputUnusable,
      "\(name(path)) must be at most \(maximumBytes) bytes long, but is longer: split the song")
  }

  /// Returns the name of an input in messages.
  static func name(_ path: String) -> String {
    path == "-" ? "standard input" : "'\(path)'"
  }
}
