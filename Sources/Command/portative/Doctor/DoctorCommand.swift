import Configuration
import LiveAudio
import LocalSystem
import PortativeServer

/// The verb `doctor`: whether this machine is ready for playing, with remedies.
enum DoctorCommand {
  /// - Parameter arguments: The arguments after `doctor`.
  static func run(_ arguments: [String]) throws -> ExitCode {
    let options = try DoctorOptions(arguments: arguments)
    if options.wantsHelp { return try Command.write(Help.doctor) }
    if let input = options.latencyInput {
      let report = try measureLatency(input, options)
      return try Command.write(options.isJSON ? JSONOutput.latency.line(report) : report.text)
    }
    let findings = findings(in: .current)
    try Command.write(options.isJSON ? jsonLines(findings) : text(findings))
    return findings.contains { $0.verdict == .bad } ? .failed : .done
  }

  private static func measureLatency(
    _ input: String, _ options: DoctorOptions
  ) throws -> LatencyReport {
    let sound = options.sound
    let measurement = try LatencyMeasurement(device: sound.device.text) {
      () throws(SoundDeviceError) in try sound.open()
    }
    defer { measurement.close() }
    if !options.isJSON {
      Terminal.note(
        "playing clicks on \(measurement.device.summary), and capturing them at '\(input)'")
    }
    return try measurement.measure(capturingFrom: input)
  }

  static func findings(in environment: ProcessEnvironment) -> [Finding] {
    SequencerCheck.findings(in: environment) + DefaultSoundCheck.findings(in: environment)
      + SoundCardCheck.findings(in: environment)
      + SoundServerCheck.findings(in: environment) + ConfigurationCheck.findings(in: environment)
      + SoundFontCheck.findings(in: environment) + PluginCheck.findings(in: environment)
      + LibraryCheck.findings() + RealtimeCheck.findings() + LockedMemoryCheck.findings()
      + GovernorCheck.findings(in: environment) + PowerCheck.findings(in: environment)
  }

  /// Returns a line for each finding, followed by its remedy.
  static func text(_ findings: [Finding]) -> OutputText {
    let lines = findings.flatMap { finding in
      [[finding.verdict.rawValue, finding.subject, finding.message]]
        + (finding.remedy.map { [["", "", "→ \($0)"]] } ?? [])
    }
    return Columns.text(lines)
  }

  static func jsonLines(_ findings: [Finding]) -> OutputText {
    findings.map { JSONOutput.doctor.line($0) }.joined()
  }
}

extension Help {
  static let doctor = HelpText(
    usage: [
      "portative doctor [--json]",
      "portative doctor --latency INPUT [OPTIONS]",
    ],
    description: """
      Checks whether this machine is ready to play: keyboards, sound, configuration,
      SoundFonts and realtime priority. Each problem is shown with its remedy. The
      exit code is 1 if playing would fail.

      With --latency, it measures the time from a key to its sound: it plays clicks
      as serve does, and records them. Connect the output to the input with a cable,
      and disconnect loudspeakers and headphones.
      """,
    options: DoctorOptions.table.entries,
    examples: """
      portative doctor
      portative doctor --latency hw:1 --audio hw:1 --period 64
      portative doctor --latency hw:Loopback,1 --audio hw:Loopback,0   # snd-aloop
      """)
}
