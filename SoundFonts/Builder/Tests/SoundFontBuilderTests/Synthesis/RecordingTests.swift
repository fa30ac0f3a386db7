import Testing

@testable import SoundFontBuilder

@Suite(.timeLimit(.minutes(5))) struct RecordingTests {
  @Test(arguments: [21, 40, 60, 69, 88, 108])
  func `a loop grid is in tune to a tenth of a cent`(key: Int) {
    let frequency = Mathematics.frequency(key: key)
    let grid = LoopGrid(frequency: frequency, nominalRate: 26_000, length: 2_048)
    let played = Double(grid.periods) * Double(grid.sampleRate) / Double(grid.length)
    #expect(abs(Mathematics.cents(ratio: played / frequency)) < 0.1)
  }

  @Test func `a held note goes round its loop`() {
    let recording = Recording(
      name: "R", frames: [0, 1, 2, 3, 4, 5, 9, 9], loop: 2..<6, sampleRate: 8_000, key: 60)
    #expect((0..<11).map { recording.frame(at: $0) } == [0, 1, 2, 3, 4, 5, 2, 3, 4, 5, 2])
  }

  @Test func `a tone of 997 Hz at full scale measures -3.01 LKFS`() {
    // The check of BS.1770: 0 dBFS, one channel.
    let frames = (0..<48_000).map { Mathematics.sin(Mathematics.twoPi * 997 * Double($0) / 48_000) }
    let recording = Recording(name: "R", frames: frames, sampleRate: 48_000, key: 60)
    #expect(abs(recording.loudness + 3.01) < 0.1)
  }

  @Test func `scaling reaches the level asked for and never full scale`() {
    let quiet = Recording(
      name: "R", frames: (0..<24_000).map { 0.01 * Mathematics.sin(0.2 * Double($0)) },
      sampleRate: 24_000, key: 60)
    #expect(abs(quiet.scaled(to: -20).loudness + 20) < 0.01)
    let loud = quiet.scaled(to: 20).frames
    #expect(loud.allSatisfy { abs($0) <= 0.98 })
  }
}
