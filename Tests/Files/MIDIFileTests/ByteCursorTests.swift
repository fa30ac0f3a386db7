import Testing

@testable import MIDIFile

@Suite(.timeLimit(.minutes(5))) struct ByteCursorTests {
  /// Reads one variable-length quantity: its value, or `nil` if it is too large, and its length in bytes.
  private func quantity(_ bytes: [UInt8]) -> (value: Int?, byteCount: Int)? {
    bytes.withUnsafeBytes { buffer in
      var cursor = ByteCursor(buffer, 0..<buffer.count)
      return cursor.quantity()
    }
  }

  /// The examples of RP-001, "Variable-length quantities".
  @Test(
    arguments: [
      ([0x00], 0), ([0x40], 0x40), ([0x7F], 0x7F), ([0x81, 0x00], 0x80), ([0xC0, 0x00], 0x2000),
      ([0xFF, 0x7F], 0x3FFF), ([0x81, 0x80, 0x00], 0x4000), ([0xFF, 0xFF, 0x7F], 0x1F_FFFF),
      ([0x81, 0x80, 0x80, 0x00], 0x20_0000), ([0xFF, 0xFF, 0xFF, 0x7F], 0xFFF_FFFF),
    ] as [([UInt8], Int)])
  func `reads the standard's own examples`(bytes: [UInt8], value: Int) {
    let read = quantity(bytes + [0x55])
    #expect(read?.value == value)
    #expect(read?.byteCount == bytes.count)
  }

  @Test func `reads more than four bytes if they begin with zeros`() {
    let read = quantity([0x80, 0x80, 0x80, 0x80, 0x81, 0x00])
    #expect(read?.value == 0x80)
    #expect(read?.byteCount == 6)
  }

  @Test func `refuses a value above 28 bits, however many bytes it has`() {
    #expect(quantity([0x81, 0x80, 0x80, 0x80, 0x00])! == (nil, 5))
    #expect(quantity(Array(repeating: 0xFF, count: 1000) + [0x7F])! == (nil, 1001))
    #expect(quantity([0x81] + Array(repeating: 0x80, count: 1000) + [0x00])! == (nil, 1002))
  }

  @Test func `refuses a quantity that the end cuts`() {
    #expect(quantity([]) == nil)
    #expect(quantity([0x81]) == nil)
    #expect(quantity([0xFF, 0xFF, 0xFF, 0xFF, 0xFF]) == nil)
  }

  @Test func `reads nothing past its end`() {
    let bytes: [UInt8] = [1, 2, 3, 4, 5]
    bytes.withUnsafeBytes { buffer in
      var cursor = ByteCursor(buffer, 1..<4)
      #expect(cursor.read(4) == nil)
      #expect(cursor.read(-1) == nil)
      #expect(cursor.remaining == 3)
      #expect(cursor.bigEndian(2) == 0x0203)
      #expect(cursor.bigEndian(2) == nil)
      #expect(cursor.next() == 4)
      #expect(cursor.next() == nil)
      #expect(cursor.position == 4)
    }
  }
}
