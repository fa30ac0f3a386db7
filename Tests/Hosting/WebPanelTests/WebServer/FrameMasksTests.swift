import Testing

@testable import WebPanel

@Suite(.timeLimit(.minutes(5)))
struct FrameMasksTests {
  private static func frame(_ count: Int, isMasked: Bool = true, lengthBytes: Int) -> [UInt8] {
    let bit: UInt8 = isMasked ? 0x80 : 0
    let length: [UInt8] =
      switch lengthBytes {
      case 2: [bit | 126, UInt8(count >> 8), UInt8(count & 255)]
      case 8:
        [bit | 127, 0, 0, 0, 0, 0, UInt8(count >> 16), UInt8(count >> 8 & 255), UInt8(count & 255)]
      default: [bit | UInt8(count)]
      }
    // The payload would have no mask, if it were taken for a header.
    return [0x81] + length + (isMasked ? [0, 0, 0, 0] : []) + [UInt8](repeating: 1, count: count)
  }

  private static let frames = [
    frame(0, lengthBytes: 0), frame(1, lengthBytes: 0), frame(125, lengthBytes: 0),
    frame(126, lengthBytes: 2), frame(5, lengthBytes: 2), frame(65_535, lengthBytes: 2),
    frame(70_000, lengthBytes: 8), frame(0, lengthBytes: 8),
  ]

  private func admits(_ bytes: [UInt8], parts: Int) -> Bool {
    var masks = FrameMasks()
    return stride(from: 0, to: bytes.count, by: parts).allSatisfy { start in
      Array(bytes[start..<min(start + parts, bytes.count)]).withUnsafeBufferPointer {
        masks.admits($0)
      }
    }
  }

  @Test(arguments: [1, 2, 3, 7, 100, 4096, 1 << 20])
  func `frames with masks are admitted, in parts of any length`(_ parts: Int) {
    #expect(admits(Self.frames.flatMap { $0 }, parts: parts))
  }

  @Test(arguments: [0, 2, 8], [1, 3, 4096])
  func `a frame without a mask is refused, wherever it is`(_ lengthBytes: Int, _ parts: Int) {
    let wrong = Self.frame(100, isMasked: false, lengthBytes: lengthBytes)
    #expect(!admits(wrong, parts: parts))
    #expect(!admits(Self.frames.flatMap { $0 } + wrong, parts: parts))
  }
}
