import Glibc
import LocalSystem

/// Checks SoundFont files without loading them.
package enum SoundFontFile {
  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// Returns the names of the SoundFonts in a folder, sorted.
  static func names(in folder: String) -> [String] {
    let names = (try? Folder.names(in: folder)) ?? []
    return names.filter { !$0.hasPrefix(".") && isNamed($0) }
  }

  /// Whether a path has the ending of a SoundFont.
  package static func isNamed(_ path: String) -> Bool {
    [".sf2", ".sf3"].contains(path.suffix(4).lowercased())
  }

  /// Checks the first twelve bytes (`RIFF`, the size of the rest, `sfbk`) and the length of the file.
  ///
  /// Source: *SoundFont Technical Specification 2.04*, 4.1.
  static func check(_ file: FoundSoundFont) throws(SoundFontError) {
    let descriptor = try open(file)
    defer { close(descriptor) }
    var header = [UInt8](repeating: 0, count: 12)
    let count = read(descriptor, &header, 12)
    if count < 0 { throw .unreadable(file, reason: errnoDescription(errno)) }
    guard count == 12, header[..<4].elementsEqual("RIFF".utf8),
      header[8...].elementsEqual("sfbk".utf8)
    else { throw .notASoundFont(file) }
    let size = header[4..<8].reversed().reduce(0) { $0 << 8 | Int($1) }
    let length = Int(lseek(descriptor, 0, SEEK_END))
    if length < size + 8 { throw .cutShort(file, expected: size + 8, found: length) }
    try checkChunks(file, descriptor, end: size + 8)
  }

  /// Opens a SoundFont, which may be a link, without waiting.
  static func open(_ file: FoundSoundFont) throws(SoundFontError) -> CInt {
    do throws(WholeFile.Failure) {
      return try RegularFile.open(file.path, O_RDONLY, followsLinks: true)
    } catch {
      throw .unreadable(file, reason: error.description)
    }
  }

  /// Checks that the chunks end where the file ends; FluidSynth's message for such a file would be misleading.
  private static func checkChunks(
    _ file: FoundSoundFont, _ descriptor: CInt, end: Int
  ) throws(SoundFontError) {
    var position = 12
    while position + 8 <= end {
      var header = [UInt8](repeating: 0, count: 8)
      guard pread(descriptor, &header, 8, off_t(position)) == 8 else { return }
      let size = header[4...].reversed().reduce(0) { $0 << 8 | Int($1) }
      position += 8 + size
      if position > end { throw .cutShort(file, expected: position, found: end) }
      // Some SF3 writers omit the RIFF padding byte after an odd size, and FluidSynth accepts that.
      var next = [UInt8](repeating: 0, count: 4)
      let isUnpadded =
        pread(descriptor, &next, 4, off_t(position)) == 4 && next.elementsEqual("LIST".utf8)
      if !isUnpadded { position += size % 2 }
    }
  }
}
