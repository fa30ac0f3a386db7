import AudioFile
import Configuration
import FluidSynthEngine
import OfflineRenderer
import Testing

@testable import BatchRenderer
@testable import LocalSystem

extension RenderOptions {
  /// - Parameter line: The arguments of `portative render`.
  init(_ line: String) throws(Failure) {
    try self.init(line.split(separator: " ").map(String.init))
  }

  init(_ arguments: [String], isJSON: Bool = false) throws(Failure) {
    self.init()
    inputs = try Self.table.parse(arguments, into: &self)
    try validate(isJSON: isJSON)
  }
}

private func options(_ line: String) throws(Failure) -> RenderOptions { try RenderOptions(line) }

@Test func `has the defaults that help states`() throws {
  var expected = RenderOptions()
  expected.inputs = ["a.mid"]
  #expect(try options("a.mid") == expected)
}

@Test func `reads every option`() throws {
  let read = try options(
    "a.mid -o b.flac --format flac --bits 24 --rate 44100 -s x.sf2 --gain -6.5 --timing stock "
      + "--reverb off --chorus off --tail 2.5 --max-tail 10 --from 1:00 --to 2:00.5 -j 3 "
      + "--max-length 1:00:00 --shard 2/3 --resume --report r.json --strict")
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
  #expect(read == expected)
  #expect(try options("a b -d dir --raw --tail bar").song.tail == .bar)
}

@Test func `parameters of the instrument are set by their names`() throws {
  let read = try options(
    "a.mid --set filter.cutoff=-1200,envelope.release=-600 --set reverb.room=0.5 --set tuning=20 "
      + "--set filter.cutoff=-2400 --set tuning=0"
  ).song
  #expect(
    read.parameters == ["filter.cutoff": -2400, "envelope.release": -600, "reverb.room": 0.5])
  #expect(read.settings.parameters == read.parameters)
}

@Test func `a parameter that has an option sets the option`() throws {
  let parameters =
    "gain=-3,polyphony=300,transposition=2,velocity-curve=soft,reverb.on=off,chorus.on=0,preset.bank-style=gm"
  let options =
    "--gain -3 --polyphony 300 --transpose 2 --velocity soft --reverb off --chorus off --bank-style gm"
  #expect(try RenderOptions("a.mid --set \(parameters)") == RenderOptions("a.mid \(options)"))
  let linear = try RenderOptions("a.mid --set velocity-curve=linear")
  #expect(try linear == RenderOptions("a.mid --velocity 1"))
}

@Test(arguments: [
  ("filter.cutof=1", "the instrument has no parameter 'filter.cutof': did you mean filter.cutoff?"),
  ("filter.cutoff=9601", "filter.cutoff must be -9600 to 9600 cents, but is 9601"),
  ("transposition=25", "transposition must be -24 to 24, but is 25"),
  ("reverb.on=maybe", "reverb.on must be one of off, on, but is 'maybe'"),
  ("tuning=high", "tuning must be a number from -1200 to 1200, but is 'high'"),
  ("tuning", "a setting must be NAME=VALUE"), ("tuning=1,", "a setting must be NAME=VALUE"),
  ("preset.program=3", "use --program"),
])
func `parameters that cannot be set are refused with the remedy`(set: String, sentence: String)
  throws
{
  #expect {
    _ = try RenderOptions(["a.mid", "--set", set])
  } throws: {
    ($0 as? Failure)?.kind == .usage && ($0 as? Failure)?.message.contains(sentence) == true
  }
}

@Test(arguments: [
  ("", "no song was given: portative render SONG.mid, or - for standard input"),
  ("a -o x.wav -d dir", "--output and --directory contradict each other: leave one out"),
  ("a b -o x.wav", "--output names one file for 2 songs: use --directory DIR"),
  ("a --raw --format wav", "--raw and --format wav contradict each other: leave one out"),
  ("a --raw -o x.wav", "'x.wav' has the ending of wav, but --raw requests raw: change one of them"),
  (
    "a --format flac -o x.wav",
    "'x.wav' has the ending of wav, but --format requests flac: change one of them"
  ),
  ("- - -o x.wav", "--output names one file for 2 songs: use --directory DIR"),
  ("- - -d x", "standard input (-) can be read only once, but is named 2 times"),
  ("-", "a song from standard input has no name: name its file with --output FILE"),
  (
    "a -o - --report -",
    "--output - and --report - would both write to standard output: change one"
  ),
  ("a --resume", "--resume needs the report of the earlier run: name it with --report FILE"),
  ("a --output=", "--output needs a path, but it is empty"),
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
func `refuses contradictions and invalid values`(line: String, message: String) {
  #expect(throws: Failure(.usage, message)) { try options(line) }
}

@Test func `results as JSON and a report cannot share standard output`() {
  #expect(
    throws: Failure(
      .usage, "--report - and --json would both write to standard output: change one")
  ) { try RenderOptions(["a", "--report", "-"], isJSON: true) }
}

@Test func `the gain is relative to FluidSynth's, and at most its maximum`() throws {
  #expect(try options("a").song.settings.gain == 0.2)
  #expect(abs(try options("a --gain -20").song.settings.gain - 0.02) < 1e-12)
  let loudest = try options("a --gain 33.9").song.settings.gain
  #expect(loudest > 9.9 && loudest <= 10)
}

@Test func `by default, tails end in silence, after at most 30 seconds`() throws {
  #expect(try options("a").song.settings.tail == .silence)
  #expect(try options("a").song.settings.maximumTail == 30)
  #expect(try options("a --tail exact --max-tail 5").song.settings.tail == .exact)
  #expect(try options("a --max-tail 5").song.settings.maximumTail == 5)
}
