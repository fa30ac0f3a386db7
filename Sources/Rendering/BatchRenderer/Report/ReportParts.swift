import Configuration
package import LocalSystem

/// The reports of all parts of one list.
package struct ReportParts {
  private let parts: [Part]

  private struct Part {
    let path: String
    let report: WrittenReport
    let head: RenderReport
    let list: RenderReport.List
  }

  /// - Throws: ``Failure`` if one cannot be read, or if they are not all parts of one list that was rendered in one
  ///   way.
  package init(_ paths: [String]) throws(Failure) {
    var parts: [Part] = []
    for path in paths { parts.append(try Self.read(path)) }
    self.parts = parts
    try validateAgreement()
    try validateCompleteness()
  }

  private static func read(_ path: String) throws(Failure) -> Part {
    guard let report = WrittenReport(path) else {
      throw Failure(.failed, "cannot read the report '\(path)': render its part first")
    }
    guard let head = report.report, let list = head.list else {
      throw Failure(
        .inputUnusable,
        "'\(path)' is not a report of portative render: name a file that --report has written")
    }
    return Part(path: path, report: report, head: head, list: list)
  }

  private func validateAgreement() throws(Failure) {
    let first = parts[0]
    for part in parts {
      if part.list.hash != first.list.hash || part.list.songs != first.list.songs
        || part.list.shard?.count != first.list.shard?.count
      {
        throw mismatch(
          first, part, "are not parts of one list: songs may have been added, removed or changed")
      }
      if part.head.library != first.head.library { throw differentLibraries(first, part) }
      if part.head.portative != first.head.portative || part.head.settings != first.head.settings
        || part.head.soundFont?.hash != first.head.soundFont?.hash
      {
        throw mismatch(first, part, "were not rendered with the same options and SoundFont")
      }
    }
  }

  private func differentLibraries(_ one: Part, _ other: Part) -> Failure {
    let names = [one, other].map { part in
      guard let library = part.head.library else { return "an unknown FluidSynth" }
      let isVersionEnough = one.head.library?.version != other.head.library?.version
      return isVersionEnough ? "\(library.name) \(library.version)" : library.summary
    }
    return Failure(
      .failed,
      "'\(one.path)' was rendered with \(names[0]), but '\(other.path)' with \(names[1]), which sounds "
        + "different; render the list again with --resume and only one of them")
  }

  private func mismatch(_ one: Part, _ other: Part, _ how: String) -> Failure {
    Failure(
      .failed, "'\(one.path)' and '\(other.path)' \(how); render the list again with --resume")
  }

  private func validateCompleteness() throws(Failure) {
    let count = parts[0].list.shard?.count ?? 1
    var paths: [Int: String] = [:]
    for part in parts {
      let number = part.list.shard?.number ?? 1
      if let other = paths.updateValue(part.path, forKey: number) {
        throw Failure(
          .failed,
          "'\(other)' and '\(part.path)' are both part \(number) of \(count): remove one")
      }
    }
    let missing = (1...count).filter { paths[$0] == nil }
    if missing.isEmpty { return }
    let names = missing.prefix(8).map { "\($0)/\(count)" } + (missing.count > 8 ? ["…"] : [])
    throw Failure(
      .failed,
      "\(missing.count) of \(counted(count, "part")) missing: also render --shard "
        + names.joined(separator: ", "))
  }

  /// Writes the report of the whole list.
  ///
  /// - Returns: The numbers of songs, by outcome.
  /// - Throws: ``Failure`` if songs are missing or the report cannot be written.
  package func write(to path: String) throws(Failure) -> BatchTally {
    var tally = BatchTally()
    let file = try ReportFile(path, resumes: false, overwrites: true)
    for part in parts {
      for line in part.report.songs {
        guard let song = part.report.entry(RenderReport.Song.self, at: line) else { continue }
        tally.add(song)
        file.journal.add(song)
      }
      for line in part.report.errors {
        guard let error = part.report.entry(RenderReport.SongError.self, at: line) else { continue }
        tally.add(Failure.Kind(rawValue: error.exitCode) ?? .failed)
        file.journal.add(error)
      }
    }
    var head = parts[0].head
    let songs = tally.rendered + tally.failed
    guard songs == parts[0].list.songs else {
      throw Failure(
        .failed,
        "the reports have \(counted(songs, "song")), but the list has \(parts[0].list.songs): render "
          + "the list again with --resume")
    }
    head.list?.shard = nil
    try file.finish(head)
    return tally
  }
}
