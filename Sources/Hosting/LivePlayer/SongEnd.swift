import OfflineRenderer

/// Finds out when a song and its tail are over.
struct SongEnd {
  /// The seconds since the output became silent.
  private var silence = 0.0
  /// The number of frames that the host had rendered when the tail was found to have started; `nil` before.
  private var tailStart: Int64?

  /// The peak below which the output is silent: −90 dBFS, as for a rendered tail.
  private static let threshold: Float = 3.2e-5

  /// - Parameters:
  ///   - peaks: The peaks of the output since the last call.
  ///   - seconds: The time since the last call.
  mutating func follow(_ peaks: (left: Float, right: Float), after seconds: Double) {
    silence = max(peaks.left, peaks.right) < Self.threshold ? silence + seconds : 0
  }

  /// Whether the output has been silent for a second.
  var isSilent: Bool { silence >= 1 }

  /// Returns whether the song and its tail are over. A song that loops, or that was stopped before its end, is not.
  mutating func isReached(_ host: LiveHost, _ song: LiveSong) -> Bool {
    let (transport, frame) = (host.song, host.figures.songFrame)
    guard transport.isOver, frame >= song.end else {
      tailStart = nil
      return false
    }
    let rendered = host.figures.renderedFrames
    let start = tailStart ?? rendered
    tailStart = start
    let latency = host.mixer.latency + host.deviceLatency
    let range = song.range
    let latencySeconds = Double(latency) / Double(song.sampleRate)
    if range.endsInSilence, silence > 0.5 + latencySeconds { return true }
    return rendered - start >= Int64(range.limit - range.end + latency)
  }

  /// Continues with another host, which counts its frames from 0.
  mutating func changeHost() { tailStart = nil }
}
