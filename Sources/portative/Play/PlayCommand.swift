import AudioFile
import FluidSynthInstrument
import FoundationEssentials
import Glibc
import MIDIFile
import NodeHost
import OfflineRenderer
import RenderCore

/// The verb `play`: a host, which schedules a song into a node.
enum PlayCommand {
  /// - Parameter arguments: Those after `play`.
  static func run(_ arguments: [String]) -> ExitCode {
    let isJSON = arguments.contains("--json")
    do throws(Failure) {
      let options = try PlayOptions(arguments: arguments)
      if options.song.wantsHelp { return Command.say(Help.play) }
      try play(options)
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

  private static func play(_ options: PlayOptions) throws(Failure) {
    let input = options.song.inputs[0]
    let plan = try RenderPlan(options.song)
    let song = try SongFile.decode(input)
    let repairs = Warnings.of(song)
    if options.song.isStrict { try SongFile.refuse(repairs, input) }
    let connection = try NodeFinder.connect(named: options.node)
    let began = ContinuousClock.now
    let (report, cycles) = try render(song, plan, connection, options)
    let warnings = repairs + Warnings.of(report, options.song, plan.format)
    let entry = RenderReport.Song(
      input: input, output: plan.jobs[0].outputName, report, warnings: warnings)
    if options.song.isJSON {
      Terminal.write(RenderReport.line(entry), to: STDOUT_FILENO)
      Terminal.write(RenderReport.line(cycles), to: STDOUT_FILENO)
    } else if !options.song.isQuiet {
      for warning in warnings { Terminal.note("\(input): warning: \(warning)") }
      if options.audio == nil {
        let elapsed = (ContinuousClock.now - began) / .seconds(1)
        Terminal.note(RenderedSong(entry: entry, elapsed: elapsed).summary)
      }
      Terminal.note(cycles.summary)
    }
  }

  private static func render(
    _ song: StandardMIDIFile, _ plan: RenderPlan, _ connection: Connection, _ options: PlayOptions
  ) throws(Failure) -> (SongReport, PlayReport) {
    let input = options.song.inputs[0]
    let lengths = CycleLengths(options.cycle)
    let format = Format(sampleRate: options.song.sampleRate, maximumFrames: lengths.maximum)
    let isPaced = options.audio != nil
    do throws(ConnectionError) {
      try connection.initialize(format, mode: isPaced ? .realtime : .offline)
    } catch {
      throw Failure(.failed, error.description)
    }
    let player = NodePlayer(
      connection, format, lengths: lengths,
      pace: isPaced ? Pace(sampleRate: format.sampleRate) : nil)
    let progress = Progress(
      name: input, songs: 1, isShown: !options.song.isQuiet && !options.song.isJSON)
    var share: Progress.Share?
    defer {
      if let share { progress.end(share) }
      progress.erase()
    }
    let isStrict = options.song.isStrict
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
          return !isStrict || Warnings.of(report, options.song, plan.format).isEmpty
        })
      return (report, PlayReport(connection))
    } catch {
      if case .refused(let report) = error {
        try SongFile.refuse(Warnings.of(report, options.song, plan.format), input)
      }
      throw Failure(error, input: input)
    }
  }
}
