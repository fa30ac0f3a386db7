import CLV2
import NodeDirectory
import NodeHost
import PluginBundle
import RenderCore
import Synchronization
import Threads

// The properties that the host shows and sets.
extension PluginWorker {
  /// Sets what the host has set, and reports what it does not know.
  func exchangeProperties() {
    if let new = signals.propertyFromHost.content {
      let text = String(decoding: new.bytes.prefix { $0 != 0 }, as: UTF8.self)
      signals.propertyFromHost.clear()
      set(new.key, to: text)
    }
    if signals.asksForProperties.exchange(1, for: 0) { shared.properties.reportAll() }
    shared.properties.report { key, subject, value in
      let type = subject == .port ? shared.types.string : shared.types.path
      return Array("\(value)\0".utf8).withUnsafeBytes {
        signals.propertyToHost.put(PropertyMailbox.Value(key: key, type: type, bytes: $0))
      }
    }
  }

  private func set(_ key: LV2_URID, to value: String) {
    switch shared.properties[key] {
    case .port: select(value)
    case .file(let identifier): chooseFile(identifier, value)
    case nil: break
    }
  }

  /// Plays another file. Without a unit, the next one receives it.
  func chooseFile(_ identifier: String, _ path: String) {
    let file = FileReference(path: path)
    guard let connection = current.withLock({ $0 }) else {
      shared.store.setFile(identifier, to: file)
      shared.properties.set(.file(identifier), to: path)
      return
    }
    do throws(ConnectionError) {
      try connection.setFile(identifier, to: file)
      storeSettings(of: connection)
    } catch {
      report(error.description)
      shared.properties.reportAll()
    }
  }

  /// Reports the files that the unit plays.
  func reportFiles(of connection: Connection) {
    if plugin.properties.allSatisfy({ $0.subject == .port }) { return }
    for file in (try? connection.files()) ?? [] {
      shared.properties.set(.file(file.identifier), to: file.file.path)
    }
  }
}
