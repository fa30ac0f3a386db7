package import FluidSynthEngine
import LocalSystem
package import NodeHost
import NodeProtocol
import NodeServer
package import OfflineRenderer
package import RenderCore

/// The instrument of a song that needs no node: a port of this process, which no other process can find.
///
/// The song plays through it as through the port of a node, so that both have the same bits.
///
/// Threads: any. The caller must call ``stop()``.
package final class SongInstrument: Sendable {
  private let server: NodeServer
  private let port: PublishedPort
  package static let name = "Portative: Song"

  /// - Parameters:
  ///   - soundFont: It is loaded now.
  ///   - settings: Their rate is ignored; it is that of the device.
  ///   - preset: What it plays on all channels; `nil`: what the song selects.
  /// - Throws: `InstrumentError`, `SystemError`.
  package convenience init(
    _ soundFont: SoundFont, _ settings: RenderSettings, preset: PresetSelection? = nil
  ) throws {
    try soundFont.check(preset)
    var settings = InstrumentSettings(settings)
    // Ports of servers have the same.
    settings.ownsPresets = false
    settings.preset = preset
    try self.init(InstrumentSource(soundFont: soundFont, settings: settings), .instrument)
  }

  /// - Parameter source: What plays the song by its transport, without its notes.
  package convenience init(playing source: any RenderUnitSource) throws {
    try self.init(source, .generator)
  }

  private init(_ source: any RenderUnitSource, _ type: PortType) throws {
    server = try NodeServer(onlyForThisProcessAs: "portative play")
    let component = try ComponentDescription(
      type: type, subtype: FourCharacterCode("song"),
      manufacturer: FourCharacterCode("Ptvo"))
    port = try server.publish(
      PortDescription(
        component: component, name: Self.name, version: SemanticVersion(portativeVersion)), source,
      maximumHosts: .max)
  }

  /// Acquires an instrument.
  func connect(_ host: AudioHost) throws -> Connection {
    try host.connect(
      to: port.description.component, ofNode: server.peer.name, over: server.connect())
  }

  /// Whether a connection is to one of its instruments.
  package func plays(_ connection: Connection) -> Bool {
    connection.node.processID == server.peer.processID
      && connection.port.component == port.description.component
  }

  /// What the instruments report about their notes.
  var noteFigures: NoteFigures? {
    server.report.ports.first?.rendering.flatMap { NoteFigures($0.unit) }
  }

  /// Ends all connections.
  package func stop() { server.stop() }
}
