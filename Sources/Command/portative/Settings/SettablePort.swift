import LocalSystem
import NodeDirectory
import NodeHost
import RenderCore

/// A port whose settings can be read and changed: without acquiring it, or as its host.
protocol SettablePort {
  var port: PortDescription { get }
  var parameters: ParameterTree { get }
  func values() throws(ConnectionError) -> [Float]
  func presets() throws(ConnectionError) -> [Preset]
  func files() throws(ConnectionError) -> [UnitFile]
  func set(_ values: [String: Float]) throws(ConnectionError)
  func usePreset(_ index: Int) throws(ConnectionError)
  func setFile(_ identifier: String, to file: FileReference) throws(ConnectionError)
}

extension PortControl: SettablePort {}

extension Connection: SettablePort {
  func values() throws(ConnectionError) -> [Float] { try parameterValues() }
  func set(_ values: [String: Float]) throws(ConnectionError) { try setParameters(values) }
}
