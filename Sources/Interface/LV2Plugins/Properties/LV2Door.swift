import CLV2
import LocalSystem
import PluginBundles
import PluginCore
import RenderCore
import Synchronization

/// The LV2 host of an instance: its log, and the properties that it shows and sets by messages.
final class LV2Door: PluginDoor {
  let host: HostFeatures
  let types: AtomTypes
  let signals = PropertySignals()
  private let properties: PluginProperties
  private let parameterKeys: [LV2_URID]
  private let parameters = Mutex(Parameters())

  private struct Parameters {
    /// The last values that the unit has had after other programs had changed it.
    var values: [LV2_URID: Float] = [:]
    /// Those that the user interface does not know yet.
    var changed: Set<LV2_URID> = []
  }

  init(_ plugin: PluginDescription, _ host: HostFeatures) {
    self.host = host
    types = AtomTypes(host.number)
    properties = PluginProperties(plugin, host.number)
    parameterKeys = plugin.parameterURIs.map { host.number(of: $0) }
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
    parameters.withLock { parameters in
      guard let key = parameters.changed.first, let value = parameters.values[key] else { return }
      let isPassed = withUnsafeBytes(of: value) {
        signals.toHost.put(PropertyMailbox.Value(key: key, type: types.float, bytes: $0))
      }
      if isPassed { parameters.changed.remove(key) }
    }
    properties.report { key, subject, value in
      let type = subject == .port ? types.string : types.path
      return Array("\(value)\0".utf8).withUnsafeBytes {
        signals.toHost.put(PropertyMailbox.Value(key: key, type: type, bytes: $0))
      }
    }
  }

  func report(_ subject: PluginProperty.Subject, _ value: String) {
    properties.set(subject, to: value)
  }

  func reportAll() { properties.reportAll() }

  /// The render thread writes the latency to its port in each cycle.
  func latencyChanged() {}

  /// The values of ports are the host's: a port counts again when the host changes it. The user interface, if there is one, makes
  /// the host do so.
  func settingsChanged(_ values: [Float?]) {
    parameters.withLock { parameters in
      for (key, value) in zip(parameterKeys, values) {
        guard let value, parameters.values.updateValue(value, forKey: key) != value else {
          continue
        }
        parameters.changed.insert(key)
      }
    }
  }
}
