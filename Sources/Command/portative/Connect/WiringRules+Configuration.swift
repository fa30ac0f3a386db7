import ALSAMIDI
import Configuration

extension WiringRules {
  /// - Parameter ports: Those that are published, the first for keyboards that nothing else is said of.
  init(_ settings: MIDISettings, ports: [PortSettings]) {
    self.init(
      ports: ports.map { Port(name: $0.name, keyboards: $0.keyboards ?? []) },
      connectsHardware: settings.connect != .nothing, ignored: settings.ignore ?? [])
  }
}
