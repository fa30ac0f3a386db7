import NodeDirectory
import NodeHost
import PluginBundle
import Synchronization

// The port of a plugin, which its user may select.
extension PluginWorker {
  /// The selected component; `nil` for none.
  var selection: ComponentDescription? { component.withLock { $0 } }

  /// Selects the port of a plugin without one of its own.
  func select(_ text: String) {
    guard plugin.port == nil else { return }
    guard let selected = ComponentDescription(text: text), selected.type == plugin.type else {
      shared.host.write(
        "'\(text)' is not a port of type \(plugin.type): write its type, subtype and manufacturer as "
          + "portative list shows them")
      return
    }
    shared.properties.set(.port, to: selected.description)
    if component.withLock({ component in
      defer { component = selected }
      return component == selected
    }) {
      return
    }
    current.withLock { $0 }?.close()
    signals.wakeWorker()
  }

  /// Acquires the port, and starts its node if necessary.
  ///
  /// - Returns: `nil` if no port is selected.
  func connect() throws(ConnectionError) -> Connection? {
    guard let wanted = selection else {
      report("no port is selected: set the property Port", isError: false)
      return nil
    }
    let registry = ComponentRegistry(environment)
    guard let found = registry.components(matching: ComponentQuery(wanted)).first else {
      throw .system(
        "no node offers the port '\(wanted)': install or start its node; the plugin is silent until then, and its "
          + "state is kept")
    }
    return try host.connect(to: found)
  }
}
