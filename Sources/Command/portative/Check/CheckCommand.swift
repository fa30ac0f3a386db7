import Configuration
import Glibc
import LV2Host
import LocalSystem
import NodeChecks
import NodeHost
import NodeProtocol
import PluginNodes

/// The verb `check`: whether plugins, ports and hosts do what they promise, measured.
struct CheckCommand {
  private let options: CheckOptions
  private let host = AudioHost(name: "portative check")
  private var verdicts: [CheckRow.Verdict] = []
  private var text = CheckText()

  /// - Parameter arguments: The arguments after `check`.
  static func run(_ arguments: [String]) throws -> ExitCode {
    let options = try CheckOptions(arguments: arguments)
    if options.wantsHelp { return try Command.write(Help.check) }
    var command = Self(options: options)
    do {
      try command.run()
    } catch {
      // The program under check and its folders are gone.
      if let signal = Interruption.signal { Interruption.end(by: signal) }
      throw error
    }
    return command.exitCode
  }

  /// A signal ends the check.
  private struct Interrupted: Error {}

  private init(options: CheckOptions) { self.options = options }

  private mutating func run() throws {
    if options.checksPlugins {
      for plugin in try LV2Library.open().plugins()
      where options.type == nil || plugin.portType == options.type {
        try check(plugin, nil)
      }
    }
    for subject in options.subjects {
      switch subject {
      case .plugin(let selection): try check(selection.plugin, selection)
      case .port(let name):
        let component = try NodeFinder(for: .port).find(name)
        try check(PortSubject(component), CheckReport(component.port, subject: name))
      case .program(let path, let arguments): try check(path, arguments)
      case .host(let path, let arguments):
        let type = options.type ?? .instrument
        let host = HostCheck(path, arguments, type, showsLog: options.showsLog)
        let measurements = options.measurements
        try check(CheckReport(host: path, plays: type)) {
          try host.run(measurements, accept: $0)
        }
      }
    }
  }

  /// Checks a plugin in a process of its own.
  private mutating func check(_ plugin: LV2Plugin, _ given: PluginSelection?) throws {
    let selection = plugin.problem == nil ? try given ?? PluginSelection(plugin.uri) : nil
    let report = CheckReport(plugin, selection)
    guard let selection else { return try write(report) }
    try check(PluginSubject(selection, from: host, showsLog: options.showsLog), report)
  }

  /// Starts a program, checks its ports, and ends it.
  private mutating func check(_ path: String, _ arguments: [String]) throws {
    let null = options.showsLog ? nil : OwnedDescriptor(open("/dev/null", O_WRONLY | O_CLOEXEC))
    let program = try CheckedProgram(
      path, arguments, in: try CheckFolders(), log: null?.number ?? STDERR_FILENO)
    let components = try program.components()
    for (index, component) in components.enumerated() {
      let isLast = index == components.count - 1
      try check(
        PortSubject(component, in: program.environment),
        CheckReport(component.port, subject: path),
        end: isLast && options.measurements.contains(.end) ? program.end : nil)
    }
  }

  /// Measures a port or plugin.
  ///
  /// - Parameter end: The last measurement.
  private mutating func check(
    _ subject: some CheckSubject, _ started: CheckReport, end: (() -> CheckRow)? = nil
  ) throws {
    let measurements = options.measurements
    try check(started) { accept in
      var rows = try NodeCheck(subject).run(measurements, accept: accept)
      if let row = end?() {
        rows.append(row)
        try accept(row)
      }
      return rows
    }
  }

  /// Measures and writes: one subject with a line for each measurement, several with a line for each.
  ///
  /// - Parameter measure: Passes each result on when it is known, and returns all.
  private mutating func check(
    _ started: CheckReport, measure: ((CheckRow) throws -> Void) throws -> [CheckRow]
  ) throws {
    var report = started
    if showsRows { try Command.write(text.head(report)) }
    var text = text
    let showsRows = showsRows
    report.rows = try measure { row in
      if Interruption.signal != nil { throw Interrupted() }
      if showsRows { try Command.write(text.lines(row)) }
    }
    self.text = text
    try write(report)
  }

