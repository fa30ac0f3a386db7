import Glibc
import LV2Host
package import NodeHost
package import NodeProtocol
package import PluginNodes

/// A port that can be checked. Each connection is one to a process of its own, which a fault may end.
package protocol CheckSubject: Sendable {
  var name: String { get }
  var type: PortType { get }
  /// The numbers of channels with which it is checked.
  var inputs: Int { get }
  var outputs: Int { get }
  /// Whether it promises to be fit for realtime.
  var isHardRealtime: Bool { get }
  /// Whether it reports a latency.
  var hasLatency: Bool { get }
  /// What can be measured.
  var measurements: [Measurement] { get }
  /// The length of the longest cycle in frames.
  var longestCycle: Int { get }
  /// Its node; `nil` for what has none that others can reach.
  var node: CheckedNode? { get }
  /// The same without the preset that its units play from the start.
  var withoutPreset: Self { get }

  /// Starts a process and acquires the port.
  ///
  /// - Parameter isProbed: Whether the figures of units are those of ``ProbeFigures``.
  func connect(isProbed: Bool) throws(ConnectionError) -> Connection

  /// Asks its node to end everything that sounds.
  func panic() throws(ConnectionError)
}

/// An LV2 plugin to check.
package struct PluginSubject: CheckSubject {
  private let selection: PluginSelection
  private let host: AudioHost
  private let showsLog: Bool

  /// - Parameter showsLog: Whether what the plugin writes appears on standard error.
  package init(_ selection: PluginSelection, from host: AudioHost, showsLog: Bool) {
    (self.selection, self.host, self.showsLog) = (selection, host, showsLog)
  }

  package var name: String { selection.plugin.name }
  package var type: PortType { selection.plugin.portType }
  package var inputs: Int { type.takesAudio ? selection.plugin.audioInputs : 0 }
  package var outputs: Int { selection.plugin.audioOutputs }
  package var isHardRealtime: Bool { selection.plugin.isHardRealtime }
  package var hasLatency: Bool { selection.plugin.hasLatency }

  package var withoutPreset: Self {
    guard selection.preset != nil, let plain = try? PluginSelection(selection.plugin.uri) else {
      return self
    }
    return Self(plain, from: host, showsLog: showsLog)
  }

  package var longestCycle: Int { SubjectPlayer.cycle }
  package var node: CheckedNode? { nil }
  package var measurements: [Measurement] {
    Measurement.ofPorts.filter { !Measurement.ofNodes.contains($0) }
  }

  package func panic() throws(ConnectionError) {}

  package func connect(isProbed: Bool) throws(ConnectionError) -> Connection {
    try PluginProcess.connect(selection, from: host, isProbed: isProbed, showsLog: showsLog)
  }
}
