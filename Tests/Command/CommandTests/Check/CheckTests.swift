import Foundation
import ProgramTestSupport
import TestSupport
import Testing

@testable import portative

/// A line of `check --json`.
private struct CheckOutput: Decodable {
  struct Row: Decodable {
    let measurement, verdict, result, explanation: String
    let figures: [Figure]
  }

  struct Figure: Decodable {
    let name: String
    let value: Double
  }

  let verdict: String
  let problem: String?
  let rows: [Row]

  func row(_ measurement: String) throws -> Row {
    try #require(rows.first { $0.measurement == measurement }, "\(measurement)")
  }

  /// The measurements with a verdict.
  func measurements(_ verdict: String) -> Set<String> {
    Set(rows.filter { $0.verdict == verdict }.map(\.measurement))
  }
}

extension CheckOutput.Row {
  func figure(_ name: String) -> Double? { figures.first { $0.name == name }?.value }
}

/// All measurements of plugins, except that of deadlines: on a loaded machine, it has a warning.
private let measurementsWithoutDeadlines = """
  start,sound,repeatable,cycles,onset,release,rates,latency,tail,state,parameters,ramps,presets,sysex,transport,output,\
  realtime,denormals,samples
  """

/// Checks a plugin of `Tests/Support/lv2plugins`.
private func check(
  _ name: String, _ options: String..., code: Int32 = 0
) throws -> CheckOutput {
  let options =
    options.contains("--strict") ? options + ["--only", measurementsWithoutDeadlines] : options
  let result = try Program(
    ["check", "--json"] + options + ["lv2:urn:portative:test:\(name)"],
    variables: ["LV2_PATH": try TestPlugins.path()]
  ).result(within: 120)
  #expect(result.exitCode == code, "\(result.outputText)\(result.errors)")
  return try JSONDecoder().decode(CheckOutput.self, from: result.output)
}

