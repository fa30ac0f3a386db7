import MIDICore
import Testing

@testable import LiveCore

@Suite final class DuplicateGuardTests {
  let duplicates = DuplicateGuard(sampleRate: 48_000)

  deinit { duplicates.destroy() }

  private func admits(
    _ kind: ChannelMessage.Kind, key: UInt8 = 60, channel: UInt8 = 0, from source: UInt8,
    at frame: Int64
  ) -> Bool {
    duplicates.admits(
      ChannelMessage(kind, channel: channel, key, 100), from: source, at: frame)
  }

  @Test func `a note from two sources within 3 ms is played once, and ended once`() {
    #expect(admits(.noteOn, from: 1, at: 0))
    #expect(!admits(.noteOn, from: 0, at: 144))
    #expect(!admits(.noteOff, from: 0, at: 200))
    #expect(admits(.noteOff, from: 1, at: 201))
  }

  @Test func `later it is a note of its own, and so is its end`() {
    #expect(admits(.noteOn, from: 1, at: 0))
    #expect(admits(.noteOn, from: 2, at: 145))
    #expect(admits(.noteOff, from: 2, at: 200))
    #expect(admits(.noteOff, from: 1, at: 201))
  }

  @Test func `a source repeats its notes as fast as it likes`() {
    for frame in 0..<10 { #expect(admits(.noteOn, from: 1, at: Int64(frame))) }
  }

  @Test func `other keys and channels are other notes`() {
    #expect(admits(.noteOn, from: 1, at: 0))
    #expect(admits(.noteOn, key: 61, from: 2, at: 0))
    #expect(admits(.noteOn, channel: 1, from: 2, at: 0))
  }

  @Test func `whoever strikes again after being left out is heard, and ends its note`() {
    #expect(admits(.noteOn, from: 1, at: 0))
    #expect(!admits(.noteOn, from: 2, at: 1))
    #expect(admits(.noteOn, from: 2, at: 1000))
    #expect(admits(.noteOff, from: 2, at: 1001))
  }

  @Test func `three of them are one`() {
    #expect(admits(.noteOn, from: 3, at: 0))
    #expect(!admits(.noteOn, from: 0, at: 0))
    #expect(!admits(.noteOn, from: 63, at: 0))
    #expect(!admits(.noteOff, from: 63, at: 10))
    #expect(!admits(.noteOff, from: 0, at: 10))
    #expect(admits(.noteOff, from: 3, at: 10))
  }

  @Test func `what is no note passes`() {
    for source in UInt8(0)...1 { #expect(admits(.controlChange, from: source, at: 0)) }
  }
}
