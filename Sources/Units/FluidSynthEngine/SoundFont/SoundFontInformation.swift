/// What the file of a SoundFont says about itself, found without loading it into FluidSynth.
///
/// Source: E-mu Systems, *SoundFont Technical Specification 2.04*, 2006, section 5.
///
/// Realtime: no.
package struct SoundFontInformation: Equatable, Sendable {
  /// The texts of the file; `nil` for those that are missing or empty.
  package private(set) var name: String?
  package private(set) var author: String?
  /// The copyright, which usually has the licence.
  package private(set) var copyright: String?
  package private(set) var comment: String?
  package private(set) var date: String?
  /// The program that made the file.
  package private(set) var tool: String?
  /// The version of the format, such as `2.01`.
  package private(set) var version: String?
  /// The size of the file.
  package let bytes: Int
  /// 16 or 24; `nil` if the samples are compressed, as in version 3.
  package private(set) var bitsPerSample: Int?
  /// The number of samples, and the lowest and highest key of each preset; `nil` if the tables violate the standard or the
  /// samples are compressed.
  package private(set) var samples: Int?
  package private(set) var keys: [PresetKeys]?

  /// The keys that a preset plays.
  package struct PresetKeys: Equatable, Sendable {
    package let bank: Int
    package let program: Int
    /// `nil` if it plays none.
    package let keys: ClosedRange<UInt8>?
  }

  /// The greatest number of bytes of a text that are read.
  private static let longestText = 1 << 16

  /// - Throws: ``InstrumentError/soundFontUnreadable(path:reason:)``; ``InstrumentError/notASoundFont(path:reason:)`` if the
  ///   file is no list of a SoundFont's chunks.
  package init(_ path: String) throws(InstrumentError) {
    let file = try SampleFile(opening: path)
    defer { file.close() }
    bytes = file.size
    guard let form = RIFFChunk(file, at: 0, limit: file.size), form.id == "RIFF",
      let lists = form.chunks(file, type: "sfbk"), let list = lists.first,
      let information = list.chunks(file, type: "INFO")
    else { throw .notASoundFont(path: path, reason: "it has no chunks of a SoundFont") }
    for chunk in information { take(chunk, of: file) }
    guard let outline = SoundFontOutline(file) else { return }
    bitsPerSample = outline.lowBytes == nil ? 16 : 24
    samples = outline.tables.samples.count
    keys = outline.tables.presets.map { preset in
      let zones = outline.tables.zones[preset.zones]
      let lowest = zones.map(\.lowestKey).min()
      let highest = zones.map(\.highestKey).max()
      return PresetKeys(
        bank: Int(preset.number.bank), program: Int(preset.number.program),
        keys: lowest.flatMap { lowest in highest.map { lowest...$0 } })
    }
  }

  private mutating func take(_ chunk: RIFFChunk, of file: SampleFile) {
    let start = chunk.content.lowerBound
    guard
      let bytes = file.bytes(start..<min(chunk.content.upperBound, start + Self.longestText))
    else { return }
    switch chunk.id {
    case "ifil" where bytes.count == 4:
      let minor = bytes.uint16(at: 2)
      version = "\(bytes.uint16(at: 0)).\(minor < 10 ? "0" : "")\(minor)"
    case "INAM": name = Self.text(bytes)
    case "IENG": author = Self.text(bytes)
    case "ICOP": copyright = Self.text(bytes)
    case "ICMT": comment = Self.text(bytes)
    case "ICRD": date = Self.text(bytes)
    case "ISFT": tool = Self.text(bytes)
    default: break
    }
  }

  /// Returns a text that ends with a zero byte. The standard specifies ASCII; other bytes are UTF-8, or else Latin-1.
  private static func text(_ bytes: [UInt8]) -> String? {
    let bytes = bytes.prefix { $0 != 0 }
    let text =
      String(validating: bytes, as: UTF8.self)
      ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    return text.allSatisfy(\.isWhitespace) ? nil : text
  }
}
