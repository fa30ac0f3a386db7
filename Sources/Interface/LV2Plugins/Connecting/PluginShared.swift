import PluginBundle
import RenderCore

/// What an instance and its worker share. It is released with the last of both.
final class PluginShared: Sendable {
  let plugin: PluginDescription
  let signals: PluginSignals
  let slot = ConnectionSlot()
  let store = StateStore()
  let host: HostFeatures
  let types: AtomTypes
  let properties: PluginProperties

  init(_ plugin: PluginDescription, _ host: HostFeatures) {
    self.plugin = plugin
    self.host = host
    types = AtomTypes(host.number)
    properties = PluginProperties(plugin, host.number)
    signals = PluginSignals(defaults: plugin.parameters.parameters.map(\.defaultValue))
  }

  deinit {
    signals.destroy()
    slot.destroy()
  }
}
