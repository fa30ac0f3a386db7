import Configuration
import LV2Host
import LocalSystem
import NodeChecks
import NodeHost
import PluginNodes

/// The verb `check`: whether plugins do what they promise, measured.
enum CheckCommand {
  /// - Parameter arguments: The arguments after `check`.
  static func run(_ arguments: [String]) throws -> ExitCode {
    let options = try CheckOptions(arguments: arguments)
    if options.wantsHelp { return try Command.write(Help.check) }
    let host = AudioHost(name: "portative check")
    if options.checksPlugins {
      let plugins = try LV2Library.open().plugins()
        .filter { options.type == nil || $0.portType == options.type }
      return try check(plugins.map { ($0, nil) }, options, host)
    }
    if options.subjects.count > 1 {
      return try check(options.subjects.map { ($0.plugin, $0) }, options, host)
    }
    guard let selection = options.subjects.first else { return .done }
    return try check(selection, options, host)
  }

  /// Checks one plugin, with a line for each measurement.
  private static func check(
    _ selection: PluginSelection, _ options: CheckOptions, _ host: AudioHost
  ) throws -> ExitCode {
    var report = CheckReport(selection.plugin, selection)
    var text = CheckText()
    if !options.isJSON { try Command.write(text.head(report)) }
    report.rows = try rows(of: selection, options, host) { row in
      if !options.isJSON { try Command.write(text.lines(row)) }
    }
    try Command.write(options.isJSON ? JSONOutput.check.line(report) : text.summary(report))
    return exitCode([report.verdict], options)
  }

  /// Checks plugins, with a line for each.
  private static func check(
    _ plugins: [(plugin: LV2Plugin, selection: PluginSelection?)], _ options: CheckOptions,
    _ host: AudioHost
  ) throws -> ExitCode {
    var columns = CheckText()
    var verdicts: [CheckRow.Verdict] = []
    for (plugin, given) in plugins {
      let selection = plugin.problem == nil ? try given ?? PluginSelection(plugin.uri) : nil
      var report = CheckReport(plugin, selection)
      if let selection { report.rows = try rows(of: selection, options, host) { _ in } }
      verdicts.append(report.verdict)
      try Command.write(options.isJSON ? JSONOutput.check.line(report) : columns.line(report))
    }
    return exitCode(verdicts, options)
  }

  private static func rows(
    of selection: PluginSelection, _ options: CheckOptions, _ host: AudioHost,
    accept: (CheckRow) throws -> Void
  ) throws -> [CheckRow] {
    let subject = PluginSubject(selection, from: host, showsLog: options.showsLog)
    return try NodeCheck(subject).run(options.measurements) { row in
      if let signal = Interruption.signal { Interruption.end(by: signal) }
      try accept(row)
    }
  }

  private static func exitCode(
    _ verdicts: [CheckRow.Verdict], _ options: CheckOptions
  ) -> ExitCode {
    if verdicts.contains(.bad) { return .failed }
    return options.isStrict && verdicts.contains(.warning) ? .warnings : .done
  }
}

extension Help {
  static let check = HelpText(
    usage: [
      "portative check [OPTIONS] lv2:URI[#PRESET] …",
      "portative check [OPTIONS] --lv2",
    ],
    description: """
      Measures what an LV2 plugin does, in a process of its own, so that a crash or a
      hang is a result. Results are good, warning (something depends on the host, or
      may disturb realtime) or bad (something breaks a promise); - was not measured.
      The exit code is 1 if anything is bad.

        start       the time until it can play
        sound       the peak of a scale, or of a pulse, noise and a sine
        repeatable  whether two processes play the same bits
        cycles      whether cycles of 1024, 64 and 333 frames give the same bits
        onset       what becomes of a note that is moved by 0 to 1025 frames
        release     the same for the release of a key
        rates       whether it plays at 44.1 and 96 kHz, with the same onset
        latency     the delay of a pulse against what it reports
        state       whether a new instance with its saved state plays the same
        parameters  the ends of the range of each parameter
        presets     whether each plays
        realtime    allocations, locks and system calls in its cycles
        denormals   cycles that compute with denormal numbers
        samples     infinite and NaN samples in all of these
      """,
    options: CheckOptions.table.entries,
    exitCodes: ExitStatus.of(0, 1, 2, 6),
    examples: """
      portative check lv2:http://drobilla.net/plugins/mda/EPiano
      portative check --json --strict lv2:http://gareus.org/oss/lv2/b_synth
      portative check --lv2 --type instrument --only sound,onset
      """)
}
