import AudioFile
import BatchRenderer
import Glibc
import LivePlayer
import LocalSystem
import MIDIFile
import NodeDirectory
import NodeHost
import NodeProtocol
import OfflineRenderer
import SongHost

/// The verb `play`: a host that schedules a song into nodes.
struct PlayCommand {
  private let options: PlayOptions
  private let input: String
  private let work: RenderPlan.Work
  private let connector: NodeConnector

  /// - Parameter arguments: The arguments after `play`.
  static func run(_ arguments: [String]) throws -> ExitCode {
    let options = try PlayOptions(arguments: arguments)
    if options.display.wantsHelp { return try Command.write(Help.play) }
    try PlayCommand(options).play()
    return .done
  }

  private init(_ options: PlayOptions) throws(Failure) {
    self.options = options
    input = options.render.inputs[0]
    work = try RenderPlan(options.render).jobs[0].work.get()
    let speaks = options.speaks
    connector = NodeConnector(stallLimit: options.patienceLimit) {
      if speaks { Terminal.note($0) }
    }
  }

  private func play() throws(Failure) {
    let song = try SongFile.decode(input)
    let repairs = Warnings.of(song)
    if options.render.isStrict { try SongFile.refuse(repairs, input) }
    let chains = try options.connect(connector)
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
    let player = try LivePlayer(song, try options.liveSettings(), connector, chains)
    let title = song.title ?? input.split(separator: "/").last.map(String.init) ?? input
    let panel = options.speaks ? PlayPanel(title: title, length: player.seconds) : nil
    defer { panel?.leave() }
    let report = try player.run(panel ?? PlainObserver(speaks: options.speaks))
    return (report, PlayReport.all(of: player.mixer), player.warnings)
  }

  private func render(
    _ song: StandardMIDIFile, _ chains: [[Connection]]
  ) throws(Failure) -> (SongReport, [PlayReport], warnings: [String]) {
    let player = try FilePlayer(
      song, input: input, settings: options.song.settings, cycle: options.cycle ?? .frames(1024),
      hasMetronome: options.hasMetronome, connector, chains)
    let progress = Progress(.init(name: input), isShown: options.speaks)
    defer { progress.erase() }
    let report = try player.render(
      to: { () throws(RenderError) in
        try SongFile.open(
          work, title: song.title, measuresLoudness: options.render.measuresLoudness)
      },
      begin: { progress.begin(seconds: $0) },
      progress: { progress.advance(by: $0) },
      accept: { report throws(Failure) in
        if options.render.isStrict {
          try SongFile.refuse(warnings(report, PlayReport.all(of: player.mixer)), input)
        }
      })
    return (report, PlayReport.all(of: player.mixer), [])
  }

  private func warnings(_ report: SongReport, _ cycles: [PlayReport]) -> [String] {
    Warnings.of(report, options.song, work.format) + cycles.flatMap { Warnings.of($0) }
  }
}

/// Writes what a player reports to standard error.
private struct PlainObserver: LivePlayerObserver {
  let speaks: Bool
  let showsVoices = false

  func report(_ sentence: String) {
    if speaks { Terminal.note(sentence) }
  }

  func update(_ state: LivePlayerState) -> [LivePlayerRequest] { [] }
}
