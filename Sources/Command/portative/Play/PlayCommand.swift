import AudioFile
import BatchRenderer
import Effects
import FluidSynthEngine
import Glibc
import LocalSystem
import MIDIFile
import NodeDirectory
import NodeHost
import NodeProtocol
import OfflineRenderer
import RenderCore
import SongHost

/// The verb `play`: a host that schedules a song into nodes.
struct PlayCommand {
  private let options: PlayOptions
  private let work: RenderPlan.Work
  private let connector: NodeConnector

  /// - Parameter arguments: The arguments after `play`.
  static func run(_ arguments: [String]) -> ExitCode {
    let isJSON = arguments.contains("--json")
    do throws(Failure) {
      let options = try PlayOptions(arguments: arguments)
      if options.display.wantsHelp { return Command.say(Help.play) }
      try PlayCommand(options).play()
      return .done
    } catch {
      return Command.end(error, json: isJSON ? .play : nil)
    }
  }

  private init(_ options: PlayOptions) throws(Failure) {
    self.options = options
    work = try RenderPlan(options.render).jobs[0].work.get()
    let speaks = options.speaks
    connector = NodeConnector(stallLimit: options.patienceLimit) {
      if speaks { Terminal.note($0) }
    }
  }

  private func play() throws(Failure) {
    let input = options.render.inputs[0]
    let song = try SongFile.decode(input)
    let repairs = Warnings.of(song)
    if options.render.isStrict { try SongFile.refuse(repairs, input) }
    let chains = try connector.connect(options.chains)
    for connection in chains.joined() {
      connector.say(
        "\(connection.port.name): node '\(connection.node.name)', process "
          + "\(connection.node.processID)")
    }
    let began = ContinuousClock.now
    let (report, cycles, heard) =
      try options.isLive ? hear(song, chains) : render(song, chains)
    let warnings = repairs + self.warnings(report, cycles) + heard
    if options.isLive, options.render.isStrict { try SongFile.refuse(warnings, input) }
    let entry = RenderReport.Song(
      input: input, output: work.outputName, report, warnings: warnings)
    if options.display.isJSON {
      let lines = cycles.map { JSONOutput.play.line(["cycles": $0]) }
      let text = JSONOutput.play.line(["song": entry]) + lines.joined()
      if !Terminal.write(text, to: STDOUT_FILENO) { throw .standardOutput(errno) }
    }
    guard options.speaks else { return }
    for warning in warnings { Terminal.note("\(input): warning: \(warning)") }
    if !options.isLive {
      let elapsed = (ContinuousClock.now - began) / .seconds(1)
      Terminal.note(RenderedSong(entry: entry, elapsed: elapsed).summary())
    }
    for one in cycles {
      Terminal.note((cycles.count > 1 ? "\(one.port): " : "") + one.summary)
    }
  }

  private func hear(
    _ song: StandardMIDIFile, _ chains: [[Connection]]
  ) throws(Failure) -> (SongReport, [PlayReport], warnings: [String]) {
    let play = try LivePlay(song, options, connector, chains)
    let (report, cycles) = try play.run()
    return (report, cycles, play.warnings)
  }

  private func render(
    _ song: StandardMIDIFile, _ chains: [[Connection]]
  ) throws(Failure) -> (SongReport, [PlayReport], warnings: [String]) {
    let lengths = CycleLengths(options.cycle ?? .frames(1024))
    let input = options.render.inputs[0]
    let format = Format(sampleRate: options.song.sampleRate, maximumFrames: lengths.maximum)
    try connector.initialize(chains, format, mode: .offline, priority: 0)
    let mixer = try self.mixer(chains, format)
    let player = NodePlayer(mixer, format, lengths: lengths, try range(of: song))
    let progress = Progress(.init(name: input), isShown: options.speaks)
    defer { progress.erase() }
    func cycles() -> [PlayReport] { PlayReport.all(of: mixer) }
    do throws(RenderError) {
      let report = try closingWhenInterrupted(mixer.connections) { () throws(RenderError) in
        try SongRenderer.render(
          song,
          to: try SongFile.open(
            work, title: song.title, measuresLoudness: options.render.measuresLoudness), by: player,
          settings: options.song.settings,
          begin: { progress.begin(seconds: $0) },
          progress: { progress.advance(by: $0) },
          isCancelled: { Interruption.signal != nil },
          accept: { report in
            report.statistics.notes = player.notes
            // Read now, because the figures end with the connection.
            if let figures = connector.noteFigures(of: chains[0][0]) {
              report.statistics.take(figures)
            }
            return !options.render.isStrict || warnings(report, cycles()).isEmpty
          })
      }
      return (report, cycles(), [])
    } catch {
      if case .refused(let report) = error {
        try SongFile.refuse(warnings(report, cycles()), input)
      }
      // A signal closed the connections, which caused this error.
      if let signal = Interruption.signal { throw .interrupted(by: signal) }
      throw Failure(error, input: input)
    }
  }

  private func mixer(_ chains: [[Connection]], _ format: Format) throws(Failure) -> NodeMixer {
    var metronome: (any RenderUnit)?
    if options.hasMetronome {
      do {
        metronome = try MetronomeSource().makeUnit(format)
      } catch {
        throw Failure(.failed, "the metronome: \(error)")
      }
    }
    return NodeMixer(chains, metronome: metronome, maximumFrames: format.maximumFrames)
  }

  private func range(of song: StandardMIDIFile) throws(Failure) -> FrameRange {
    do throws(RenderError) {
      return try FrameRange(song, options.song.settings)
    } catch {
      throw Failure(error, input: options.render.inputs[0])
    }
  }

  private func warnings(_ report: SongReport, _ cycles: [PlayReport]) -> [String] {
    Warnings.of(report, options.song, work.format) + cycles.flatMap { Warnings.of($0) }
  }
}
