import BatchRenderer
import Configuration
import LocalSystem
import Testing

@testable import portative

private func arguments(_ line: String) throws(Failure) -> RenderArguments {
  try RenderArguments(line.split(separator: " ").map(String.init))
}

@Test func `reads what is shown, and measures the loudness for programs`() throws {
  #expect(try arguments("a").display == DisplayOptions())
  let read = try arguments("a -q --json")
  #expect(read.display == DisplayOptions(isQuiet: true, isJSON: true))
  #expect(read.run.measuresLoudness)
  #expect(
    throws: Failure(.usage, "--verbose and --quiet contradict each other: leave one out")
  ) { try arguments("a -v -q") }
}

@Test func `shows help although the song is missing`() throws {
  #expect(try arguments("--help").display.wantsHelp)
}

@Test func `help fits a terminal of 80 columns and lists every option`() {
  for verb in Verbs.all {
    let text = verb.help().text
    for option in verb.help().options { #expect(text.contains(option.names.last ?? "")) }
    for line in text.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
  }
  for line in (Help.overview(Verbs.groups) + Help.short).split(separator: "\n") {
    #expect(line.count <= 80, "\(line)")
  }
}
