package import BatchRenderer
import ContentHash
package import FluidSynthEngine
package import LocalSystem
package import MIDIFile
import LV2Host
import NodeChecks
import NodeHost
import NodeProtocol
package import OfflineRenderer
import PluginNodes
import Synchronization

/// Renders songs of `portative render` with LV2 plugins and ports of nodes.
///
/// Each port of a song has instruments and effects of its own, which are connected for this song: a plugin that crashes or hangs
/// costs one song.
package struct NodeSongs: NodeRendering {
  /// The hashes of libraries, by their paths.
  private static let hashes = Memo<String?>()

  package init() {}

  package func identities(of options: SongOptions) -> [String: String] {
    var identities: [String: String] = [:]
    for name in options.portNames {
      // A plugin that cannot be played is an error of each song.
      guard let source = try? PluginSelection(prefixed: name)?.source else { continue }
      identities[source.plugin.uri] = Self.hash(source.plugin.binary)
      for file in source.files { identities[file] = Self.hash(file) }
    }
    return identities
  }

  private static func hash(_ path: String) -> String? {
    hashes.value(for: path) { ContentHash.ofFile(path) }
  }

  package func title(ofPort name: String) -> String {
    guard let selection = try? PluginSelection(prefixed: name) else { return name }
    return selection.plugin.name + (selection.preset.map { ", \($0)" } ?? "")
  }

  package func render(
    _ song: StandardMIDIFile, input: String, _ options: SongOptions,
    _ soundFonts: [String?: SoundFont], stems: (StemSettings, PlayedSounds)?, labels: LabelFile?,
    to open: () throws(RenderError) -> RenderedFile, begin: (Double) -> Void,
    progress: (Double) -> Void, accept: (SongReport) throws -> Void
  ) throws(Failure) -> SongReport {
    var instruments = SongInstruments(song, options, soundFonts)
    defer { instruments.stop() }
    let player: FilePlayer
    do {
      let range = try FrameRange(song, options.settings)
      let plan = try stems.map { stems in
        SongRenderer.PlayedStems(
          try StemPlan(range.timeline, end: range.end, by: stems.0.grouping), stems.0, stems.1)
      }
      let division = ChannelDivision(range.timeline, options, plan?.plan, stems?.0.grouping)
      let delays = division.chains.map {
        options.alignsPlugins ? instruments.delay(of: $0.instrument) : 0
      }
      let chains = try division.chains.map { chain in
        try [instruments.connect(chain.instrument)]
          + options.effects.map { try instruments.connector.connect(toPort: $0, .effect) }
      }
      // A cycle wakes the process of each plugin. Plugins render long cycles in parts; other nodes may do some things once for each.
      let cycle = options.usesNoForeignNode ? CycleLengths.longest : 1024
      player = try FilePlayer(
        song, range, input: input, settings: options.settings, cycle: .frames(cycle),
        hasMetronome: false,
        instruments.connector, chains, parts: division.chains.map(\.part), delays: delays,
        stems: plan, labels: labels)
    } catch let error as RenderError {
      throw Failure(error, input: input)
    } catch {
      throw Failure(error)
    }
    return try player.render(to: open, begin: begin, progress: progress, accept: accept)
  }
}

/// Values that are computed once for each key.
private final class Memo<Value: Sendable>: Sendable {
  private let values = Mutex<[String: Value]>([:])

  /// Returns the value, which other threads wait for while it is computed.
  func value(for key: String, _ compute: () -> Value) -> Value {
    values.withLock { values in
      if let value = values[key] { return value }
      let value = compute()
      values[key] = value
      return value
    }
  }
}

/// The instruments that play one song.
private struct SongInstruments {
  /// The delays of plugins, by rate and name.
  private static let delays = Memo<Int>()
  private let song: StandardMIDIFile
  private let options: SongOptions
  private let soundFonts: [String?: SoundFont]
  private(set) var connector = NodeConnector(host: AudioHost(name: "portative render")) { _ in }
  /// Those of this process, by the names of their SoundFonts.
  private var own: [String?: SongInstrument] = [:]

  init(_ song: StandardMIDIFile, _ options: SongOptions, _ soundFonts: [String?: SoundFont]) {
    (self.song, self.options, self.soundFonts) = (song, options, soundFonts)
  }

  /// Measures by how many frames the notes of a plugin sound late, in a process of its own; 0 if that is not constant, or it is no
  /// plugin.
  func delay(of choice: InstrumentChoice) -> Int {
    guard case .port(let name) = choice, let selection = try? PluginSelection(prefixed: name) else {
      return 0
    }
    let rate = options.settings.sampleRate
    return Self.delays.value(for: "\(rate) \(name)") {
      let subject = PluginSubject(
        selection, from: AudioHost(name: "portative render"), showsLog: false)
      return NodeCheck(subject, isBrief: true).constantDelay(rate: rate)
    }
  }

  mutating func connect(_ choice: InstrumentChoice) throws -> Connection {
    switch choice {
    case .port(let name): return try connector.connect(toPort: name, .instrument)
    case .soundFont(let name):
      let instrument = try own[name] ?? make(name)
      own[name] = instrument
      connector.instrument = instrument
      return try connector.connectToOwnInstrument()
    }
  }

  /// - Parameter name: `nil` for the SoundFont of the options, or that in the song's file.
  private func make(_ name: String?) throws -> SongInstrument {
    let settings = options.settings
    guard let font = soundFonts[name ?? options.soundFont] else {
      preconditionFailure("the SoundFont has not been loaded")
    }
    if name != nil { return try SongInstrument(font, settings) }
    let played = SongRenderer(soundFont: font, settings: settings).font(for: song.embeddedSoundFont)
    return try SongInstrument(played.font, settings)
  }

  func stop() { for instrument in own.values { instrument.stop() } }
}
