import Glibc
import LocalSystem

/// Marks files written by Portative, to detect whether they were changed since: an extended attribute with the file's
/// size and modification time.
///
/// If the file system has no extended attributes, the program's name in the file's tags is used instead.
enum WrittenMark {
  private static let name = "user.portative.written"

  /// Marks a file. Nothing may be written to it afterwards.
  static func set(on descriptor: CInt) {
    if let state = state(of: descriptor) { FileAttribute.set(name, to: state, of: descriptor) }
  }

  /// Returns whether the file is unchanged since it was marked.
  ///
  /// - Parameter descriptor: Open for reading.
  static func isValid(on descriptor: CInt) -> Bool {
    switch FileAttribute.get(name, of: descriptor) {
    case .text(let text): text == state(of: descriptor)
    case .missing: false
    case .unsupported: hasTag(descriptor)
    }
  }

  private static func state(of descriptor: CInt) -> String? {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    return "\(status.st_size) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
  }

  /// The tags in WAVE, Vorbis comments, AIFF, PNG and MP3 files.
  private static let tags = [
    "ISFT\u{0A}\0\0\0\(AudioFileWriter.software)\0", "SOFTWARE=\(AudioFileWriter.software)",
    "software=\(AudioFileWriter.software)", "ENCODER=\(AudioFileWriter.software)",
    "encoder=\(AudioFileWriter.software)", "Software\0\(AudioFileWriter.software)",
    "m3ga\(AudioFileWriter.software)",
  ].map { Array($0.utf8) }

  /// Returns whether the first 4096 bytes contain one of the tags, which are written before the first frame.
  static func hasTag(_ descriptor: CInt) -> Bool {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    guard count > 0 else { return false }
    let beginning = bytes[..<count]
    return tags.contains { tag in
      beginning.indices.contains { beginning[$0...].starts(with: tag) }
    }
  }
}
