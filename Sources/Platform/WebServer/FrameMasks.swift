/// Checks that every frame of a WebSocket's client has a mask, as the standard demands.
///
/// Source: RFC 6455, sections 5.1 and 5.2.
struct FrameMasks {
  /// The bytes of the header that is being read.
  private var header: [UInt8] = []
  /// The bytes of the payload that follow.
  private var payload: UInt64 = 0

  /// Follows what the client sends, in parts of any length.
  ///
  /// - Returns: `false` if a frame has no mask. The rest is not checked then.
  mutating func admits(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var index = 0
    while index < bytes.count {
      if payload > 0 {
        let count = min(payload, UInt64(bytes.count - index))
        payload -= count
        index += Int(count)
        continue
      }
      header.append(bytes[index])
      index += 1
      guard header.count >= 2 else { continue }
      if header[1] & 0x80 == 0 { return false }
      let lengthBytes =
        switch header[1] & 0x7F {
        case 126: 2
        case 127: 8
        default: 0
        }
      // The mask has four bytes.
      guard header.count == 2 + lengthBytes + 4 else { continue }
      payload =
        lengthBytes == 0
        ? UInt64(header[1] & 0x7F)
        : header[2..<2 + lengthBytes].reduce(0) { $0 << 8 | UInt64($1) }
      header = []
    }
    return true
  }
}
