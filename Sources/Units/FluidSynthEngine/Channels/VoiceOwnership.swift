import CFluidSynth
import RenderCore

/// Counts the notes that lose their last voice to a new note, where notes share the voices of one synth.
///
/// Call ``snapshot(of:)`` before a note-on and ``countLostNotes()`` after it.
///
/// Realtime: yes, except for creation.
struct VoiceOwnership {
  private let voices: VoiceList
  /// The identifiers of the notes that the voices belonged to.
  private let notes: UnsafeMutablePointer<UInt32>
  private var snapshotCount = 0

  /// An upper bound for the voices of a note. If more are free, no voice is taken from another note.
  private static var maximumPerNote: Int { @_noLocks get { 64 } }

  init(_ voices: VoiceList, in memory: RenderMemory) {
    self.voices = voices
    notes = memory.make(voices.polyphony, of: 0)
  }

  /// Records which voices belong to which notes, unless enough voices are free.
  @_noLocks mutating func snapshot(of synth: OpaquePointer) {
    snapshotCount = 0
    let active = Int(fluid_synth_get_active_voice_count(synth))
    guard active + Self.maximumPerNote > voices.polyphony else { return }
    snapshotCount = voices.update(from: synth)
    for i in 0..<snapshotCount { notes[i] = fluid_voice_get_id(voices[i]) }
  }

  /// Returns how many notes of the last snapshot have lost all their voices.
  @_noLocks func countLostNotes() -> Int {
    var count = 0
    for i in 0..<snapshotCount where isReassigned(i) && isLast(i) { count += 1 }
    return count
  }

  /// Whether the voice belongs to another note now.
  @_noLocks private func isReassigned(_ index: Int) -> Bool {
    fluid_voice_get_id(voices[index]) != notes[index]
  }

  /// Whether the note of a reassigned voice has no voice left, and the voice is the last listed of the note.
  @_noLocks private func isLast(_ index: Int) -> Bool {
    for other in 0..<snapshotCount where other != index && notes[other] == notes[index] {
      if other > index || !isReassigned(other) { return false }
    }
    return true
  }
}