@Suite(.timeLimit(.minutes(10))) struct CheckTests {
  @Test func `nothing is wrong with an instrument that does what it promises`() throws {
    let output = try check("tone#Soft", "--strict")
    #expect(output.verdict == "good")
    #expect(output.measurements("unmeasured") == ["latency", "presets", "tail", "output"])
    #expect(try output.row("onset").result == "exact, the same bits")
    #expect(try output.row("release").result == "exact to a frame")
    #expect(try output.row("state").result == "restored, the same bits")
    #expect(try output.row("onset").figure("moves") ?? 0 >= 64)
  }

  @Test func `nothing is wrong with an effect that delays by what it reports`() throws {
    let output = try check("delay", "--strict")
    #expect(output.verdict == "good")
    let latency = try output.row("latency")
    #expect(latency.figure("measured") == 32 && latency.figure("reported") == 32)
  }

  @Test(arguments: [
    ("grid", ["onset"], "onset", "at the next block of 64 frames"),
    ("cycles", ["onset", "release"], "onset", "at the beginning of its cycle"),
    (
      "invalid", ["parameters", "ramps", "samples"], "parameters",
      "level=1.0 gives NaN or infinite samples"
    ),
    ("allocating", ["realtime"], "realtime", "allocates"),
    ("forgetful#Soft", ["state"], "state", "differs by −24 dB"),
    ("wrong-delay", ["latency"], "latency", "32 frames, but reports 100"),
  ])
  func `each broken promise is found, and no other`(
    name: String, measurements: [String], measurement: String, result: String
  ) throws {
    let output = try check(name, code: 1)
    #expect(output.verdict == "bad")
    #expect(output.measurements("bad") == Set(measurements))
    #expect(try output.row(measurement).result == result)
  }

  @Test func `a plugin that plays something else each time is a warning`() throws {
    let output = try check("random", "--strict", code: 6)
    #expect(output.measurements("warning") == ["repeatable"])
    #expect(try output.row("repeatable").figure("others") ?? 0 > 0)
    #expect(try output.row("onset").result == "exact to a frame")
    #expect(output.measurements("unmeasured").contains("release"))
  }

  @Test func `what a plugin sends, its ramps and its songs are measured`() throws {
    let output = try check("probe", "--only", "output,ramps,transport,sysex,deadlines", code: 0)
    #expect(output.measurements("bad").isEmpty)
    #expect(try output.row("output").result == "24 messages, on their frames")
    #expect(try output.row("ramps").verdict == "good")
    #expect(try output.row("sysex").result == "15 ignored, the same bits")
    #expect(try output.row("deadlines").figure("cycles") == 1000)
  }

  @Test func `a ramp whose sound depends on the lengths of cycles is a warning`() throws {
    let ramps = try check("stepping", "--only", "ramps").row("ramps")
    #expect(ramps.verdict == "warning" && ramps.result.contains("in other cycles"))
    #expect(try check("stepping", "--only", "cycles").row("cycles").verdict == "good")
  }

  @Test func `the bits of other cycles and other rates are compared`() throws {
    #expect(try check("cycles", "--only", "cycles").row("cycles").verdict == "warning")
    let rates = try check("refusing-rates", "--only", "rates").row("rates")
    #expect(rates.result == "2 fail" && rates.explanation.contains("44100 Hz"))
  }

  @Test func `calls that may wait are counted by their names`() throws {
    let allocating = try check("allocating", "--only", "realtime", code: 1).row("realtime")
    #expect(allocating.explanation.contains("malloc 319"))
    #expect(allocating.explanation.contains("hardRTCapable"))
    let locking = try check("locking", "--only", "realtime").row("realtime")
    #expect(locking.verdict == "warning")
    #expect(locking.explanation.contains("pthread_mutex_lock 319"))
    #if arch(x86_64)
      #expect(locking.explanation.contains("sched_yield 319"))
    #endif
  }

  @Test func `a crash is the result of a measurement`() throws {
    let output = try check("dying", code: 1)
    let sound = try output.row("sound")
    #expect(sound.verdict == "bad" && sound.result == "was ended by signal 6 in cycle 3")
    #expect(output.rows.count == 20)
  }

  @Test func `a plugin that hangs is ended`() throws {
    let sound = try check("stalling", "--only", "sound", code: 1).row("sound")
    #expect(sound.result == "hangs in cycle 3, for 10 s")
  }

  @Test(arguments: [("refusing", "refuses to start"), ("crashing", "ended by signal 6")])
  func `a plugin that does not start has one row`(name: String, reason: String) throws {
    let output = try check(name, code: 1)
    #expect(output.rows.map(\.measurement) == ["start"])
    #expect(output.rows[0].result.contains(reason))
  }

  @Test func `all installed plugins are checked, a line for each`() throws {
    let variables = ["LV2_PATH": try TestPlugins.path()]
    let options = ["check", "--lv2", "--type", "effect", "--only", "start,latency"]
    let text = try Program(options, variables: variables).result(within: 60)
    #expect(text.exitCode == 1)
    let lines = text.outputText.split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix("good") && $0.contains("test:delay") })
    #expect(lines.contains { $0.hasPrefix("bad") && $0.contains("32 frames, but reports 100") })
    let json = try Program(options + ["--json"], variables: variables).result(within: 60)
    let names = json.outputText.objects.compactMap { $0["name"] as? String }
    #expect(names.contains("Factor") && !names.contains("Probe") && names.count == lines.count)
  }

  @Test func `a plugin that cannot be played says why, and is not wrong`() throws {
    let result = try Program(
      ["check", "--lv2", "--type", "generator", "--json"],
      variables: ["LV2_PATH": try TestPlugins.path()]
    ).result()
    #expect(result.exitCode == 0)
    let output = try #require(result.outputText.objects.first)
    #expect(output["verdict"] as? String == "unmeasured")
    #expect((output["problem"] as? String)?.contains("http://example.org/feature") == true)
  }

  @Test func `people see a line for each measurement, and what a fault means`() throws {
    let result = try Program(
      ["check", "lv2:urn:portative:test:wrong-delay", "--only", "start,sound,onset,latency"],
      variables: ["LV2_PATH": try TestPlugins.path()]
    ).result()
    #expect(result.exitCode == 1)
    let lines = result.outputText.split(separator: "\n").map(String.init)
    #expect(lines[0] == "wrong-delay, effect: lv2:urn:portative:test:wrong-delay")
    #expect(lines[2] == "good     sound        peak −6 dB")
    #expect(lines[3] == "-        onset        not measured: it plays no notes")
    #expect(lines[4] == "bad      latency      32 frames, but reports 100")
    #expect(lines[5].hasPrefix("                      → Hosts compensate what is reported"))
    #expect(lines.last == "1 wrong, 0 warnings")
  }

  @Test func `info shows a plugin, and what becomes of its notes`() throws {
    func info(_ name: String) throws -> String {
      try Program(
        ["info", "lv2:urn:portative:test:\(name)"],
        variables: ["LV2_PATH": try TestPlugins.path()]
      ).result(within: 60).outputText
    }
    let tone = try info("tone")
    #expect(tone.hasPrefix("LV2: Tone tone: instrument ") && tone.contains("\nlevel "))
    #expect(tone.contains("\nonset: exact, the same bits\n"))
    #expect(try info("grid").contains("\nonset: at the next block of 64 frames\n"))
    let delay = try info("delay")
    #expect(delay.contains("\nlatency: 32 frames\n") && !delay.contains("onset"))
  }

  @Test(arguments: [
    ([], "no plugin, port or program was given"),
    (["lv2:urn:x", "/bin/true"], "one program or several ports"),
    (["--lv2", "lv2:urn:x"], "leave one out"),
    (["--type", "effect", "lv2:urn:x"], "only for --lv2"),
    (["--only", "sond", "--lv2"], "--only must be one of start, messages"),
  ])
  func `wrong usage is a sentence with the remedy`(
    arguments: [String], sentence: String
  ) throws {
    let result = try Program(
      ["check"] + arguments, variables: ["LV2_PATH": try TestPlugins.path()]
    ).result()
    #expect(result.exitCode == 2)
    #expect(result.errors.contains(sentence), "\(result.errors)")
  }
}
