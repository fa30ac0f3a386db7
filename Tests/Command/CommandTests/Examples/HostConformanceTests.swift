import Foundation
import ProgramTestSupport
import TestSupport
import Testing

/// Tests of hosts with `portative check --host`: `portative play`, the examples, and an example with a fault.
@Suite(.timeLimit(.minutes(15))) struct HostConformanceTests {
  private static let measurements =
    "play,claims,answers,silence,losses,lateness,scribbles,floods,files"
  private static let song = repositoryFile("SoundFonts/demo.mid")
  private static let example = repositoryFile("Examples/host.py")

  /// - Parameter program: The host with its arguments.
  private func check(
    _ program: [String], only measurements: String = measurements, code: Int32 = 0
  ) throws -> [String: String] {
    try verdicts(of: ["--host"] + program, only: measurements, code: code, within: 400)
  }

  private static let allGood = Dictionary(
    uniqueKeysWithValues: measurements.split(separator: ",").map { (String($0), "good") })

  @Test(arguments: [["--audio", "none"], ["-o"]])
  func `play believes no node, and ends`(output: [String]) throws {
    let folder = try TemporaryFolder()
    let file = output == ["-o"] ? [folder("x.wav")] : []
    #expect(
      try check(
        [Program.path.path(), "play", "--node", "Check: Port"] + output + file + [Self.song])
        == Self.allGood)
  }

  @Test func `the host in Python believes nothing that it uses`() throws {
    let folder = try TemporaryFolder()
    var expected = Self.allGood
    // It uses neither tails nor parameters, nor changes of the latency.
    expected["claims"] = "warning"
    #expect(
      try check(["/usr/bin/python3", Self.example, "chck", Self.song, folder("x.wav")]) == expected)
  }

  @Test(arguments: [
    ("play", "self.position += frames", "self.position -= 1"),
    ("play", "FRAME_COUNT, frames)", "FRAME_COUNT, 2000)"),
    ("play", "(self.number + 1)", "(self.number + 2)"),
    ("play", #""minimum": 2, "maximum": 2"#, #""minimum": 3, "maximum": 3"#),
    ("play", "len(data), kind, head)", "len(data), 9, head)"),
    ("claims", #"require(hello["protocol"] == 2,"#, "require(True,"),
    ("claims", "require(component.items() <= port.items(),", "require(True,"),
    ("answers", "raise ProtocolError(printable(", "raise ProtocolError(str("),
    (
      "silence", "import array\n",
      "import array\nimport signal\nsignal.signal(15, signal.SIG_IGN)\n"
    ),
    ("losses", "as error:\n        sys.exit", "as error:\n        os.abort()\n        sys.exit"),
    (
      "files", "except (ValueError, RecursionError):\n                continue",
      "except KeyError:\n                continue"
    ),
    ("files", "os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC", "os.O_RDONLY"),
  ])
  func `check finds the fault of a host`(measurement: String, text: String, fault: String) throws {
    let folder = try TemporaryFolder()
    let source = try String(contentsOfFile: Self.example, encoding: .utf8)
    #expect(source.contains(text))
    let host = try folder.put(Data(source.replacing(text, with: fault).utf8), "host.py")
    let rows = try check(
      ["/usr/bin/python3", host, "chck", Self.song, folder("x.wav")], only: measurement, code: 1)
    #expect(rows[measurement] == "bad")
  }

  @Test func `a host needs a program`() throws {
    let result = try Program(["check", "--host", "General MIDI"]).result(within: 60)
    #expect(result.exitCode == 2)
    #expect(result.errors.contains("--host needs a program, named by its path"))
  }

  @Test func `a program that connects to nothing is wrong`() throws {
    #expect(try check(["/bin/true"], code: 1) == ["play": "bad"])
  }
}
