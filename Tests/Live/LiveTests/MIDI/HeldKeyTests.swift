import Testing

@testable import LiveMIDI

@Suite(.timeLimit(.minutes(1))) struct HeldKeyTests {
  private var key = HeldKey()
  private let host: UInt64 = 1
  private let a: UInt64 = 2
  private let b: UInt64 = 4
  /// The window for duplicates: 3 ms at 48 kHz, in frames.
  private let window: Int64 = 144

  private mutating func strike(_ source: UInt64, related: UInt64 = 1, at frame: Int64) -> [Bool] {
    let related = source == host ? .max : related
    return describe(key.strike(by: source, related: related, at: frame, window: window))
  }

  private mutating func release(_ source: UInt64) -> [Bool] { describe(key.release(by: source)) }

  private func describe(_ route: EventRoute) -> [Bool] { [route.isPlayed, route.isRecorded] }

  private let everywhere = [true, true]
  private let nowhere = [false, false]

  @Test
  mutating func
    `strokes of two origins both sound, however close, and the last to release ends the key`()
  {
    #expect(strike(a, at: 0) == everywhere)
    #expect(strike(b, at: 0) == everywhere)
    #expect(release(a) == nowhere)
    #expect(release(b) == everywhere)
  }

  @Test(arguments: [true, false])
  mutating func `of one origin, the second within 3 ms is a copy, and the key ends with both`(
    copyFirst: Bool
  ) {
    #expect(strike(a, related: b, at: 0) == everywhere)
    #expect(strike(b, related: a, at: window) == nowhere)
    // A recording ends with the key that was struck first; the sound ends when both keys are up.
    #expect(release(copyFirst ? b : a) == [false, !copyFirst])
    #expect(release(copyFirst ? a : b) == [true, copyFirst])
  }

  @Test mutating func `of one origin, later than 3 ms, it is a stroke of its own`() {
    #expect(strike(a, related: b, at: 0) == everywhere)
    #expect(strike(b, related: a, at: window + 1) == everywhere)
  }

  @Test mutating func `a host may copy everybody, and be copied by everybody`() {
    #expect(strike(a, at: 0) == everywhere)
    #expect(strike(host, at: 10) == nowhere)
    key = HeldKey()
    #expect(strike(host, at: 0) == everywhere)
    #expect(strike(a, at: 10) == nowhere)
    #expect(release(a) == nowhere)
    #expect(release(host) == everywhere)
  }

  @Test mutating func `a stroke between an original and its copy hides neither`() {
    #expect(strike(a, related: 8, at: 0) == everywhere)
    #expect(strike(b, at: 50) == everywhere)
    #expect(strike(8, related: a, at: 100) == nowhere)
  }

  @Test mutating func `a source repeats its strokes as fast as it likes`() {
    for frame in 0..<10 { #expect(strike(a, related: a | b, at: Int64(frame)) == everywhere) }
  }

  @Test mutating func `a host's key is not a matter of what keyboards are recorded to have played`()
  {
    _ = strike(host, at: 0)
    #expect(strike(a, at: 1000) == everywhere)
    #expect(release(a) == [false, true])
    #expect(release(host) == everywhere)
  }

  @Test mutating func `a key that nobody holds is released all the same`() {
    #expect(release(a) == everywhere)
  }

  @Test mutating func `who releases what another holds changes nothing`() {
    _ = strike(a, at: 0)
    #expect(release(b) == nowhere)
    #expect(release(a) == everywhere)
  }
}
