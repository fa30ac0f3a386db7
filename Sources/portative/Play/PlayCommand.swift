import AudioFile
import Components
import FluidSynthInstrument
import Glibc
import HostConnection
import MIDIFile
import NodeHost
import OfflineRenderer
import Realtime
import RenderCore

/// The verb `play`: a host, which schedules a song into a node.
struct PlayCommand {
  private let options: PlayOptions
  private let plan: RenderPlan
  private let connector: NodeConnector

  /// - Parameter arguments: Those after `play`.
  static func run(_ arguments: [String]) -> ExitCode {
    let isJSON = arguments.contains("--json")
    do throws(Failure) {
      let options = try PlayOptions(arguments: arguments)
      if options.song.wantsHelp { return Command.say(Help.play) }
      try PlayCommand(options).play()
      return .done
    } catch {
      if let signal = error.signal { Interruption.end(by: signal) }
      Terminal.complain(error.message)
      if isJSON {
        Terminal.write(RenderReport.line(.init(input: nil, error)), to: STDOUT_FILENO)
      }
      return error.code
    }
  }

  private init(_ options: PlayOptions) throws(Failure) {
    self.options = options
    plan = try RenderPlan(options.song)
    let speaks = options.speaks
    connector = NodeConnector { if speaks { Terminal.note($0) } }
  }

  private func play() throws(Failure) {
    let input = options.song.inputs[0]
    let song = try SongFile.decode(input)
    let repairs = Warnings.of(song)
    if options.song.isStrict { try SongFile.refuse(repairs, input) }
    let connection = try connector.connect(to: NodeFinder().find(options.node))
    connector.say(
      "\(connection.port.name): node '\(connection.node.name)', process "
        + "\(connection.node.processID)")
    let began = ContinuousClock.now
    let (report, cycles) = try render(song, connection)
    let warnings = repairs + self.warnings(report, cycles)
    let entry = RenderReport.Song(
      input: input, output: plan.jobs[0].outputName, report, warnings: warnings)
    if options.song.isJSON {
      Terminal.write(RenderReport.line(entry), to: STDOUT_FILENO)
      Terminal.write(RenderReport.line(cycles), to: STDOUT_FILENO)
    }
    guard options.speaks else { return }
    for warning in warnings { Terminal.note("\(input): warning: \(warning)") }
    if !options.isPaced {
      let elapsed = (ContinuousClock.now - began) / .seconds(1)
      Terminal.note(RenderedSong(entry: entry, elapsed: elapsed).summary)
    }
    Terminal.note(cycles.summary)
  }

  private func render(
    _ song: StandardMIDIFile, _ connection: Connection
  ) throws(Failure) -> (SongReport, PlayReport) {
    let lengths = CycleLengths(options.cycle)
    let format = Format(sampleRate: options.song.sampleRate, maximumFrames: lengths.maximum)
    let priority = takePriority()
    try connector.initialize(
      connection, format, mode: options.isPaced ? .realtime : .offline, priority: priority)
    let player = NodePlayer(
      connection, format, lengths: lengths,
      pace: options.isPaced ? Pace(sampleRate: format.sampleRate, isRealtime: priority > 0) : nil)
    let input = options.song.inputs[0]
    let progress = Progress(name: input, songs: 1, isShown: options.speaks)
    var share: Progress.Share?
    defer {
      if let share { progress.end(share) }
      progress.erase()
    }
    do throws(RenderError) {
      let report = try SongRenderer.render(
        song,
        to: try SongFile.open(
          plan.jobs[0].destination, plan.format, options.song, title: song.title), by: player,
        settings: options.song.settings,
        begin: { share = progress.begin(seconds: $0) },
        progress: { seconds in
          if var left = share {
            progress.advance(&left, by: seconds)
            share = left
          }
        },
        isCancelled: { Interruption.signal != nil },
        accept: { report in
          report.statistics.notes = player.notes
          // While they are there: with the connection, they go.
          if let figures = connector.noteFigures(of: connection) {
            report.statistics.inexactOnsets = figures.late
            report.statistics.stolenNotes = figures.stolen
            report.statistics.mostVoices = figures.voices
            report.statistics.mostLanes = figures.lanes
          }
          return !options.song.isStrict || warnings(report, PlayReport(connection)).isEmpty
        })
      return (report, PlayReport(connection))
    } catch {
      if case .refused(let report) = error {
        try SongFile.refuse(warnings(report, PlayReport(connection)), input)
      }
      throw Failure(error, input: input)
    }
  }

  /// - Returns: The priority of this thread; 0 for the ordinary scheduler.
  private func takePriority() -> Int {
    if !options.isPaced { return 0 }
    do throws(RealtimeRefusal) {
      return try AudioHost.takeRealtimePriority()
    } catch {
      connector.say("warning: \(error)")
      return 0
    }
  }

  private func warnings(_ report: SongReport, _ cycles: PlayReport) -> [String] {
    Warnings.of(report, options.song, plan.format) + Warnings.of(cycles)
  }
}
