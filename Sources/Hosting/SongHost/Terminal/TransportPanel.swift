import MIDIFile
package import RenderCore

/// What a transport panel shows.
///
/// Realtime: no.
package struct TransportPanel: Equatable, Sendable {
  package var title = ""
  /// The bar's number, from 1; a count-in has 0 and below.
  package var bar: Int64 = 1
  /// Counted beats of the meter since the bar began, with their part: from 0.
  package var beatInBar = 0.0
  /// Below 0 in a count-in.
  package var seconds = 0.0
  /// How long the song is; 0 where that is not known.
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
  /// `nil` where the node does not say.
  package var voices: Int?
  package var lateCycles = 0
  /// Whether all keys are shown below.
  package var showsHelp = false

  package init() {}

  /// Parts of a counted beat that are shown.
  static let ticksPerBeat = 480

  /// Shows where a song is.
  package mutating func show(_ song: SongTransport) {
    let transport = song.transport(at: song.frame)
    bar = song.map.bar(at: song.frame).number
    beatInBar = max(0, (transport.beat - transport.barStart) / transport.meter.beatLength)
    seconds = Double(song.frame) / Double(song.map.sampleRate)
    (tempo, meter) = (transport.tempo, transport.meter)
    (isPlaying, isRecording, isLooping) = (song.isPlaying, song.isRecording, song.loop != nil)
  }
}
