import Testing

@testable import LiveMIDI

@Suite(.timeLimit(.minutes(5))) struct HeldKeyTests {
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
  mutating func `of one origin, a second note-on within 3 ms is a copy, and the key ends with both`(
    copyFirst: Bool
  ) {
    #expect(strike(a, related: b, at: 0) == everywhere)
    #expect(strike(b, related: a, at: window) == nowhere)
    // A recording ends with the key that was struck first; the sound ends when both keys are up.
    #expect(release(copyFirst ? b : a) == [false, !copyFirst])
    #expect(release(copyFirst ? a : b) == [true, copyFirst])
  }

  @Test mutating func `of one origin, a note-on after more than 3 ms is a new note`() {
    #expect(strike(a, related: b, at: 0) == everywhere)
    #expect(strike(b, related: a, at: window + 1) == everywhere)
  }

  @Test mutating func `a host may copy every source, and be copied by every source`() {
    #expect(strike(a, at: 0) == everywhere)
    #expect(strike(host, at: 10) == nowhere)
    key = HeldKey()
    #expect(strike(host, at: 0) == everywhere)
    #expect(strike(a, at: 10) == nowhere)
    #expect(release(a) == nowhere)
    #expect(release(host) == everywhere)
  }

  @Test mutating func `a note-on between an original and its copy hides neither`() {
    #expect(strike(a, related: 8, at: 0) == everywhere)
    #expect(strike(b, at: 50) == everywhere)
    #expect(strike(8, related: a, at: 100) == nowhere)
  }

  @Test mutating func `a source may repeat note-ons at any speed`() {
    for frame in 0..<10 { #expect(strike(a, related: a | b, at: Int64(frame)) == everywhere) }
  }

  @Test mutating func `a host's key is independent of recorded keyboard notes`() {
    _ = strike(host, at: 0)
    #expect(strike(a, at: 1000) == everywhere)
    #expect(release(a) == [false, true])
    #expect(release(host) == everywhere)
  }

  @Test mutating func `a key that no source holds is released nevertheless`() {
    #expect(release(a) == everywhere)
  }

  @Test mutating func `a release of a key that another source holds changes nothing`() {
    _ = strike(a, at: 0)
    #expect(release(b) == nowhere)
    #expect(release(a) == everywhere)
  }
}
