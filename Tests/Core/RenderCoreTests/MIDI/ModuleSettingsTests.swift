import RenderCore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ModuleSettingsTests {
  @Test(arguments: 0..<50 as Range<UInt64>)
  func `the messages of settings restore them exactly`(seed: UInt64) {
    var random = Seeded(seed)
    var settings = ModuleSettings()
    let addresses: [[UInt8]] = [[0x40, 0x00], [0x40, 0x01]] + (0x10..<0x20).map { [0x40, $0] }
    for _ in 0..<100 {
      let low = UInt8.random(in: 0..<0x4C, using: &random)
      let data = (0..<4).map { _ in UInt8.random(in: 0..<128, using: &random) }
      follow([0x41, 0x10, 0x42, 0x12] + addresses.randomElement(using: &random)! + [low] + data)
      follow(
        [0x43, 0x10, 0x4C]
          + [[0x00, 0x00], [0x02, 0x01], [0x08, data[0] % 16]].randomElement(using: &random)!
          + [low] + data)
      follow([0x7F, 0x7F, 0x04, 1 + data[0] % 4] + data[1...2])
      follow([0x7F, 0x7F, 0x04, 0x05, 1, 1, 1, 1, 1 + data[0] % 2, data[1] % 3, data[2]])
    }
    if seed % 5 == 0 { settings.follow(.reset(.xg)) }
    var restored = ModuleSettings()
    restored.follow(.masterVolume(0.5))
    restored.follow(.scale(part: 3, note: 4, cents: 5))
    var messages = (0..<ModuleSettings.messageCount).compactMap { settings.message($0) }
    messages += (0..<16).compactMap { settings.routing($0) }
    for message in messages {
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: ShortSysEx.capacity) {
        Self.follow(Array(message.copy(to: $0.baseAddress!)), &restored)
      }
    }
    #expect(restored.isSame(as: settings))

    func follow(_ bytes: [UInt8]) { Self.follow(bytes, &settings) }
  }

  private static func follow(_ bytes: [UInt8], _ settings: inout ModuleSettings) {
    bytes.withUnsafeBufferPointer {
      var message = SystemExclusive($0)
      while let meaning = message.next() { settings.follow(meaning) }
    }
  }
}
