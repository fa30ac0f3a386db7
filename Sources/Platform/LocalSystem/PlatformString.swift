/// Lossless conversion between file names, which are bytes in Linux, and strings.
///
/// Nearly all names are UTF-8. Each byte that is not valid UTF-8, such as an é in Latin-1, is represented by one of 128
/// private-use characters, and converted back to the byte. The bytes of a name that contains such a character itself
/// are represented in the same way, so that two different names never become the same string.
///
/// Source: PEP 383, which uses lone surrogates; Swift strings cannot hold these. The names are those of swift-system.
extension String {
  /// Makes a string from a file name of the system.
  ///
  /// - Parameter bytes: The name, with a terminating 0.
  package init(platformString bytes: UnsafePointer<CChar>) {
    if let text = String(validatingCString: bytes), !text.unicodeScalars.contains(where: \.isByte) {
      self = text
      return
    }
    self.init(String.UnicodeScalarView(lossless: Array(UnsafeRawBufferPointer(cString: bytes))))
  }

  /// The file name of the system with a terminating 0, for C functions.
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

  /// The string for display: bytes that are not UTF-8 are shown as in `\xE9`.
  package var showingBytes: String {
    guard unicodeScalars.contains(where: \.isByte) else { return self }
    return unicodeScalars.map { scalar in
      scalar.byte.map { "\\x" + String($0, radix: 16, uppercase: true) } ?? String(scalar)
    }.joined()
  }
}

extension String.UnicodeScalarView {
  /// Decodes UTF-8, and represents invalid bytes by private-use characters.
  fileprivate init(lossless bytes: [UInt8]) {
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
  /// U+10FE00 plus the byte: U+10FE80 to U+10FEFF. Bytes below 0x80 are always valid UTF-8.
  private static let firstByte: UInt32 = 0x10_FE00

  fileprivate init(byte: UInt8) { self.init(Self.firstByte + UInt32(byte))! }

  fileprivate var byte: UInt8? {
    (Self.firstByte + 0x80...Self.firstByte + 0xFF).contains(value) ? UInt8(value & 0xFF) : nil
  }

  fileprivate var isByte: Bool { byte != nil }
}

extension UnsafeRawBufferPointer {
  /// The bytes of a C string without the terminating 0.
  fileprivate init(cString: UnsafePointer<CChar>) {
    var count = 0
    while cString[count] != 0 { count += 1 }
    self.init(start: cString, count: count)
  }
}
