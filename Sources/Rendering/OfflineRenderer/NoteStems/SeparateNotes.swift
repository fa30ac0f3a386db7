import FluidSynthEngine

/// The notes of a song that are separated from each other.
struct SeparateNotes {
  private let notes: [(port: Int, channel: Int, key: Int, onset: Int)]
  private let digits: Int
  /// Whether names have the port.
  private let namesPorts: Bool

  /// The greatest number of notes with a file each, because folders with more are slow in many programs.
  static let maximumCount = 65_536

  /// - Parameter namesPorts: Whether the notes are on several ports.
  init(_ notes: [(port: Int, channel: Int, key: Int, onset: Int)], namesPorts: Bool) {
    self.notes = notes
    self.namesPorts = namesPorts
    digits = max(4, String(max(notes.count - 1, 0)).count)
  }

  var count: Int { notes.count }

  /// Returns the first frame of a note's sound in a range. What continues another note sounds up to 63 frames later.
  private func begin(ofNote note: Int, in range: FrameRange) -> Int {
    max(notes[note].onset, range.start)
  }

  /// Appends the part of a block that is in a range, interleaved.
  ///
  /// - Parameter isFirst: Whether it is the first of its note. Then the silence since the note's beginning precedes it.
  /// - Returns: The frame after the part; `nil` if there is none.
  func append(
    _ block: NoteBlock, ofNote note: Int, in range: FrameRange, isFirst: Bool,
    to samples: inout [Float]
  ) -> Int? {
    let first = max(block.frame, range.start)
    let end = min(block.frame + block.left.count, range.limit)
    guard note < count, first < end else { return nil }
    if isFirst {
      let silence = first - begin(ofNote: note, in: range)
      samples.append(contentsOf: repeatElement(0, count: 2 * silence))
    }
    for index in first - block.frame..<end - block.frame {
      samples.append(block.left[index])
      samples.append(block.right[index])
    }
    return end
  }

  /// Returns the name of a note's file, without its ending: the number of the note in the song, its port if there are
  /// several, its channel and its key.
  func name(ofNote note: Int) -> String {
    let port = namesPorts ? " port\(notes[note].port + 1)" : ""
    return Self.padded(note, digits) + port + " ch" + Self.padded(notes[note].channel + 1, 2)
      + " key" + Self.padded(notes[note].key, 3)
  }

  private static func padded(_ number: Int, _ digits: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}
