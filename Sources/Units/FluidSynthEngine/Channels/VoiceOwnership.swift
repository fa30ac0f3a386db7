import CFluidSynth

/// Counts the notes that lose their last voice to a new note, where notes share the voices of one synth.
///
/// Call ``snapshot(of:)`` before a note-on and ``countLostNotes()`` after it.
///
/// Realtime: yes, except for creation and destruction.
struct VoiceOwnership {
  /// The output of `fluid_synth_get_voicelist`: one entry more than there are voices.
  private let voices: UnsafeMutablePointer<OpaquePointer?>
  /// The identifiers of the notes that the voices belonged to.
  private let notes: UnsafeMutablePointer<UInt32>
  private let polyphony: Int
  private var snapshotCount = 0

  /// An upper bound for the voices of a note. If more are free, no voice is taken from another note.
  private static var maximumPerNote: Int { @_noLocks get { 64 } }

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

  /// Records which voices belong to which notes, unless enough voices are free.
  @_noLocks mutating func snapshot(of synth: OpaquePointer) {
    snapshotCount = 0
    guard Int(fluid_synth_get_active_voice_count(synth)) + Self.maximumPerNote > polyphony else {
      return
    }
    fluid_synth_get_voicelist(synth, voices, Int32(polyphony + 1), -1)
    while snapshotCount < polyphony, let voice = voices[snapshotCount] {
      notes[snapshotCount] = fluid_voice_get_id(voice)
      snapshotCount += 1
    }
  }

  /// Returns how many notes of the last snapshot have lost all their voices.
  @_noLocks func countLostNotes() -> Int {
    var count = 0
    for i in 0..<snapshotCount where isReassigned(i) && isLast(i) { count += 1 }
    return count
  }

  /// Whether the voice belongs to another note now.
  @_noLocks private func isReassigned(_ index: Int) -> Bool {
    guard let voice = voices[index] else { return false }
    return fluid_voice_get_id(voice) != notes[index]
  }

  /// Whether the note of a reassigned voice has no voice left, and the voice is the last listed of the
  /// note.
  @_noLocks private func isLast(_ index: Int) -> Bool {
    for other in 0..<snapshotCount where other != index && notes[other] == notes[index] {
      if other > index || !isReassigned(other) { return false }
    }
    return true
  }
}
