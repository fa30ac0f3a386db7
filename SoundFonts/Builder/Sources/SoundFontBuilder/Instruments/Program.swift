/// One entry of the General MIDI sound set.
struct Program: Sendable {
  var name: String
  var layers: [Layer]

  init(_ name: String, _ layers: Layer...) {
    self.name = name
    self.layers = layers
  }

  init(_ name: String, _ recordings: [Recording], _ articulation: Articulation) {
    self.init(name, Layer(recordings, articulation))
  }
}

/// Recordings of several keys, played one way. A program may sound several layers at once.
struct Layer: Sendable {
  var recordings: [Recording]
  var articulation: Articulation

  init(_ recordings: [Recording], _ articulation: Articulation) {
    self.recordings = recordings
    self.articulation = articulation
  }

  /// One zone for each recording. The border lies nearer to the lower root, since a recording
  /// sounds worse when it is sped up than when it is slowed down.
  func keyRanges() -> [ClosedRange<Int>] {
    let roots = recordings.map(\.key)
    let borders = zip(roots, roots.dropFirst()).map { $0 + ($1 - $0) * 45 / 100 }
    let lower = [0] + borders.map { $0 + 1 }
    let upper = borders + [127]
    return zip(lower, upper).map { $0...$1 }
  }
}

extension Recording {
  /// The same sound, taken as that of another key: what the kit strikes can play a tune, too.
  func tuned(to key: Int) -> [Recording] {
    var copy = self
    copy.key = key
    return [copy]
  }
}

/// Recordings of `keys`, each named after `name` and its key, at the font's common loudness.
///
/// - Parameter level: Decibels above the common loudness.
func recordings(
  _ name: String, _ keys: [Int], level: Double = 0, _ record: (String, Int) -> Recording
) -> [Recording] {
  keys.map { record("\(name) \($0)", $0).scaled(to: commonLoudness + level) }
}

/// What a note at full velocity is brought to, see ``Recording/scaled(to:)``; in decibels.
let commonLoudness = -10.5
