public import FluidSynthEngine

/// The label of one note of rendered audio. Frames count from the first frame of the audio, and are negative for
/// a note that began before it.
public struct NoteLabel: Equatable, Sendable {
  /// The number of the note in the song, from 0, in the order of the note-ons. Notes with a ``returnOf`` follow them.
  public var note: Int
  /// Its number among all notes of the file: ``note`` unless some are not played. That of the note it returns to.
  public var writtenNote: Int
  /// The index of the track in the file.
  public var track: Int
  /// The index of the port in ``SongLabels/ports``.
  public var port: Int
  /// 0…15; 9 is usually percussion.
  public var channel: UInt8
  public var key: UInt8
  /// 1…127.
  public var velocity: UInt8
  /// The preset that played, after substitutions; −1 if there was none. Percussion is bank 128.
  public var bank: Int
  public var program: Int
  /// The frame at which the note begins.
  public var onset: Int
  /// The frame at which its key is released.
  public var keyRelease: Int
  /// The frame from which nothing holds the note: no key, no pedal. Its release begins within 64 frames, but not before
  /// it has sounded for 10 ms, which is FluidSynth's minimum.
  public var soundRelease: Int
  /// The first frame of its dry sound of at least −90 dBFS; `nil` if it is never that loud.
  public var audible: Int?
  /// The frame after the last one of its dry sound of at least −90 dBFS, and its onset if it is never that loud; `nil`
  /// if the audio ends before.
  public var silence: Int?
  public var ending: LoggedNote.Ending
  /// The ``note`` that ended this one; `nil` if none did.
  public var endedBy: Int?
  /// The ``note`` that this one returns to: a monophonic channel plays it again, without a note-on, when a later key is
  /// released and its own is still down. `nil` for a note that was struck.
  public var returnOf: Int?
  /// The name of the file with the note alone, in the folder of the stems; `nil` if there is none. It begins at the
  /// onset, or at the first frame of the audio if the note began before.
  public var file: String?

  /// The frames of its sound, for arrays, which cannot leave a value out: empty at the onset if it is never audible, up to
  /// the end of the audio if that ends before, and from onset to release if it was not measured (``LoggedNote/Ending/shared``).
  ///
  /// - Parameter frames: The length of the audio.
  package func soundFrames(within frames: Int) -> (audible: Int, silence: Int) {
    if ending == .shared { return (onset, max(onset, min(soundRelease, frames))) }
    let silence = silence ?? frames
    return (audible ?? silence, silence)
  }
}

extension LoggedNote.Ending {
  /// The name in files.
  public var name: String {
    switch self {
    case .released: "released"
    case .retriggered: "retriggered"
    case .continued: "continued"
    case .choked: "choked"
    case .stolen: "stolen"
    case .silenced: "silenced"
    case .unmapped: "unmapped"
    case .shared: "shared"
    }
  }
}
