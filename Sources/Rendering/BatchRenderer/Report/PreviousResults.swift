/// What earlier runs have done, by their report and by the journal of one that was killed.
package struct PreviousResults: Sendable {
  private let sources: [WrittenReport]
  /// By the path of the output: in which source, and where.
  private var places: [[CChar]: (source: Int, line: Range<Int>)] = [:]

  private struct Key: Decodable {
    package let output: String
  }

  /// - Parameters:
  ///   - report: Where the report is, or would have been.
  ///   - hasJournal: Whether what a run that was killed has left counts, too.
  package init(report: String, hasJournal: Bool = true) {
    // What the journal says is newer.
    let paths = [report] + (hasJournal ? [ResumeJournal.path(besideReport: report)] : [])
    sources = paths.compactMap(WrittenReport.init)
    for (number, source) in sources.enumerated() {
      for line in source.songs {
        guard let key = source.entry(Key.self, at: line) else { continue }
        places[SongPath.plain(key.output)] = (number, line)
      }
    }
  }

  /// The paths of all files that were written for songs.
  package func writtenFiles() -> Set<[CChar]> {
    var paths = Set(places.keys)
    for place in places.values {
      guard let files = sources[place.source].entry(Files.self, at: place.line)?.files else {
        continue
      }
      paths.formUnion(files.map { SongPath.plain($0.path) })
    }
    return paths
  }

  private struct Files: Decodable {
    package let files: [RenderReport.File]?
  }

  /// The entry of a song whose files are all there, whole, and as they would be made now.
  ///
  /// - Parameters:
  ///   - inputHash: Of the song's bytes.
  ///   - recipe: See ``RenderReport/recipe(_:soundFontHash:)``.
  package func complete(output: String, inputHash: String, recipe: String) -> RenderReport.Song? {
    guard let place = places[SongPath.plain(output)],
      let song = sources[place.source].entry(RenderReport.Song.self, at: place.line),
      song.inputHash == inputHash, song.recipe == recipe,
      let files = song.files, !files.isEmpty, files.allSatisfy(\.isUnchanged)
    else { return nil }
    return song
  }
}
