import Testing

@testable import SoundFontBuilder

@Suite(.timeLimit(.minutes(5))) struct NotationTests {
  @Test func `reads pitches, chords, rests and lengths that last`() {
    let notation = Notation("C4/2 F#5+Bb3 r/0.5 A4")
    #expect(notation.words.map(\.keys) == [[60], [78, 58], [], [69]])
    #expect(notation.words.map(\.start) == [0, 2, 4, 4.5])
    #expect(notation.beats == 5)
  }
}
