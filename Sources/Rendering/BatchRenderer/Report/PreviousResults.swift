/// The results of earlier runs, from their report and from the journal of a run that was killed.
struct PreviousResults: Sendable {
  private let sources: [WrittenReport]
  /// The source and the line of each song's entry, by the path of its output.
  private var places: [[CChar]: (source: Int, line: Range<Int>)] = [:]

  private struct Key: Decodable {
    let output: String
  }

  /// - Parameters:
  ///   - report: The path of the report, which may not exist.
  ///   - hasJournal: Whether to read the journal of a run that was killed too.
  init(report: String, hasJournal: Bool = true) {
    // The journal comes last: its entries are newer, and replace those of the report.
    let paths = [report] + (hasJournal ? [ResumeJournal.path(besideReport: report)] : [])
    sources = paths.compactMap(WrittenReport.init)
    for (number, source) in sources.enumerated() {
      for line in source.songs {
        guard let key = source.entry(Key.self, at: line) else { continue }
        places[SongPath.normalized(key.output)] = (number, line)
      }
    }
  }

  /// Returns the paths of all files that were written for songs.
  func writtenFiles() -> Set<[CChar]> {
    var paths = Set(places.keys)
    for place in places.values {
      guard let files = sources[place.source].entry(Files.self, at: place.line)?.files else {
        continue
      }
      paths.formUnion(files.map { SongPath.normalized($0.path) })
    }
    return paths
  }

  private struct Files: Decodable {
    let files: [RenderReport.File]?
  }

  /// Returns the entry of a song whose files all exist unchanged, and would be rendered the same way now.
  ///
  /// - Parameters:
  ///   - output: The path of the song's output file.
  ///   - inputHash: The hash of the song's bytes.
  ///   - recipe: See ``RenderReport/recipe(_:soundFontHash:)``.
  func complete(output: String, inputHash: String, recipe: String) -> RenderReport.Song? {
    guard let place = places[SongPath.normalized(output)],
      let song = sources[place.source].entry(RenderReport.Song.self, at: place.line),
      song.inputHash == inputHash, song.recipe == recipe,
      let files = song.files, !files.isEmpty, files.allSatisfy(\.isUnchanged)
    else { return nil }
    return song
  }
}
