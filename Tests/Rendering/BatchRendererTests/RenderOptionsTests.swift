import AudioFile
import FluidSynthEngine
import OfflineRenderer
import Options
import Testing

@testable import BatchRenderer
@testable import LocalSystem
@testable import portative

private func options(_ line: String) throws(Failure) -> RenderOptions {
  try RenderOptions(arguments: line.split(separator: " ").map(String.init))
}

@Test func `has the defaults that help states`() throws {
  var expected = RenderOptions()
  expected.inputs = ["a.mid"]
  #expect(try options("a.mid") == expected)
}

@Test func `reads every option`() throws {
  let read = try options(
    "a.mid -o b.flac --format flac --bits 24 --rate 44100 -s x.sf2 --gain -6.5 --timing stock "
      + "--reverb off --chorus off --tail 2.5 --max-tail 10 --from 1:00 --to 2:00.5 -j 3 "
      + "--max-length 1:00:00 --shard 2/3 --resume --report r.json --strict -q --json")
  var expected = RenderOptions()
  expected.inputs = ["a.mid"]
  expected.output = "b.flac"
  expected.song.container = .flac
  expected.song.bits = .b24
  expected.song.sampleRate = 44100
  expected.song.soundFont = "x.sf2"
  expected.song.gain = -6.5
  expected.song.timing = .stock
  expected.song.reverb = false
  expected.song.chorus = false
  expected.song.tail = .seconds(2.5)
  expected.song.maximumTail = 10
  expected.song.start = 60
  expected.song.end = 120.5
  expected.song.maximumLength = 3600
  expected.jobs = 3
  expected.shard = try Shard("2/3")
  expected.resumes = true
  expected.report = "r.json"
  expected.isStrict = true
  expected.isQuiet = true
  expected.isJSON = true
  #expect(read == expected)
  #expect(try options("a b -d dir --raw --tail bar").song.tail == .bar)
}

@Test(arguments: [
  ("", "no song was named: portative render SONG.mid, or - for standard input"),
  ("a -o x.wav -d dir", "--output and --directory contradict each other: leave one out"),
  ("a b -o x.wav", "--output names one file for 2 songs: use --directory DIR"),
  ("a --raw --format wav", "--raw and --format wav contradict each other: leave one out"),
  ("a --raw -o x.wav", "'x.wav' ends as wav, but --raw asks for raw: change one of them"),
  (
    "a --format flac -o x.wav",
    "'x.wav' ends as wav, but --format asks for flac: change one of them"
  ),
  ("- - -o x.wav", "--output names one file for 2 songs: use --directory DIR"),
  ("- - -d x", "standard input (-) can be read only once, but is named 2 times"),
  ("-", "a song from standard input has no name: say where it goes with --output FILE"),
  (
    "a -o - --report -",
    "--output - and --report - would both write to standard output: change one"
  ),
  ("a --report - --json", "--report - and --json would both write to standard output: change one"),
  (
    "a --resume",
    "--resume looks into the report of the run before for what is done: name it with --report FILE"
  ),
  ("a -v -q", "--verbose and --quiet contradict each other: leave one out"),
  ("--manifest - -", "standard input (-) can be read only once, but is named 2 times"),
  (
    "--manifest x -o y.wav",
    "--output names one file for all songs of --manifest: use --directory DIR, or \"output\" in its lines"
  ),
  ("a --from 10 --to 0:10", "--to 10 is not after --from 10: nothing would be rendered"),
  ("a --tail 5 --max-tail 2.5", "--tail 5 is longer than --max-tail 2.5: leave one out"),
  ("a --gain 34", "--gain must be a number from -60 to 33.9, but was '34'"),
  ("a --rate 96001", "--rate must be a whole number from 8000 to 96000, but was '96001'"),
  ("a --tail soon", "--tail must be exact, silence, bar or seconds from 0 to 3600, but was 'soon'"),
  ("a -j 0", "--jobs must be a whole number from 1 to 1024, but was '0'"),
])
func `refuses what cannot be asked for`(line: String, message: String) {
  #expect(throws: Failure(.usage, message)) { try options(line) }
}

@Test func `the gain is relative to FluidSynth's, and no more than it takes`() throws {
  #expect(try options("a").song.settings.gain == 0.2)
  #expect(abs(try options("a --gain -20").song.settings.gain - 0.02) < 1e-12)
  let loudest = try options("a --gain 33.9").song.settings.gain
  #expect(loudest > 9.9 && loudest <= 10)
}

@Test func `tails end in silence, after 30 seconds at most, if nothing else is said`() throws {
  #expect(try options("a").song.settings.tail == .silence)
  #expect(try options("a").song.settings.maximumTail == 30)
  #expect(try options("a --tail exact --max-tail 5").song.settings.tail == .exact)
  #expect(try options("a --max-tail 5").song.settings.maximumTail == 5)
}

@Test func `gives help whatever else is missing`() throws {
  #expect(try options("--help").wantsHelp)
}

@Test func `help fits a terminal of 80 columns and knows every option`() {
  for row in RenderOptions.table.rows { #expect(Help.render.contains(row.name)) }
  for row in ConnectOptions.table.rows { #expect(Help.connect.contains(row.name)) }
  for row in ServeOptions.table.rows { #expect(Help.serve.contains(row.name)) }
  for row in DoctorOptions.table.rows { #expect(Help.doctor.contains(row.name)) }
  for help in [
    Help.overview, Help.short, Help.render, Help.serve, Help.list, Help.play, Help.status,
    Help.connect, Help.remote, Help.doctor,
  ] {
    for line in help.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
  }
}
