import BatchRenderer
import LocalSystem
import Options
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
  for row in RenderArguments.table.rows { #expect(Help.render.contains(row.name)) }
  for row in ConnectOptions.table.rows { #expect(Help.connect.contains(row.name)) }
  for row in ServeOptions.table.rows { #expect(Help.serve.contains(row.name)) }
  for row in TakeOptions.table.rows { #expect(Help.take.contains(row.name)) }
  for row in DoctorOptions.table.rows { #expect(Help.doctor.contains(row.name)) }
  for help in [
    Help.overview, Help.short, Help.render, Help.merge, Help.serve, Help.list, Help.describe,
    Help.play, Help.status, Help.connect, Help.remote, Help.doctor, Help.presets, Help.get,
    Help.set, Help.scene, Help.panic, Help.learn, Help.lv2, Help.take,
  ] {
    for line in help.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
  }
}
