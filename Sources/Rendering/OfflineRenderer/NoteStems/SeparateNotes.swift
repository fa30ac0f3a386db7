import FluidSynthEngine
import LocalSystem

/// The notes of a song that are separated from each other.
struct SeparateNotes {
  typealias Note = (port: Int, channel: Int, key: Int, onset: Int)

  private let notes: [Note]
  /// Those that monophonic channels returned to, by number.
  private var returns: [Int: Note] = [:]
  private let digits: Int
  /// Whether names have the port.
  private let namesPorts: Bool

  /// The greatest number of notes with a file each, because folders with more are slow in many programs.
  static let maximumCount = 65_536

  /// - Parameter namesPorts: Whether the notes are on several ports.
  init(_ notes: [Note], namesPorts: Bool) {
    self.notes = notes
    self.namesPorts = namesPorts
    digits = max(4, String(max(notes.count - 1, 0)).count)
  }

  var count: Int { notes.count }

  /// Adds the note of a block, if a channel returned to it.
  mutating func add(_ block: NoteBlock, ofNote note: Int, port: Int) {
    if note < count || returns[note] != nil { return }
    let logged = block.logged
    returns[note] = (port, Int(logged.channel), Int(logged.key), Int(logged.onset))
  }

  private func note(_ number: Int) -> Note? {
    number < count ? notes[number] : returns[number]
  }

  /// Returns the first frame of a note's sound in a range. What continues another note sounds up to 63 frames later.
  private func begin(ofNote note: Int, in range: FrameRange) -> Int {
    max(self.note(note)?.onset ?? 0, range.start)
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
    guard self.note(note) != nil, first < end else { return nil }
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
    let (port, channel, key, _) = self.note(note) ?? (0, 0, 0, 0)
    return String(note, digits: digits) + (namesPorts ? " port\(port + 1)" : "") + " ch"
      + String(channel + 1, digits: 2) + " key" + String(key, digits: 3)
  }

  /// Returns whether a text is the name of a note, or of one that a channel may return to. Which these are is known only when
  /// they begin.
  func mayName(_ text: String) -> Bool {
    guard let number = text.split(separator: " ").first.flatMap({ Int($0) }), number >= 0 else {
      return false
    }
    if number < count { return text == name(ofNote: number) }
    return text.wholeMatch(of: /\d{4,} ch\d\d key\d{3}/) != nil
  }
}
