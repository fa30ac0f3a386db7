import Options

/// A song that was rendered: its entry in the report, and how long it took, which is not in there.
package struct RenderedSong: Equatable, Sendable {
  package var entry: RenderReport.Song
  /// Seconds.
  package var elapsed: Double

  package init(entry: RenderReport.Song, elapsed: Double) {
    self.entry = entry
    self.elapsed = elapsed
  }

  /// Below this peak people are told how to make it louder.
  package static let quietDBFS = -12.0

  /// `song.wav: 3:16, peak -8.8 dBFS, 41x real time`.
  ///
  /// - Parameter options: Those of the song, where they can make it louder.
  package func summary(_ options: SongOptions? = nil) -> String {
    var parts = [clockText(entry.seconds.rounded())]
    parts.append(entry.peakDBFS.map { "peak \(decimal($0, digits: 1)) dBFS" } ?? "silence")
    if let options, options.normalization == nil, options.gain == 0,
      let peak = entry.peakDBFS, peak < Self.quietDBFS
    {
      parts[parts.count - 1] += " (louder: --normalize -1dBTP)"
    }
    if let loudness = entry.loudnessLUFS { parts.append("\(decimal(loudness, digits: 1)) LUFS") }
    if elapsed > 0 { parts.append("\(speed)x real time") }
    let output = entry.output == "-" ? "standard output" : entry.output
    return "\(output): \(parts.joined(separator: ", "))"
  }

  private var speed: String {
    let speed = entry.seconds / elapsed
    return decimal(min(speed, 1e6), digits: speed < 10 ? 1 : 0)
  }
}
