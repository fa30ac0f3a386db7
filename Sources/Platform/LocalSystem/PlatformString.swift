/// The names of files, which are bytes for Linux, and text for us, with nothing lost on the way.
///
/// Nearly all names are UTF-8. Each byte that is not, such as an é from the days of Latin-1, is kept as one of 128
/// private characters, and made from it again. Where a name has such a character itself, its bytes are kept so
/// too; hence no two names become the same text.
///
/// Source: PEP 383, whose half surrogates Swift's strings cannot hold; the names here are swift-system's.
extension String {
  /// - Parameter bytes: What the system calls it.
  package init(platformString bytes: UnsafePointer<CChar>) {
    if let text = String(validatingCString: bytes), !text.unicodeScalars.contains(where: \.isByte) {
      self = text
      return
    }
    self.init(String.UnicodeScalarView(keeping: Array(UnsafeRawBufferPointer(cString: bytes))))
  }

  /// What the system calls it, with its final 0, for functions of C that take a path.
  package var platformString: [CChar] {
    var bytes: [CChar] = []
    bytes.reserveCapacity(utf8.count + 1)
    for scalar in unicodeScalars {
      if let byte = scalar.byte {
        bytes.append(CChar(bitPattern: byte))
      } else {
        for unit in UTF8.encode(scalar)! { bytes.append(CChar(bitPattern: unit)) }
      }
    }
    bytes.append(0)
    return bytes
  }

  /// For people: bytes that are not UTF-8 are shown as `\xE9`.
  package var showingBytes: String {
    guard unicodeScalars.contains(where: \.isByte) else { return self }
    return unicodeScalars.map { scalar in
      scalar.byte.map { "\\x" + String($0, radix: 16, uppercase: true) } ?? String(scalar)
    }.joined()
  }
}

extension String.UnicodeScalarView {
  /// Decodes UTF-8, and keeps the bytes that are none.
  fileprivate init(keeping bytes: [UInt8]) {
    self.init()
    var parser = UTF8.ForwardParser()
    var input = bytes.makeIterator()
    var position = 0
    while true {
      switch parser.parseScalar(from: &input) {
      case .valid(let units):
        let scalar = UTF8.decode(units)
        if scalar.isByte {
          for unit in units { append(Unicode.Scalar(byte: unit)) }
        } else {
          append(scalar)
        }
        position += units.count
      case .error(let length):
        for byte in bytes[position..<position + length] { append(Unicode.Scalar(byte: byte)) }
        position += length
      case .emptyInput:
        return
      }
    }
  }
}

extension Unicode.Scalar {
  /// U+10FE80 to U+10FEFF; below 0x80, every byte is UTF-8.
  private static let firstByte: UInt32 = 0x10_FE00

  fileprivate init(byte: UInt8) { self.init(Self.firstByte + UInt32(byte))! }

  fileprivate var byte: UInt8? {
    (Self.firstByte + 0x80...Self.firstByte + 0xFF).contains(value) ? UInt8(value & 0xFF) : nil
  }

  fileprivate var isByte: Bool { byte != nil }
}

extension UnsafeRawBufferPointer {
  /// Without the final 0.
  fileprivate init(cString: UnsafePointer<CChar>) {
    var count = 0
    while cString[count] != 0 { count += 1 }
    self.init(start: cString, count: count)
  }
}
