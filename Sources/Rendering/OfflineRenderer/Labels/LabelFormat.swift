/// The format of a file of labels; the raw value is the ending of its name.
public enum LabelFormat: String, CaseIterable, Sendable {
  /// JSON Lines: an object for the audio, then one for each tempo, beat, note and message.
  case jsonl
  /// Comma-separated values: the notes only.
  case csv
  /// Arrays for NumPy.
  case npz
  /// A MIDI file of the notes as they were performed.
  case mid

  /// The ending of a file beside a song, which may be a MIDI file itself.
  package var besideEnding: String { self == .mid ? "performed.mid" : rawValue }

  /// Returns the bytes of a file.
  func encode(_ labels: SongLabels) -> [UInt8] {
    switch self {
    case .jsonl: Array(labels.lines.utf8)
    case .csv: Array(labels.table.utf8)
    case .npz: labels.arrays
    case .mid: labels.performance
    }
  }
}
