import RenderCore
import Testing

@testable import ALSA

@Suite(.timeLimit(.minutes(5))) struct SysExJoinerTests {
  var joiner = SysExJoiner()

  @Test mutating func `a message in one piece is complete`() {
    #expect(joiner.append([0xF0, 1, 2, 0xF7]) == [.whole([1, 2])])
  }

  @Test mutating func `a message in pieces of any length is complete`() {
    let message = (0..<1000).map { UInt8($0 % 128) }
    let bytes = [0xF0] + message + [0xF7]
    for length in [1, 2, 3, 7, 256, 1001, 1002] {
      var results: [SysExJoiner.Result] = []
      for start in stride(from: 0, to: bytes.count, by: length) {
        results += joiner.append(Array(bytes[start..<min(start + length, bytes.count)]))
      }
      #expect(results == [.whole(message)], "pieces of \(length)")
    }
  }

  @Test mutating func `one piece may have several messages, and an empty one`() {
    #expect(
      joiner.append([0xF0, 1, 0xF7, 0xF0, 0xF7, 0xF0, 2]) == [.whole([1]), .whole([])])
    #expect(joiner.append([3, 0xF7]) == [.whole([2, 3])])
  }

  @Test mutating func `clocks are passed on immediately, also inside a message`() {
    #expect(joiner.append([0xF0, 1, 0xF8]) == [.system(.clock)])
    #expect(joiner.append([0xFA, 2, 0xF9, 0xF7]) == [.system(.start), .whole([1, 2])])
  }

  @Test
  mutating func `a message that another one interrupts is incomplete, and the other is complete`() {
    #expect(joiner.append([0xF0, 1, 0xF0, 2, 0xF7]) == [.broken, .whole([2])])
  }

  @Test mutating func `a status byte inside a message ends it, and is counted once`() {
    #expect(joiner.append([0xF0, 1, 0x90, 60, 100, 0x90, 61]) == [.broken])
    #expect(joiner.append([3, 0xF7, 0xF0, 4, 0xF7]) == [.whole([4])])
  }

  @Test mutating func `a message without its beginning is counted once`() {
    #expect(joiner.append([1, 2]) == [.broken])
    #expect(joiner.append([3, 0xF7, 0xF7]) == [])
    #expect(joiner.append([0xF0, 4, 0xF7]) == [.whole([4])])
  }

  @Test mutating func `another event ends only an incomplete message`() {
    #expect(joiner.interrupt() == false)
    #expect(joiner.append([0xF0, 1]) == [])
    #expect(joiner.interrupt() == true)
    #expect(joiner.interrupt() == false)
    #expect(joiner.append([2, 0xF7, 0xF0, 3, 0xF7]) == [.whole([3])])
  }

  @Test mutating func `the longest message is complete, and a longer one is refused`() {
    let longest = [UInt8](repeating: 5, count: SysExJoiner.longest)
    #expect(joiner.append([0xF0] + longest + [0xF7]) == [.whole(longest)])
    #expect(joiner.append([0xF0] + longest + [5, 5, 5, 0xF7]) == [.broken])
    #expect(joiner.append([0xF0, 6, 0xF7]) == [.whole([6])])
  }
}
