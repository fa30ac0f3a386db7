import CZlib
import Testing

@testable import SongPicture

/// The chunks of a PNG file, each with its check sum found right or wrong.
private func chunks(_ file: [UInt8]) -> [(name: String, content: [UInt8], isSound: Bool)] {
  func number(_ place: Int) -> Int { file[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
  var found: [(String, [UInt8], Bool)] = []
  var place = 8
  while place + 12 <= file.count {
    let length = number(place)
    let body = Array(file[place + 4..<place + 8 + length])
    let sum = Int(crc32(0, body, UInt32(body.count)))
    found.append(
      (
        String(decoding: body[..<4], as: UTF8.self), Array(body[4...]),
        sum == number(place + 8 + length)
      ))
    place += 12 + length
  }
  return found
}

@Test(arguments: [(1, 1), (3, 2), (1600, 100)])
func `a PNG file holds its pixels, row by row`(width: Int, height: Int) throws {
  // Hardly to be compressed, so that there are several chunks.
  let pixels = (0..<width * height).map {
    UInt32(truncatingIfNeeded: $0 &* 0x9E37_79B1) | 0xFF << 24
  }
  var file: [UInt8] = []
  var writer = try PNGWriter(width: width, height: height) {
    file += $0
    return true
  }
  try pixels.withUnsafeBufferPointer { pixels in
    for y in 0..<height { try writer.write(try #require(pixels.baseAddress) + y * width) }
  }
  try writer.finish()
  #expect(Array(file[..<8]) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
  let parts = chunks(file)
  #expect(parts.allSatisfy { $0.isSound })
  #expect(parts.first?.name == "IHDR" && parts.last?.name == "IEND")
  #expect(
    parts[0].content[0..<8].elementsEqual([
      0, 0, UInt8(width >> 8), UInt8(width & 255), 0, 0, 0, UInt8(height),
    ]))
  let packed = parts.filter { $0.name == "IDAT" }.flatMap(\.content)
  var raw = [UInt8](repeating: 1, count: (1 + 3 * width) * height)
  var length = UInt(raw.count)
  #expect(uncompress(&raw, &length, packed, UInt(packed.count)) == Z_OK && length == raw.count)
  for y in 0..<height {
    let row = raw[y * (1 + 3 * width)..<(y + 1) * (1 + 3 * width)]
    let expected = pixels[y * width..<(y + 1) * width].flatMap { pixel in
      [16, 8, 0].map { UInt8(pixel >> $0 & 0xFF) }
    }
    #expect(row.elementsEqual([0] + expected))
  }
}

@Test func `bytes that are not taken end the writing`() throws {
  #expect(throws: PictureError.notTaken) {
    _ = try PNGWriter(width: 1, height: 1) { _ in false }
  }
}
