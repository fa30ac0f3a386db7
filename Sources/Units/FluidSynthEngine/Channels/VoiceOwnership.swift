import CFluidSynth

/// Finds the notes that lose their last voice to a new note, where notes share the voices of one synth.
///
/// Used around a note-on: ``remember(_:)`` before it, ``count()`` after it.
///
/// Realtime: yes, but for making and destroying it.
struct VoiceOwnership {
  /// Where `fluid_synth_get_voicelist` writes: one more than there are voices.
  private let voices: UnsafeMutablePointer<OpaquePointer?>
  /// The numbers of the notes that the voices belonged to.
  private let notes: UnsafeMutablePointer<UInt32>
  private let polyphony: Int
  private var remembered = 0

  /// A note takes fewer voices than this: with so many free, none is taken from another note.
  private static var mostPerNote: Int { @_noLocks get { 64 } }

  init(polyphony: Int) {
    self.polyphony = polyphony
    voices = .allocate(capacity: polyphony + 1)
    voices.initialize(repeating: nil, count: polyphony + 1)
    notes = .allocate(capacity: polyphony)
    notes.initialize(repeating: 0, count: polyphony)
  }

  func destroy() {
    voices.deallocate()
    notes.deallocate()
  }

  /// Notes down which voices play which notes, unless there are plenty of free voices.
  @_noLocks mutating func remember(_ synth: OpaquePointer) {
    remembered = 0
    guard Int(fluid_synth_get_active_voice_count(synth)) + Self.mostPerNote > polyphony else {
      return
    }
    fluid_synth_get_voicelist(synth, voices, Int32(polyphony + 1), -1)
    while remembered < polyphony, let voice = voices[remembered] {
      notes[remembered] = fluid_voice_get_id(voice)
      remembered += 1
    }
  }

  /// How many notes have no voice left of those that ``remember(_:)`` noted down.
  @_noLocks func count() -> Int {
    var count = 0
    for i in 0..<remembered where isTaken(i) && isLast(i) { count += 1 }
    return count
  }

  /// Whether another note now has the voice.
  @_noLocks private func isTaken(_ index: Int) -> Bool {
    guard let voice = voices[index] else { return false }
    return fluid_voice_get_id(voice) != notes[index]
  }

  /// Whether the note of a voice that was taken has no other, and its voice is the last listed.
  @_noLocks private func isLast(_ index: Int) -> Bool {
    for other in 0..<remembered where other != index && notes[other] == notes[index] {
      if other > index || !isTaken(other) { return false }
    }
    return true
  }
}
