package import LocalSystem

extension RenderOptions {
  /// Checks that no options contradict each other.
  ///
  /// - Parameter isJSON: Whether standard output receives the results as JSON.
  package func validate(isJSON: Bool = false) throws(Failure) {
    if inputs.isEmpty, manifest == nil {
      throw .usage("no song was given: portative render SONG.mid, or - for standard input")
    }
    if let empty = inputs.firstIndex(of: "") {
      throw .usage("song \(empty + 1) has an empty path")
    }
    try validateOutput()
    try validateStandardStreams(isJSON: isJSON)
    if resumes, report == nil || report == "-" {
      throw .usage("--resume needs the report of the earlier run: name it with --report FILE")
    }
    try song.validate()
  }

  private func validateOutput() throws(Failure) {
    let places = [
      output.map { _ in "--output" }, folder.map { _ in "--directory" },
      writesBesideSongs ? "--beside" : nil,
    ].compactMap(\.self)
    if places.count > 1 {
      throw .usage("\(places.joined(separator: " and ")) contradict each other: leave one out")
    }
    if case .file(let path, _) = song.labels, manifest != nil || inputs.count > 1 {
      throw .usage(
        "--labels \(path) names one file for all songs: use --labels jsonl, csv, npz or mid, which writes a "
          + "file beside the audio of each")
    }
    if case .file(let path, _) = song.image, manifest != nil || inputs.count > 1 {
      throw .usage(
        "--image \(path) names one file for all songs: use --image png or svg, which draws a picture beside the "
          + "audio of each")
    }
    guard let output else { return }
    if manifest != nil {
      throw .usage(
        "--output names one file for all songs of --manifest: use --directory DIR, or \"output\" in "
          + "its lines")
    }
    if inputs.count > 1 {
      throw .usage("--output names one file for \(inputs.count) songs: use --directory DIR")
    }
    try song.validateEnding(of: output)
  }

  private func validateStandardStreams(isJSON: Bool) throws(Failure) {
    let readers = (inputs + [manifest].compactMap(\.self)).count { $0 == "-" }
    if readers > 1 {
      throw .usage("standard input (-) can be read only once, but is named \(readers) times")
    }
    if inputs.contains("-"), output == nil {
      throw .usage("a song from standard input has no name: name its file with --output FILE")
    }
    let writers = [
      output == "-" ? "--output -" : nil, report == "-" ? "--report -" : nil,
      isJSON ? "--json" : nil,
    ].compactMap(\.self)
    if writers.count > 1 {
      throw .usage(
        "\(writers.joined(separator: " and ")) would both write to standard output: change one")
    }
  }
}
