import Testing

@testable import SoundFontBuilder

@Suite(.timeLimit(.minutes(5))) struct CanonInDTests {
  /// The pitch classes of the eight chords: D, A, B minor, F sharp minor, G, D, G, A seventh.
  static let harmony: [Set<Int>] = [
    [2, 6, 9], [9, 1, 4, 7], [11, 2, 6], [6, 9, 1], [7, 11, 2], [2, 6, 9], [7, 11, 2, 4],
    [9, 1, 4, 7],
  ]

  @Test(arguments: [
    CanonInD.ground, CanonInD.chords, CanonInD.theme, CanonInD.second, CanonInD.walking,
    CanonInD.running,
  ])
  func `a line is as long as the ground and meets each chord with one of its notes`(line: String) {
    let notation = Notation(line)
    #expect(abs(notation.beats - CanonInD.cycle) < 1e-9)
    for word in notation.words where word.start.truncatingRemainder(dividingBy: 2) == 0 {
      let chord = Self.harmony[Int(word.start / 2)]
      #expect(!word.keys.isEmpty)
      #expect(word.keys.allSatisfy { chord.contains($0 % 12) }, "beat \(word.start) of \(line)")
    }
  }

  @Test func `every note ends, and no player strikes a key that still sounds`() {
    for part in CanonInD.parts() {
      var sounding: [UInt8: Int] = [:]
      var clashes = 0
      let ordered = part.events.enumerated().sorted {
        ($0.element.tick, $0.offset) < ($1.element.tick, $1.offset)
      }
      for (_, event) in ordered {
        let (status, key) = (event.bytes[0] & 0xf0, event.bytes[1])
        if status == 0x90 {
          if sounding[key, default: 0] > 0 { clashes += 1 }
          sounding[key, default: 0] += 1
        } else if status == 0x80 {
          sounding[key, default: 0] -= 1
          #expect(sounding[key, default: 0] >= 0, "\(part.name)")
        }
      }
      #expect(sounding.values.allSatisfy { $0 == 0 }, "\(part.name)")
      #expect(clashes == 0, "\(part.name)")
    }
  }

  @Test func `every player has a channel of their own`() {
    let channels = CanonInD.parts().map(\.channel)
    #expect(Set(channels).count == channels.count)
    #expect(channels.contains(9))
  }

  @Test func `two builds are the same`() {
    #expect(CanonInD.midiFile() == CanonInD.midiFile())
  }
}
