/// What earlier runs have done, by their report and by the journal of one that was killed.
struct EarlierSongs: Sendable {
  private let sources: [WrittenReport]
  /// By the path of the output: in which source, and where.
  private var places: [[CChar]: (source: Int, line: Range<Int>)] = [:]

  private struct Key: Decodable {
    let output: String
  }

  /// - Parameter report: Where the report is, or would have been.
  init(report: String) {
    // What the journal says is newer.
    sources = [report, EntryLog.path(besideReport: report)].compactMap(WrittenReport.init)
    for (number, source) in sources.enumerated() {
      for line in source.songs {
        guard let key = source.entry(Key.self, at: line) else { continue }
        places[SongPath.plain(key.output)] = (number, line)
      }
    }
  }

  /// The entry of a song whose files are all there, whole, and as they would be made now.
  ///
  /// - Parameters:
  ///   - inputHash: Of the song's bytes.
  ///   - recipe: See ``RenderReport/recipe(_:soundFontHash:)``.
  func complete(output: String, inputHash: String, recipe: String) -> RenderReport.Song? {
    guard let place = places[SongPath.plain(output)],
      let song = sources[place.source].entry(RenderReport.Song.self, at: place.line),
      song.inputHash == inputHash, song.recipe == recipe,
      let files = song.files, !files.isEmpty, files.allSatisfy(\.isUnchanged)
    else { return nil }
    return song
  }
}
