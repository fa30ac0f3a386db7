import NodeProtocol
package import PluginBundles
package import RenderCore

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

  /// The longest cycle of a connection. A longer one of the host is rendered in several.
  package static let longestCycle = 8192

  /// Returns the format of the cycles; `nil` if it is not supported, which the host's log says.
  ///
  /// - Parameters:
  ///   - rate: The rate in Hz.
  ///   - maximumFrames: The longest cycle of the host.
  package func format(rate: Double, maximumFrames: Int) -> Format? {
    let format = Format(
      sampleRate: Int(exactly: rate.rounded()) ?? 0, inputChannels: plugin.inputChannels,
      outputChannels: plugin.outputChannels,
      maximumFrames: max(1, min(maximumFrames, Self.longestCycle)))
    do throws(FormatError) {
      try format.validate()
      return format
    } catch {
      door.write("\(plugin.port?.name ?? plugin.uri): \(error)", isError: true)
      return nil
    }
  }

  deinit {
    signals.destroy()
    slot.destroy()
  }
}
