/// Notes written as text: `"F#5/2 E5 D5/0.5 r A4+D5"`.
///
/// A word is a pitch, several joined by `+`, or `r` for a rest; `/` gives its beats, and without it
/// a word is as long as the one before. `C4` is middle C, key 60.
struct Notation {
  struct Word {
    /// Empty for a rest.
    var keys: [Int]
    /// Beats from the start of the line.
    var start: Double
    var beats: Double
  }

  let words: [Word]
  /// The length of the line in beats.
  let beats: Double

  init(_ line: String) {
    var words: [Word] = []
    var (start, length) = (0.0, 1.0)
    for text in line.split(separator: " ") {
      let parts = text.split(separator: "/")
      if parts.count > 1, let beats = Double(parts[1]) { length = beats }
      let keys = parts[0] == "r" ? [] : parts[0].split(separator: "+").map(Self.key)
      words.append(Word(keys: keys, start: start, beats: length))
      start += length
    }
    self.words = words
    beats = start
  }

  /// The key of `F#5` or `Bb3`.
  static func key(_ pitch: Substring) -> Int {
    let steps: [Character: Int] = ["C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11]
    guard let letter = pitch.first, let step = steps[letter],
      let octave = pitch.last?.wholeNumberValue
    else { preconditionFailure("\(pitch) is no pitch; write C4, F#5 or Bb3") }
    let sharps = pitch.count(where: { $0 == "#" }) - pitch.count(where: { $0 == "b" })
    return 12 * (octave + 1) + step + sharps
  }
}
