import AudioFile
import BatchRenderer
import LocalSystem

extension RenderOptions {
  /// Checks that the options do not contradict each other.
  func checkTogether() throws(Failure) {
    if inputs.isEmpty, manifest == nil {
      throw .usage("no song was named: portative render SONG.mid, or - for standard input")
    }
    if let empty = inputs.firstIndex(of: "") {
      throw .usage("input \(empty + 1) has an empty name")
    }
    try checkOutput()
    try checkStandardStreams()
    try checkRun()
    try song.checkTogether()
  }

  private func checkOutput() throws(Failure) {
    if output != nil, folder != nil {
      throw .usage("--output and --directory contradict each other: leave one out")
    }
    if isBeside, output != nil || folder != nil {
      throw .usage(
        "--beside and \(output != nil ? "--output" : "--directory") contradict each other: leave one "
          + "out")
    }
    if output != nil, manifest != nil {
      throw .usage(
        "--output names one file for all songs of --manifest: use --directory DIR, or \"output\" in "
          + "its lines")
    }
    if output != nil, inputs.count > 1 {
      throw .usage("--output names one file for \(inputs.count) songs: use --directory DIR")
    }
    if let output { try song.checkEnding(of: output) }
  }

  private func checkStandardStreams() throws(Failure) {
    let fromStandardInput = (inputs + (manifest.map { [$0] } ?? [])).filter { $0 == "-" }.count
    if fromStandardInput > 1 {
      throw .usage(
        "standard input (-) can be read only once, but is named \(fromStandardInput) times")
    }
    if inputs.contains("-"), output == nil {
      throw .usage("a song from standard input has no name: say where it goes with --output FILE")
    }
    var writers: [String] = []
    if output == "-" { writers.append("--output -") }
    if report == "-" { writers.append("--report -") }
    if isJSON { writers.append("--json") }
    if writers.count > 1 {
      throw .usage(
        "\(writers.joined(separator: " and ")) would both write to standard output: change one")
    }
  }

  private func checkRun() throws(Failure) {
    if resumes, report == nil || report == "-" {
      throw .usage(
        "--resume looks into the report of the run before for what is done: name it with "
          + "--report FILE")
    }
    if isVerbose, isQuiet {
      throw .usage("--verbose and --quiet contradict each other: leave one out")
    }
  }
}
