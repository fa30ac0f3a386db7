import Glibc

/// The encoding of the texts of a file that are not UTF-8. The standard specifies ASCII and the files do not name theirs.
///
/// Source: RP-001 for ASCII; RP-026 for the tag `{@JP}`.
enum TextEncoding: String {
  case western = "CP1252"
  case shiftJIS = "CP932"

  /// Finds the encoding of a file: that of the Japanese Windows if a text has its tag, or if all texts are valid in it and
  /// one has kana or two of its characters of two bytes in succession. In western texts, such bytes are not adjacent.
  init(of tracks: [StandardMIDIFile.Track]) {
    var isJapanese = false
    for track in tracks {
      for event in track.events {
        guard case .meta(let meta) = event.content, meta.textKind != nil else { continue }
        if meta.data.starts(with: "{@JP}".utf8) {
          self = .shiftJIS
          return
        }
        guard meta.data.contains(where: { $0 >= 0x80 }),
          String(validating: meta.data, as: UTF8.self) == nil
        else { continue }
        guard Self.shiftJIS.converted(meta.data) != nil else {
          self = .western
          return
        }
        isJapanese = isJapanese || Self.looksJapanese(meta.data)
      }
    }
    self = isJapanese ? .shiftJIS : .western
  }

  /// Returns a text: as UTF-8 if it is valid, otherwise in this encoding, otherwise with a Latin-1 character for each byte.
  func decode(_ bytes: [UInt8]) -> String {
    String(validating: bytes, as: UTF8.self) ?? converted(bytes)
      ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }

  /// Whether valid text has kana, or two characters of two bytes in succession.
  private static func looksJapanese(_ bytes: [UInt8]) -> Bool {
    var followsPair = false
    var index = 0
    while index + 1 < bytes.count {
      switch bytes[index] {
      case 0x82...0x83: return true
      case 0x81, 0x84...0x9F, 0xE0...0xFC:
        if followsPair { return true }
        followsPair = true
        index += 2
      default:
        followsPair = false
        index += 1
      }
    }
    return false
  }

  /// Returns the text, or `nil` if it is invalid or the system lacks the encoding.
  private func converted(_ bytes: [UInt8]) -> String? {
    let descriptor = iconv_open("UTF-8", rawValue)
    // iconv_open() returns -1 as a pointer.
    guard descriptor != iconv_t(bitPattern: -1) else { return nil }
    defer { iconv_close(descriptor) }
    var input = bytes.map { CChar(bitPattern: $0) }
    var inputLeft = bytes.count
    // No byte becomes more than three.
    let text = [UInt8](unsafeUninitializedCapacity: 3 * bytes.count) { output, count in
      let capacity = output.count
      var outputLeft = capacity
      input.withUnsafeMutableBufferPointer { input in
        output.withMemoryRebound(to: CChar.self) { output in
          var (source, target) = (input.baseAddress, output.baseAddress)
          _ = iconv(descriptor, &source, &inputLeft, &target, &outputLeft)
        }
      }
      count = capacity - outputLeft
    }
    return inputLeft == 0 ? String(decoding: text, as: UTF8.self) : nil
  }
}

extension StandardMIDIFile {
  /// For each track, its first name (FF 03); `nil` if it has none.
  public var trackNames: [String?] {
    let encoding = TextEncoding(of: tracks)
    return tracks.map { track in
      for event in track.events {
        if case .meta(let meta) = event.content, meta.textKind == .trackName {
          return meta.text(in: encoding)
        }
      }
      return nil
    }
  }
}
