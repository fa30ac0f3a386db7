package import BatchRenderer
package import FluidSynthEngine
package import LocalSystem
package import MIDIFile
import NodeHost
import NodeProtocol
package import OfflineRenderer

/// Renders songs of `portative render` with LV2 plugins and ports of nodes.
///
/// Each port of a song has instruments and effects of its own, which are connected for this song: a plugin that crashes or hangs
/// costs one song.
package struct NodeSongs: NodeRendering {
  package init() {}

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
