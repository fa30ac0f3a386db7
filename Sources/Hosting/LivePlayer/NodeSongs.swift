package import BatchRenderer
import ContentHash
package import FluidSynthEngine
package import LocalSystem
package import MIDIFile
import LV2Host
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
  private static let hashes = Mutex<[String: String]>([:])

  package init() {}

  package func identities(of options: SongOptions) -> [String: String] {
    var identities: [String: String] = [:]
    for name in [options.instrument].compactMap(\.self) + options.effects {
      // A plugin that cannot be played is an error of each song.
      guard let plugin = try? PluginSelection(prefixed: name)?.plugin else { continue }
      identities[plugin.uri] = Self.hash(plugin.binary)
    }
    return identities
  }

  private static func hash(_ path: String) -> String? {
    hashes.withLock { hashes in
      if let hash = hashes[path] { return hash }
      let hash = ContentHash.ofFile(path)
      hashes[path] = hash
      return hash
    }
  }

  package func render(
    _ song: StandardMIDIFile, input: String, _ options: SongOptions, _ soundFont: SoundFont,
    to open: () throws(RenderError) -> RenderedFile, begin: (Double) -> Void,
    progress: (Double) -> Void, accept: (SongReport) throws -> Void
  ) throws(Failure) -> SongReport {
    var connector = NodeConnector(host: AudioHost(name: "portative render")) { _ in }
    defer { connector.instrument?.stop() }
    let player: FilePlayer
    do {
      let ports = try song.ports().count
      if options.instrument == nil {
        let settings = options.settings
        let font = SongRenderer(soundFont: soundFont, settings: settings)
          .font(for: song.embeddedSoundFont).font
        connector.instrument = try SongInstrument(font, settings)
      }
      let chains = try (0..<ports).map { _ in
        let instrument =
          try options.instrument.map { try connector.connect(toPort: $0, .instrument) }
          ?? connector.connectToOwnInstrument()
        return try [instrument]
          + options.effects.map { try connector.connect(toPort: $0, .effect) }
      }
      player = try FilePlayer(
        song, input: input, settings: options.settings, cycle: .frames(1024), hasMetronome: false,
        connector, chains)
    } catch let error as TimelineError {
      throw Failure(RenderError.timeline(error), input: input)
    } catch {
      throw Failure(error)
    }
    return try player.render(to: open, begin: begin, progress: progress, accept: accept)
  }
}
