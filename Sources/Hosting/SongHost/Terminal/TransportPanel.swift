import MIDIFile
package import RenderCore

/// The contents of a transport panel.
///
/// Realtime: no.
package struct TransportPanel: Equatable, Sendable {
  package var title = ""
  /// The number of the bar, from 1; 0 or less in a count-in.
  package var bar: Int64 = 1
  /// Beats of the meter since the beginning of the bar, with a fraction, from 0.
  package var beatInBar = 0.0
  /// The position in seconds; negative in a count-in.
  package var seconds = 0.0
  /// The length of the song in seconds; 0 if unknown.
  package var length = 0.0
  /// Quarter notes per minute.
  package var tempo = 120.0
  package var meter = Meter()
  package var isPlaying = false
  package var isRecording = false
  package var isLooping = false
  package var hasMetronome = false
  package var left = PeakLevel()
  package var right = PeakLevel()
  /// The number of active voices; `nil` if the node does not report it.
  package var voices: Int?
  package var lateCycles = 0
  /// Whether all keys are shown below the panel.
  package var showsHelp = false

  package init() {}

  /// The number of ticks per beat of the displayed position.
  static let ticksPerBeat = 480

  /// Updates the position, tempo and modes from a song's transport.
  package mutating func show(_ song: SongTransport) {
    let transport = song.transport(at: song.frame)
    bar = song.map.bar(at: song.frame).number
    beatInBar = max(0, (transport.beat - transport.barStart) / transport.meter.beatLength)
    seconds = Double(song.frame) / Double(song.map.sampleRate)
    (tempo, meter) = (transport.tempo, transport.meter)
    (isPlaying, isRecording, isLooping) = (song.isPlaying, song.isRecording, song.loop != nil)
  }
}
