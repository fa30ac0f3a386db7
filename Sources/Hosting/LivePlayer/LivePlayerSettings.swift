package import LiveAudio
package import OfflineRenderer

/// The song of a ``LivePlayer``, and the way in which it is played.
package struct LivePlayerSettings: Sendable {
  /// The path of the song, which its recordings are named after.
  package var song: String
  /// The range of the song and its tail. The device determines the sample rate.
  package var range: RenderSettings
  /// Opens the sound device, also after it was lost.
  package var openDevice: DeviceKeeper.Opening
  package var hasMetronome = false
  /// Whether the song is stopped at first, and stays ready after its end, until the observer ends it.
  package var waits = false
  /// The number of bars counted in before the song.
  package var countIn = 0
  package var isLooping = false
  /// The bars of the loop, counted from 1; `nil` for the whole song.
  package var loopBars: ClosedRange<Int>?
  /// The path of the first recording, which starts with the song; `nil` to record only on request.
  package var recording: String?
  /// The Link session that the song follows; the player ends the membership.
  package var link: LinkSession?
  /// How the song leads the transport of the device's graph; `nil` if it does not.
  package var timebase: Timebase?
  /// How long a node or the sound device may be absent before the song ends.
  package var absenceLimit = Duration.seconds(60)

  var absenceNanoseconds: Int64 {
    Int64(exactly: (absenceLimit / .nanoseconds(1)).rounded()) ?? .max
  }

  package init(song: String, range: RenderSettings, openDevice: @escaping DeviceKeeper.Opening) {
    self.song = song
    self.range = range
    self.openDevice = openDevice
  }
}
