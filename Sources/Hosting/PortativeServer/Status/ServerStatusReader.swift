import LiveAudio
import NodeProtocol
import NodeServer
import RenderCore

/// Reads the status of a server again and again.
///
/// No render thread is woken or waits. The names of presets may be a second old.
///
/// Threads: one at a time.
package final class ServerStatusReader {
  private let server: PortativeServer
  private var presets: [ObjectIdentifier: String?] = [:]
  private var presetTime = ContinuousClock.now - .seconds(2)

  private let number: Int

  package init(_ server: PortativeServer) {
    self.server = server
    number = server.peaks.addReader()
  }

  deinit { server.peaks.removeReader(number) }

  /// Reads the status, with the peaks since the last call.
  package func read() -> ServerStatus {
    let ports = server.publishedPorts
    // A SoundFont has hundreds of presets to search.
    if ContinuousClock.now - presetTime >= .seconds(1) {
      presets = Dictionary(ports.map { (ObjectIdentifier($0), Self.preset(of: $0)) }) { $1 }
      presetTime = .now
    }
    var status = server.statusWithoutPorts
    status.ports = ports.map { port in
      let report = port.report
      var result = ServerStatus.Port(name: report.port.name)
      result.preset = presets[ObjectIdentifier(port)] ?? nil
      let figures = report.rendering?.unit ?? []
      result.voices = figures.first { $0.name == "voices" }?.value
      result.mostVoices = figures.first { $0.name == "most voices" }?.value
      result.lateCycles = report.rendering?.lateCycles
      result.peaks = server.takePeaks(of: port, by: number)
      result.host = report.host?.name
      result.hostCount = report.hostCount ?? (report.host == nil ? 0 : 1)
      result.players = report.players
      return result
    }
    return status
  }

  private static func preset(of port: PublishedPort) -> String? {
    guard let unit = port.unit, let store = unit.parameters,
      let bank = store.tree.index(of: "preset.bank"),
      let program = store.tree.index(of: "preset.program")
    else { return nil }
    let number = PresetNumber(bank: Int(store.value(bank)), program: Int(store.value(program)))
    return unit.presets.first { $0.number == number }?.name ?? "\(number)"
  }
}
