import Glibc
import LocalSystem

extension SoundFontFile {
  /// A preset as a SoundFont lists it.
  package struct ListedPreset: Equatable, Sendable {
    package let name: String
    /// 128: a drum kit.
    package let bank: Int
    package let program: Int
  }

  /// Reads the list of presets without the samples, in the order of banks and programs.
  ///
  /// - Throws: ``SoundFontError`` if the file cannot be read, is incomplete or has no such list.
  ///
  /// Source: *SoundFont Technical Specification 2.04*, 7.2.
  package static func presets(of path: String) throws(SoundFontError) -> [ListedPreset] {
    let file = FoundSoundFont(path: path, origin: .user)
    try check(file)
    let descriptor = try open(file)
    defer { close(descriptor) }
    let size = Int(lseek(descriptor, 0, SEEK_END))
    guard let list = find("LIST", "pdta", in: 12..<size, descriptor),
      let headers = find("phdr", nil, in: list, descriptor), headers.count % Header.size == 0,
      headers.count <= Header.mostPresets * Header.size
    else { throw .notASoundFont(file) }
    var bytes = [UInt8](repeating: 0, count: headers.count)
    guard pread(descriptor, &bytes, bytes.count, off_t(headers.lowerBound)) == bytes.count else {
      throw .notASoundFont(file)
    }
    // The last header ends the list.
    var presets: [ListedPreset] = []
    for start in stride(from: 0, to: bytes.count - Header.size, by: Header.size) {
      let name = String(decoding: bytes[start..<start + 20].prefix { $0 != 0 }, as: UTF8.self)
      let program = Int(bytes[start + 20]) | Int(bytes[start + 21]) << 8
      let bank = Int(bytes[start + 22]) | Int(bytes[start + 23]) << 8
      presets.append(ListedPreset(name: name.printable, bank: bank, program: program))
    }
    return presets.sorted { ($0.bank, $0.program) < ($1.bank, $1.program) }
  }

  private enum Header {
    static let size = 38
    static let mostPresets = 65_536
  }

  /// Returns the content of a chunk, behind its type if it is a list.
  private static func find(
    _ identifier: String, _ type: String?, in range: Range<Int>, _ descriptor: CInt
  ) -> Range<Int>? {
    var position = range.lowerBound
    while position + 8 <= range.upperBound {
      var header = [UInt8](repeating: 0, count: 12)
      guard pread(descriptor, &header, 12, off_t(position)) >= 8 else { return nil }
      let size = header[4..<8].reversed().reduce(0) { $0 << 8 | Int($1) }
      let content = position + 8..<position + 8 + size
      if content.upperBound > range.upperBound { return nil }
      if header[..<4].elementsEqual(identifier.utf8) {
        guard let type else { return content }
        if header[8...].elementsEqual(type.utf8) { return content.dropFirst(4) }
      }
      position = content.upperBound + size % 2
    }
    return nil
  }
}
