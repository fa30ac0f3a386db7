import AudioFile
import Configuration
package import LocalSystem

/// A rendered song: its entry in the report, and the time that rendering took, which the report does not contain.
package struct RenderedSong: Equatable, Sendable {
  package var entry: RenderReport.Song
  /// The time that rendering took, in seconds.
  var elapsed: Double
  /// The picture and the labels that were written.
  var others: [String]

  package init(entry: RenderReport.Song, elapsed: Double, others: [String] = []) {
    self.entry = entry
    self.elapsed = elapsed
    self.others = others
  }

  /// The peak, in dBFS, below which the summary suggests how to make the song louder.
  static let quietDBFS = -12.0

  /// Returns a line such as `song.wav: 3:16, peak -8.8 dBFS, 41x real time`.
  ///
  /// - Parameter options: The song's options, for the suggestion how to make it louder; `nil`: no suggestion.
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
    return "\(output): \(parts.joined(separator: ", "))\(otherText)"
  }

  /// The other files, as in `; also song.png, 5 stems in song.stems`.
  private var otherText: String {
    var names = others
    if let stems = entry.stems, let first = stems.first {
      names.append("\(counted(stems.count, "stem")) in \(OutputFile.folder(of: first.output))")
    }
    return names.isEmpty ? "" : "; also \(names.joined(separator: ", "))"
  }

  private var speed: String {
    let speed = entry.seconds / elapsed
    return decimal(min(speed, 1e6), digits: speed < 10 ? 1 : 0)
  }
}

/// The outcome of a song.
package enum SongOutcome: Sendable {
  case rendered(RenderedSong)
  /// The song was already rendered by an earlier run.
  case kept(RenderReport.Song)
  /// The song would be rendered; a dry run does not render it.
  case planned(PlannedSong)
  case failed(Failure)
}
