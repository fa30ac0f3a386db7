import Testing

@testable import AudioFile

/// A page of one segment with three bytes, without a checksum.
private let page: [UInt8] =
  Array("OggS".utf8) + [0, 2] + [UInt8](repeating: 0, count: 20) + [1, 3] + [7, 8, 9]

@Test(arguments: [1, 5, 30, 31, 62])
func `renumbers pages, however they are divided`(portion: Int) {
  var ogg = OggSerial(serial: 0x0403_0201)
  let stream = page + page
  var result: [[UInt8]] = []
  for start in stride(from: 0, to: stream.count, by: portion) {
    let bytes = Array(stream[start..<min(start + portion, stream.count)])
    let taken = bytes.withUnsafeBytes {
      ogg.renumber($0) {
        result.append(Array($0)); return true
      }
    }
    #expect(taken)
  }
  #expect(result.count == 2)
  #expect(result[0] == result[1])
  #expect(Array(result[0][14..<18]) == [1, 2, 3, 4])
  // Computed over the page with zeros in place of the checksum, the checksum must match.
  var cleared = result[0]
  cleared.replaceSubrange(22..<26, with: [0, 0, 0, 0])
  let sum = OggSerial.checksum(cleared[...])
  #expect(Array(result[0][22..<26]) == (0..<4).map { UInt8(truncatingIfNeeded: sum >> (8 * $0)) })
}

/// The check value of CRC-32 with this polynomial, without reflection or inversion: "123456789" with an
/// initial value of zeros. CRC-32/MPEG-2 uses an initial value of ones.
@Test func `the checksum is Ogg's`() {
  #expect(OggSerial.checksum(Array("123456789".utf8)[...]) == 0x89A1_897F)
}
