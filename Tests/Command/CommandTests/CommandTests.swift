import FluidSynthEngine
import Foundation
import ProgramTestSupport
import TestSupport
import Testing

@testable import BatchRenderer
@testable import LocalSystem
@testable import portative

@Test(arguments: [
  ["--help"], ["help"], ["render", "--help"], ["render", "-h", "a.mid"], ["--version"],
])
func `answers on standard output and succeeds`(arguments: [String]) throws {
  let result = try Program(arguments).result()
  #expect(result.exitCode == 0)
  #expect(result.outputText.contains("portative"))
  #expect(result.errors == "")
}

@Test func `help names a verb`() throws {
  #expect(try Program.run("help", "play").outputText == Program.run("play", "--help").outputText)
  #expect(try Program.run("help", "plya").errors.contains("did you mean play?"))
}

@Test func `shows its usage on standard error without arguments`() throws {
  let result = try Program.run()
  #expect(result.exitCode == ExitCode.usage.rawValue)
  #expect(result.outputText == "")
  #expect(result.errors.contains("portative --help"))
}

@Test(arguments: [
  (["rendr"], "portative: unknown command 'rendr': did you mean render?\n"),
  (["convert"], "portative: unknown command 'convert': did you mean portative render?\n"),
  (["a b.mid"], "portative: unknown command 'a b.mid': did you mean portative play 'a b.mid'?\n"),
  (
    ["render", "a.mid", "--gian", "3"],
    "portative render: unknown option --gian: did you mean --gain?\n"
  ),
  (
    ["play", "--stems", "channel", "a.mid"],
    "portative play: unknown option --stems: render has it, but not play\n"
  ),
  (["panic", "--foo"], "portative panic: unknown option --foo; see --help\n"),
  (
    ["render", "-dry-run", "a.mid"],
    "portative render: '-dry-run' has one hyphen: use --dry-run, or -d 'ry-run'\n"
  ),
  (
    ["render", "a.mid", "--rate", "1"],
    "portative render: --rate must be a whole number from 8000 to 96000, but was '1'\n"
  ),
])
func `wrong usage is one sentence and exit code 2`(arguments: [String], sentence: String) throws {
  let result = try Program(arguments).result()
  #expect(result.exitCode == 2)
  #expect(result.outputText == "")
  #expect(result.errors == sentence)
}

@Test func `errors are also JSON under --json`() throws {
  let result = try Program.run("render", "a.mid", "--json", "--rate", "1")
  #expect(result.exitCode == 2)
  let object = try #require(
    try JSONSerialization.jsonObject(with: result.output) as? [String: Any])
  let error = try #require(object["error"] as? [String: Any])
  #expect(error["exitCode"] as? Int == 2)
  #expect((error["message"] as? String)?.hasPrefix("--rate must be") == true)
}

@Test func `a verb without an error of its own writes one as JSON too`() throws {
  let result = try Program.run("list", "--json", "--names")
  #expect(result.exitCode == 2)
  let object = try #require(result.outputText.objects.first)
  #expect(object["schema"] as? String == "portative/error/1")
  #expect((object["error"] as? [String: Any])?["exitCode"] as? Int == 2)
}

@Test func `a SoundFont that is none, or not there, is exit code 5`() throws {
  let folder = try TemporaryFolder()
  for (path, word) in [("/etc/passwd", "is not a SoundFont"), (folder("x.sf2"), "cannot read")] {
    let result = try Program.run("render", "--soundfont", path, "-d", folder.path, "a.mid")
    #expect(result.exitCode == 5)
    #expect(result.errors.contains(word) && result.errors.contains(path))
  }
  let result = try Program.run(
    "render", "-d", folder.path, "a.mid", variables: ["PORTATIVE_SOUNDFONT": "/none.sf2"])
  #expect(result.exitCode == 5)
  #expect(result.errors.contains("PORTATIVE_SOUNDFONT"))
  #expect(folder.names == [])
}

@Test func `a full device is said, not hidden`() throws {
  let result = try Program(["--help"], outputPath: "/dev/full").result()
  #expect(result.exitCode == 4)
}

@Test func `the version names the library and its measured properties`() throws {
  let library = RenderReport.Library.loaded
  let version = try Program.run("--version").outputText
  #expect(version.hasPrefix("portative \(portativeVersion)\n\(library.summary)\nlibsndfile "))
  #expect(version.contains("FluidSynth \(FluidSynthLibrary.version) (choke volume "))
  let finding = try #require(LibraryCheck.findings().first)
  #expect(finding.message.hasPrefix("\(FluidSynthLibrary.version); choke volume "))
}
