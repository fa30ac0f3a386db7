import BatchRenderer
import Configuration
import FluidSynthEngine
import LivePlayer
import LocalSystem
import MIDIFile
import NodeHost
import NodeProtocol
import OfflineRenderer

/// Plays one song: through an instrument of this process, or through nodes.
struct SongPlayback {
  private let options: PlayOptions
  private let song: StandardMIDIFile?
  private let input: String
  private let work: RenderPlan.Work
  private var connector: NodeConnector
  private let soundFonts: PlayedSoundFonts
  private let preset: PresetSelection?

  /// - Parameters:
  ///   - options: With one song.
  ///   - song: What to play instead of the contents of the file that the options name.
  ///   - preset: What an instrument of this process plays on all channels; `nil`: what the song selects.
  init(
    _ options: PlayOptions, song: StandardMIDIFile? = nil, with soundFonts: PlayedSoundFonts,
    preset: PresetSelection? = nil
  ) throws {
    self.preset = preset
    self.soundFonts = soundFonts
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
    var ending: PlayPanel.Ending?

    var cycles: [PlayReport] { PlayReport.all(of: mixer) }
  }

  /// - Parameter label: Returns what the panel of a live song shows as its title.
  /// - Returns: What the user has chosen to follow; `nil` if the song has ended.
  @discardableResult
  mutating func run(label: (String) -> String = { $0 }) throws -> PlayPanel.Ending? {
    let song = try song ?? SongFile.decode(input)
    if options.render.isStrict { try SongFile.refuse(Warnings.of(song), input) }
    let range = try range(of: song)
    var soundFont: SoundFont?
    if options.hasOwnInstrument {
      let settings = options.song.settings
      let font = SongRenderer(
        soundFont: try soundFonts.font(options.song.soundFont), settings: settings
      ).font(for: song.embeddedSoundFont).font
      connector.instrument = try SongInstrument(font, settings, preset: preset)
      soundFont = font
    }
    defer { connector.instrument?.stop() }
    let chains = try options.connect(connector, songPorts: range.timeline.ports.count)
    for connection in chains.joined() where connector.instrument?.plays(connection) != true {
      connector.report(
        .connected(
          port: connection.port.name, node: connection.node.name,
          process: connection.node.processID))
    }
    let began = ContinuousClock.now
    let result =
      try options.isLive ? play(song, chains, soundFont, label) : render(song, range, chains)
    let cycles = result.cycles
    let warnings = self.warnings(result.report, cycles) + result.warnings
    if options.isLive, options.render.isStrict { try SongFile.refuse(warnings, input) }
    let entry = RenderReport.Song(
      input: input, output: work.outputName, result.report, warnings: warnings)
    if options.display.isJSON {
      let lines = cycles.map { JSONOutput.play.line(["cycles": $0]) }
      try Command.write(([JSONOutput.play.line(["song": entry])] + lines).joined())
    }
    guard options.display.showsMessages else { return result.ending }
    for warning in warnings { Terminal.note("\(input): warning: \(warning)") }
    if !options.isLive {
      let elapsed = (ContinuousClock.now - began) / .seconds(1)
      Terminal.note(RenderedSong(entry: entry, elapsed: elapsed).summary())
    }
    // Those of an instrument of this process concern nobody unless they are late, which is a warning.
    for one in cycles where connector.instrument == nil || options.chains != [PlayOptions.Chain()] {
      Terminal.note((cycles.count > 1 ? "\(one.port): " : "") + one.summary)
    }
    return result.ending
  }

  /// Returns what is played of the song with the options, before anything is connected.
  ///
  /// - Throws: ``Unplayable``.
  private func range(of song: StandardMIDIFile) throws -> FrameRange {
    do throws(RenderError) {
      return try FrameRange(song, options.song.settings)
    } catch {
      throw Unplayable(failure: Failure(error, input: input))
    }
  }

  /// A song that cannot be played, while others may.
  struct Unplayable: FailureConvertible {
    let failure: Failure
  }

  /// - Parameter soundFont: That of the instrument; `nil` if only nodes play.
  private func play(
    _ song: StandardMIDIFile, _ chains: [[Connection]], _ soundFont: SoundFont?,
    _ label: (String) -> String
  ) throws -> Result {
    var settings = try options.playerSettings
    if options.followsLink { settings.link = try LinkSession(leads: options.leadsLink) }
    let player = try LivePlayer(song, settings, connector, chains)
    let title = song.title ?? input.split(separator: "/").last.map(String.init) ?? input
    let showsMessages = options.display.showsMessages
    let panel = showsMessages ? PlayPanel(title: label(title)) : nil
    let writer = soundFont.map { SongWriter(options.render, song, $0) }
    try panel?.setSong(
      player.unchangedSong(), options.song.bankStyle, presets: soundFont?.presets() ?? [],
      writer: writer)
    defer { panel?.leave() }
    let report: SongReport
    do {
      report = try player.run(panel ?? PlainObserver(showsMessages: showsMessages))
    } catch {
      panel?.leave()
      if Interruption.signal == nil, showsMessages {
        let cycles = PlayReport.all(of: player.mixer).flatMap { Warnings.of($0) }
        for warning in player.warnings + cycles { Terminal.note("\(input): warning: \(warning)") }
      }
      throw error
    }
    panel?.leave()
    writer?.finish()
    writer?.takeSentences().forEach(Terminal.note)
    return Result(
      report: report, mixer: player.mixer, warnings: player.warnings, ending: panel?.ending)
  }

  private func render(
    _ song: StandardMIDIFile, _ range: FrameRange, _ chains: [[Connection]]
  ) throws -> Result {
    let player = try FilePlayer(
      song, range, input: input, settings: options.song.settings,
      cycle: options.cycle ?? .frames(1024),
      hasMetronome: options.hasMetronome, connector, chains,
      parts: options.chains.compactMap(\.take?.part))
    for (chain, played) in zip(options.chains, player.mixer.chains) where !chain.settings.isEmpty {
      try SettingsChange(chain.settings, of: played[0]).apply(to: played[0])
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
