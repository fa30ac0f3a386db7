package import MIDIFile

/// The music that keyboards play during a recording, for the MIDI file beside the audio.
///
/// Realtime: no. Threads: that of the recording.
package protocol PlayedMusic: Sendable {
  /// The number of events so far. Called at least ten times per second.
  var eventCount: Int { get }

  /// Returns what was played so far. What is held ends now.
  ///
  /// - Parameter begin: The position in the stream at which the recording begins.
  /// - Returns: `nil` if there is no note.
  /// - Throws: If it cannot be a MIDI file.
  func music(from begin: Int64) throws -> RecordedMusic?
}

/// A MIDI file of what keyboards have played.
package struct RecordedMusic {
  package let file: StandardMIDIFile
  package let notes: Int
  /// The number of events beyond which the oldest were forgotten; `nil` if none were.
  package let limit: Int?
  /// Whether events are missing, because the machine was too slow.
  package let hasLosses: Bool

  package init(file: StandardMIDIFile, notes: Int, limit: Int? = nil, hasLosses: Bool) {
    (self.file, self.notes, self.limit, self.hasLosses) = (file, notes, limit, hasLosses)
  }
}
