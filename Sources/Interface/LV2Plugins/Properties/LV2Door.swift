import CLV2
import LV2Atoms
import LocalSystem
import PluginBundles
import PluginCore
import RenderCore

/// The LV2 host of an instance: its log, and the properties that it shows and sets by messages.
final class LV2Door: PluginDoor {
  let host: HostFeatures
  let types: AtomTypes
  let signals = PropertySignals()
  private let properties: PluginProperties

  init(_ plugin: PluginDescription, _ host: HostFeatures) {
    self.host = host
    types = AtomTypes(host.number)
    properties = PluginProperties(plugin, types, host.number)
  }

  deinit { signals.destroy() }

  /// The numbers of the properties that are files, by the files' identifiers.
  var fileKeys: [String: LV2_URID] { properties.fileKeys }

  func write(_ line: String, isError: Bool) { host.write(line, isError: isError) }

  func exchange(with worker: PluginWorker) {
    if let new = signals.fromHost.content {
      let text = String(decoding: new.bytes.prefix { $0 != 0 }, as: UTF8.self)
      signals.fromHost.clear()
      switch properties[new.key] {
      case .port: worker.select(text)
      case .file(let identifier): worker.chooseFile(identifier, text)
      case nil: break
      }
    }
    if signals.asksForAll.exchange(1, for: 0) { properties.reportAll() }
    properties.report(to: signals.toHost)
  }

  func report(_ subject: PluginProperty.Subject, _ value: String) {
    properties.set(subject, to: value)
  }

  func reportAll() { properties.reportAll() }

  /// The render thread writes the latency to its port in each cycle.
  func latencyChanged() {}

  /// The values of ports are the host's: a port counts again when the host changes it. The user interface, if there is one, makes
  /// the host do so.
  func settingsChanged(_ values: [(unit: Float, host: Float)?]) { properties.set(values) }
}