  private mutating func write(_ report: CheckReport) throws {
    verdicts.append(report.verdict)
    if options.isJSON {
      try Command.write(JSONOutput.check.line(report))
    } else {
      try Command.write(showsRows ? text.summary(report) : text.line(report))
    }
  }

  /// Whether each measurement has a line.
  private var showsRows: Bool {
    !options.isJSON && !options.checksPlugins && options.subjects.count == 1
  }

  private var exitCode: ExitCode {
    if verdicts.contains(.bad) { return .failed }
    return options.isStrict && verdicts.contains(.warning) ? .warnings : .done
  }
}

extension Help {
  static let check = HelpText(
    usage: [
      "portative check [OPTIONS] lv2:URI[#PRESET]|PORT …",
      "portative check [OPTIONS] [--host] PROGRAM [ARGUMENT …]",
      "portative check [OPTIONS] --lv2",
    ],
    description: """
      Measures what an LV2 plugin or a port of a node does. A plugin has a process of
      its own, so that a crash or a hang is a result; a PROGRAM, named by a path, is
      started with folders of its own, its ports are checked, and it is ended.
      Results are good, warning (something depends on the host, or may disturb
      realtime) or bad (something breaks a promise); - was not measured. The exit code
      is 1 if anything is bad.

        start       the time until it can play
        sound       the peak of a scale, or of a pulse, noise and a sine
        repeatable  whether two processes play the same bits
        cycles      whether cycles of 1024, 64 and 333 frames give the same bits, of
                    ports also those of 1 and 8192
        onset       what becomes of a note that is moved by 0 to 1025 frames
        release     the same for the release of a key
        rates       whether it plays at 44.1 and 96 kHz, with the same onset
        latency     the delay of a pulse against what it reports
        tail        how long it sounds after its input, against what it reports
        state       whether a new instance with its saved state plays the same
        parameters  the ends of the range of each parameter
        ramps       whether parameters arrive where ramps end
        presets     whether each plays
        sysex       System Exclusive messages that are not for it, up to 30 kB
        transport   jumps, loops, stops and changes of tempo of the host's song
        output      the MIDI that it sends, in cycles of several lengths
        deadlines   the time of a cycle of 256 frames, of its length at 48 kHz
        samples     infinite and NaN samples in all of these

      Of plugins only:
        realtime    allocations, locks and system calls in its cycles
        denormals   cycles that compute with denormal numbers

      Of ports only:
        messages    the answers to right and wrong messages in every state
        refusal     what ends a connection, with its reason
        memory      shared memory and cycles that the node must not trust
        events      cycles with random events, transports and audio
        connections descriptors and memory after 1000 connections, or 20 seconds
        panic       whether it ends a held note
        end         whether a PROGRAM ends at SIGTERM, and removes its files

      With --host, PROGRAM plays the port "Check: Port" (node check, subtype chck) of
      a node that misbehaves in another way each time. It may end by itself, but must
      connect, and end at SIGTERM. Of hosts only:
        play        its messages and cycles, of a node without a fault
        claims      impossible versions, ports, latencies, tails and parameters
        answers     what is no answer, or one to another request
        silence     no answer to hello, open and initialize
        losses      connections that end in each state, parked and removed ports
        lateness    cycles without an answer, and late ones
        scribbles   random words in the shared memory, NaN
        floods      100,000 notifications and commands
        files       FIFOs, links and damaged records in the runtime folder
      """,
    options: CheckOptions.table.entries,
    exitCodes: ExitStatus.of(0, 1, 2, 6),
    examples: """
      portative check lv2:http://drobilla.net/plugins/mda/EPiano
      portative check --json --strict lv2:http://gareus.org/oss/lv2/b_synth
      portative check --lv2 --type instrument --only sound,onset
      portative check "General MIDI"
      portative check ./my-node --verbose
      portative check --host ./my-host "Check: Port" song.mid
      """)
}
