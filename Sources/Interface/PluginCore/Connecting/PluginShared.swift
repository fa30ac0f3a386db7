package import PluginBundles
import RenderCore

/// The data that an instance and its worker share. It is released with the last of both.
package final class PluginShared: Sendable {
  package let plugin: PluginDescription
  package let door: any PluginDoor
  package let signals: PluginSignals
  package let slot = ConnectionSlot()
  package let store: StateStore

  /// - Parameters:
  ///   - door: The side of the host.
  ///   - store: The state for the first unit.
  package init(
    _ plugin: PluginDescription, _ door: any PluginDoor, _ store: StateStore = StateStore()
  ) {
    self.plugin = plugin
    self.door = door
    self.store = store
    signals = PluginSignals(defaults: plugin.parameters.parameters.map(\.defaultValue))
  }

  deinit {
    signals.destroy()
    slot.destroy()
  }
}
