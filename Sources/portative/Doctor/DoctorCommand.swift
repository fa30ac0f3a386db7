import LocalSystem

/// The verb `doctor`: whether this machine can be played on, and what to do if not.
enum DoctorCommand {
  /// - Parameter arguments: Those after `doctor`.
  static func run(_ arguments: [String]) -> ExitCode {
    do throws(Failure) {
      let options = try DoctorOptions(arguments: arguments)
      if options.wantsHelp { return Command.say(Help.doctor) }
      let findings = findings(in: .current)
      let said = Command.say(options.isJSON ? jsonLines(findings) : text(findings))
      return said == .done && findings.contains { $0.verdict == .bad } ? .failed : said
    } catch {
      Terminal.complain(error.message)
      return error.code
    }
  }

  private static func findings(in surroundings: Surroundings) -> [Finding] {
    SequencerCheck.findings(in: surroundings) + DefaultSoundCheck.findings(in: surroundings)
      + SoundCardCheck.findings(in: surroundings)
      + SoundServerCheck.findings(in: surroundings) + SoundFontCheck.findings(in: surroundings)
      + RealtimeCheck.findings() + LockedMemoryCheck.findings()
      + GovernorCheck.findings(in: surroundings)
  }

  /// A line for each, and below it the remedy.
  static func text(_ findings: [Finding]) -> String {
    let lines = findings.flatMap { finding in
      [[finding.verdict.rawValue, finding.subject, finding.message]]
        + (finding.remedy.map { [["", "", "→ \($0)"]] } ?? [])
    }
    return Columns.text(lines)
  }

  static func jsonLines(_ findings: [Finding]) -> String {
    findings.map { RenderReport.encode($0, []) + "\n" }.joined()
  }
}

/// What `portative doctor` was asked for.
struct DoctorOptions {
  var isJSON = false
  var wantsHelp = false

  /// Reads the arguments after `doctor`.
  init(arguments: [String]) throws(Failure) {
    let operands = try Self.table.parse(arguments, into: &self)
    if let operand = operands.first, !wantsHelp {
      throw .usage("doctor takes options only, but got '\(operand)'; see portative doctor --help")
    }
  }

  static let table = OptionTable<DoctorOptions>(rows: [
    .init(names: ["--json"], value: nil, help: "a line of JSON for each finding") {
      options, _ throws(Failure) in options.isJSON = true
    },
    .init(names: ["-h", "--help"], value: nil, help: "this text") {
      options, _ throws(Failure) in options.wantsHelp = true
    },
  ])
}
