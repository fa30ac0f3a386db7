import BatchRenderer
import Configuration
import JACKAudio
import LivePlayer
import LocalSystem
import MIDIFile
import NodeHost
import NodeProtocol
import OfflineRenderer

/// The verb `play`: a host that schedules a song into nodes.
struct PlayCommand {
  private let options: PlayOptions
  private let song: StandardMIDIFile?
  private let input: String
  private let work: RenderPlan.Work
  private let connector: NodeConnector

  /// - Parameter arguments: The arguments after `play`.
  static func run(_ arguments: [String]) throws -> ExitCode {
    let options = try PlayOptions(arguments: arguments)
    if options.display.wantsHelp { return try Command.write(Help.play) }
    PipeWireProperties.allowConcurrentCallbacks()
    try PlayCommand(options).run()
    return .done
  }

  /// - Parameter song: What to play instead of the contents of the file that the options name.
  init(_ options: PlayOptions, song: StandardMIDIFile? = nil) throws {
    self.options = options
    self.song = song
    input = options.render.inputs[0]
    work = try RenderPlan(options.render).jobs[0].work.get()
    let report = PlainObserver(showsMessages: options.display.showsMessages).report
    connector = NodeConnector(stallLimit: options.absenceLimit, report: report)
  }

  /// The result of playing.
  private struct Result {
    var report: SongReport
    var mixer: NodeMixer
    var warnings: [String] = []

    var cycles: [PlayReport] { PlayReport.all(of: mixer) }
  }

  func run() throws {
    let song = try song ?? SongFile.decode(input)
    if options.render.isStrict { try SongFile.refuse(Warnings.of(song), input) }
    let chains = try options.connect(connector, songPorts: portCount(of: song))
    for connection in chains.joined() {
      connector.report(
        .connected(
          port: connection.port.name, node: connection.node.name,
          process: connection.node.processID))
    }
    let began = ContinuousClock.now
    let result = try options.isLive ? play(song, chains) : render(song, chains)
    let cycles = result.cycles
    let warnings = self.warnings(result.report, cycles) + result.warnings
    if options.isLive, options.render.isStrict { try SongFile.refuse(warnings, input) }
    let entry = RenderReport.Song(
      input: input, output: work.outputName, result.report, warnings: warnings)
    if options.display.isJSON {
      let lines = cycles.map { JSONOutput.play.line(["cycles": $0]) }
      try Command.write(([JSONOutput.play.line(["song": entry])] + lines).joined())
    }
    guard options.display.showsMessages else { return }
    for warning in warnings { Terminal.note("\(input): warning: \(warning)") }
    if !options.isLive {
      let elapsed = (ContinuousClock.now - began) / .seconds(1)
      Terminal.note(RenderedSong(entry: entry, elapsed: elapsed).summary())
    }
    for one in cycles {
      Terminal.note((cycles.count > 1 ? "\(one.port): " : "") + one.summary)
    }
  }

  private func portCount(of song: StandardMIDIFile) throws -> Int {
    do throws(TimelineError) {
      return try song.ports().count
    } catch {
      throw Failure(RenderError.timeline(error), input: input)
    }
  }

  private func play(_ song: StandardMIDIFile, _ chains: [[Connection]]) throws -> Result {
    var settings = try options.playerSettings
    if options.followsLink { settings.link = try LinkSession(leads: options.leadsLink) }
    let player = try LivePlayer(song, settings, connector, chains)
    let title = song.title ?? input.split(separator: "/").last.map(String.init) ?? input
    let showsMessages = options.display.showsMessages
    let panel = showsMessages ? PlayPanel(title: title, length: player.seconds) : nil
    defer { panel?.leave() }
    let report = try player.run(panel ?? PlainObserver(showsMessages: showsMessages))
    return Result(report: report, mixer: player.mixer, warnings: player.warnings)
  }

  private func render(_ song: StandardMIDIFile, _ chains: [[Connection]]) throws -> Result {
    let player = try FilePlayer(
      song, input: input, settings: options.song.settings, cycle: options.cycle ?? .frames(1024),
      hasMetronome: options.hasMetronome, connector, chains,
      parts: options.chains.compactMap(\.take?.part))
    for (chain, played) in zip(options.chains, player.mixer.chains) where !chain.settings.isEmpty {
      try SetCommand.apply(chain.settings, to: played[0])
    }
    let progress = Progress(.init(name: input), isShown: options.display.showsMessages)
    defer { progress.erase() }
    let report = try player.render(
      to: { () throws(RenderError) in
        try SongFile.open(
          work, title: song.title, measuresLoudness: options.render.measuresLoudness)
      },
      begin: { progress.begin(seconds: $0) },
      progress: { progress.advance(by: $0) },
      accept: { report in
        if options.render.isStrict {
          try SongFile.refuse(warnings(report, PlayReport.all(of: player.mixer)), input)
        }
      })
    return Result(report: report, mixer: player.mixer)
  }

  private func warnings(_ report: SongReport, _ cycles: [PlayReport]) -> [String] {
    Warnings.of(report, options.song, work.format) + cycles.flatMap { Warnings.of($0) }
  }
}

/// Writes what a player reports to standard error.
private struct PlainObserver: LivePlayerObserver {
  let showsMessages: Bool
  let showsVoices = false

  func report(_ event: PlayerEvent) {
    if showsMessages { Terminal.note(event.description) }
  }

  func update(_ state: LivePlayerState) -> [LivePlayerRequest] { [] }
}

extension Help {
  static let play = HelpText(
    usage: [
      "portative play [OPTIONS] SONG.mid"
    ],
    description: """
      Plays a song through ports of nodes, each event on its exact frame, and writes
      the result to a file or plays it on a sound device. Nodes that are not running
      are started. - is standard input.
      """,
    options: PlayOptions.table.entries,
    remarks: """
      If two nodes have ports with the same name, add the node: organ/Flutes. Effects
      that accept MIDI receive that of the song. On a terminal, keys control the
      transport; ? lists them. Nodes can control it with portative remote. With
      --audio, late cycles are counted, and reported at the end.

      If a node or the sound device disappears during playback, the song continues
      without it, and uses it again when it is back. A node with a manifest is started
      again. After --timeout, playback ends. A recording keeps the song's time, with
      silence where a node was missing. If the device comes back with another rate,
      the recording ends and another one begins.
      """,
    examples: """
      portative serve &
      portative play -o song.wav --effect delay song.mid
      portative play --audio default --metronome --loop-bars 5-8 song.mid
      portative play --node "General MIDI" --audio none --cycle 64 song.mid
      """)
}
