import RenderCore
import Testing

@testable import JACKAudio

@Suite(.timeLimit(.minutes(5))) struct JACKMIDIInputTests {
  /// Returns the events of messages with their frames in a cycle of 64 frames.
  private func events(_ messages: [(Int, [UInt8])]) -> [String] {
    let memory = RenderMemory()
    defer { memory.release() }
    var input = JACKMIDIInput(in: memory)
    for (time, bytes) in messages {
      bytes.withUnsafeBufferPointer { input.add($0, at: time, 64) }
    }
    return descriptions(of: input.take(0..<64))
  }

  private func descriptions(of cycle: MIDICycle) -> [String] {
    cycle.events.map { event in
      switch event.content {
      case .channel(let message):
        "\(event.offset) \(message.status) \(message.data1) \(message.data2)"
      case .system(let message): "\(event.offset) \(message.status)"
      case .sysEx(let start, let count):
        "\(event.offset) \(Array(cycle.sysEx[Int(start)..<Int(start + count)]))"
      }
    }
  }

  @Test func `messages act on their frames`() {
    #expect(
      events([
        (0, [0x90, 60, 100]), (17, [0xC3, 5]), (63, [0xF8]), (63, [0xF0, 1, 2, 3, 0xF7]),
        (63, [0xF0, 0xF7]), (63, [0xE1, 0, 64]),
      ]) == ["0 144 60 100", "17 195 5 0", "63 248", "63 [1, 2, 3]", "63 []", "63 225 0 64"])
  }

  @Test func `a part of a cycle has the messages of its frames`() {
    let memory = RenderMemory()
    defer { memory.release() }
    var input = JACKMIDIInput(in: memory)
    let messages: [(Int, [UInt8])] = [
      (0, [0xF8]), (15, [0xF0, 7, 0xF7]), (16, [0xFA]), (40, [0xF0, 8, 9, 0xF7]), (63, [0xFC]),
    ]
    for (time, bytes) in messages {
      bytes.withUnsafeBufferPointer { input.add($0, at: time, 64) }
    }
    let parts = [0..<16, 16..<32, 32..<33, 33..<64].map { descriptions(of: input.take($0)) }
    #expect(parts == [["0 248", "15 [7]"], ["0 250"], [], ["7 [8, 9]", "30 252"]])
  }

  @Test func `frames outside of the cycle or out of order are moved`() {
    #expect(
      events([(20, [0x90, 60, 1]), (10, [0x90, 61, 1]), (64, [0x90, 62, 1]), (.max, [0xF8])])
        == ["20 144 60 1", "20 144 61 1", "63 144 62 1", "63 248"])
  }

  @Test(
    arguments: [
      [], [60], [0x90], [0x90, 60], [0x90, 60, 100, 1], [0x90, 60, 200], [0xC0, 200], [0xC0, 1, 2],
      [0xF0], [0xF0, 1, 2], [0xF0, 0x90, 0xF7], [0xF7], [0xF4], [0xF2, 1], [0xF8, 1],
    ] as [[UInt8]])
  func `malformed messages are dropped`(bytes: [UInt8]) {
    #expect(events([(3, bytes), (4, [0xFE])]) == ["4 254"])
  }

  @Test func `what exceeds the memory is dropped`() {
    let long = [0xF0] + [UInt8](repeating: 1, count: 40_000) + [0xF7]
    #expect(events([(0, long), (1, long), (2, [0xF8])]).count == 2)
    let many = (0..<10_000).map { _ in (5, [0x90, 60, 1] as [UInt8]) }
    #expect(events(many).count == JACKMIDIInput.capacity)
  }
}
