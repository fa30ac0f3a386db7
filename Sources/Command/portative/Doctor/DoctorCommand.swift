import LocalSystem

/// The verb `doctor`: whether this machine is ready for playing, with remedies.
enum DoctorCommand {
  /// - Parameter arguments: The arguments after `doctor`.
  static func run(_ arguments: [String]) -> ExitCode {
    do throws(Failure) {
      let options = try DoctorOptions(arguments: arguments)
      if options.wantsHelp { return Command.say(Help.doctor) }
      if let input = options.latencyInput {
        return try LatencyCommand(input: input, options.sound, isJSON: options.isJSON).run()
      }
      let findings = findings(in: .current)
      let said = Command.say(options.isJSON ? jsonLines(findings) : text(findings))
      return said == .done && findings.contains { $0.verdict == .bad } ? .failed : said
    } catch {
      if let signal = error.signal { Interruption.end(by: signal) }
      Terminal.complain(error.message)
      return error.exitCode
    }
  }

  private static func findings(in environment: ProcessEnvironment) -> [Finding] {
    SequencerCheck.findings(in: environment) + DefaultSoundCheck.findings(in: environment)
      + SoundCardCheck.findings(in: environment)
      + SoundServerCheck.findings(in: environment) + SoundFontCheck.findings(in: environment)
      + LibraryCheck.findings() + RealtimeCheck.findings() + LockedMemoryCheck.findings()
      + GovernorCheck.findings(in: environment)
  }

  /// Returns a line for each finding, followed by its remedy.
  static func text(_ findings: [Finding]) -> String {
    let lines = findings.flatMap { finding in
      [[finding.verdict.rawValue, finding.subject, finding.message]]
        + (finding.remedy.map { [["", "", "→ \($0)"]] } ?? [])
    }
    return Columns.text(lines)
  }

  static func jsonLines(_ findings: [Finding]) -> String {
    findings.map { JSONOutput.doctor.line($0) }.joined()
  }
}
