import CLV2
import ConnectionTestSupport
import Glibc
import LV2Atoms
import PluginBundles
import LocalSystem
import NodeHost
import NodeProtocol
import NodeServer
import RenderCore
import TestSupport

@testable import LV2Plugins

/// An instance of a plugin, in a host with cycles of 64 frames.
final class TestInstance {
  static let frames = 64
  let instance: PluginInstance
  let system: TemporarySystem
  private let port: PortDescription
  private let memory = RenderMemory()
  private let events: UnsafeMutableRawPointer
  private let notifications: UnsafeMutableRawPointer
  let left: UnsafeMutablePointer<Float>
  private let right: UnsafeMutablePointer<Float>
  let freewheel: UnsafeMutablePointer<Float>

  /// The control ports of the parameters.
  let controls: UnsafeMutablePointer<Float>

  /// - Parameter variables: Further environment variables, given the folder of the test.
  init?(
    _ port: PortDescription = pulsePort(), inputChannels: Int = 0,
    parameters: ParameterTree = ParameterTree(),
    variables: (TemporarySystem) throws -> [String: String] = { _ in [:] }
  ) throws {
    self.port = port
    system = TemporarySystem()
    try system.environment.variables.merge(variables(system)) { $1 }
    system.environment.variables["XDG_RUNTIME_DIR"] = system.root + "/run"
    try system.add("run/placeholder", "")
    guard let host = HostFeatures(mapFeatures) else { return nil }
    let plugin = PluginDescription(
      uri: "urn:test", type: port.component.type, port: port, inputChannels: inputChannels,
      outputChannels: 2, parameters: parameters,
      files: [PluginFile(identifier: "soundfont", name: "SoundFont")])
    guard
      let instance = PluginInstance(
        BundledPlugin(plugin), rate: 48_000, host, in: system.environment)
    else { return nil }
    self.instance = instance
    events = UnsafeMutableRawPointer(memory.make(1024, of: UInt64(0)))
    notifications = UnsafeMutableRawPointer(memory.make(1024, of: UInt64(0)))
    left = memory.make(Self.frames, of: Float(0))
    right = memory.make(Self.frames, of: Float(0))
    freewheel = memory.make(1, of: Float(0))
    let defaults = parameters.parameters.map(\.defaultValue)
    controls = memory.makeEach(defaults.count + 1) { $0 < defaults.count ? defaults[$0] : 0 }
    let ports = PluginPorts(plugin)
    instance.state.pointee.connect(PluginPorts.events, to: events)
    instance.state.pointee.connect(PluginPorts.notifications, to: notifications)
    instance.state.pointee.connect(PluginPorts.freewheel, to: freewheel)
    for (index, number) in ports.parameters.enumerated() {
      instance.state.pointee.connect(number, to: controls + index)
    }
    instance.state.pointee.connect(ports.audioOutputs.lowerBound, to: left)
    instance.state.pointee.connect(ports.audioOutputs.lowerBound + 1, to: right)
  }

  deinit { instance.close() }

  /// Publishes the port.
  ///
  /// - Parameter onEvent: Called for each event of the server.
  func serve(
    _ source: any RenderUnitSource = UntrackedPulseSource(),
    onEvent: @escaping @Sendable (ServerEvent) -> Void = { _ in }
  ) throws -> NodeServer {
    let server = try NodeServer(
      name: "test", directories: NodeDirectories(system.environment), onEvent: onEvent)
    try server.publish(port, source)
    return server
  }

  /// Renders a cycle with a note, as a host's render thread does.
  ///
  /// - Returns: The frames at which the unit has received it.
  @discardableResult func run(noteAt frame: Int64?) -> [Int] {
    var bytes = AtomBytes()
    if let frame { bytes.append(at: frame, types.midi, [0x90, 60, 100]) }
    run(bytes)
    return (0..<Self.frames).filter { left[$0] != 0 }
  }

  /// Renders a cycle with events.
  func run(_ bytes: AtomBytes) {
    let sequence = bytes.sequence()
    events.copyMemory(from: sequence, byteCount: bytes.bytes.count + 16)
    sequence.deallocate()
    notifications.storeBytes(of: 8184, as: UInt32.self)
    left.update(repeating: 1, count: Self.frames)
    RealtimeSection.begin()
    instance.state.pointee.run(frames: Self.frames)
    RealtimeSection.end()
  }

  /// The objects that the plugin has sent in the last cycle, each with the header of its atom.
  var sentObjects: [[UInt8]] {
    var objects: [[UInt8]] = []
    var reader = AtomReader(UnsafeRawPointer(notifications), types)
    while let event = reader.removeFirst() {
      guard AtomObject(event, types) != nil else { continue }
      var atom = AtomBytes()
      atom.append(atom: event.type, Array(event.body))
      objects.append(atom.bytes)
    }
    return objects
  }

  /// The MIDI messages that the plugin has sent in the last cycle.
  var sentMessages: [[UInt8]] {
    var messages: [[UInt8]] = []
    var reader = AtomReader(UnsafeRawPointer(notifications), types)
    while let event = reader.removeFirst() {
      if event.type == types.midi { messages.append(Array(event.body)) }
    }
    return messages
  }

  /// The properties that the plugin has reported in the last cycle, by the host's numbers.
  var reportedProperties: [LV2_URID: String] {
    var properties: [LV2_URID: String] = [:]
    var reader = AtomReader(UnsafeRawPointer(notifications), types)
    while let event = reader.removeFirst() {
      guard let object = AtomObject(event, types), object.type == types.patchSet else { continue }
      var (key, value): (LV2_URID, String) = (0, "")
      var records = object.properties
      while let record = records.removeFirst() {
        if record.key == types.patchProperty { key = record.body.loadUnaligned(as: LV2_URID.self) }
        if record.key == types.patchValue, record.type == types.path {
          value = String(decoding: record.body.prefix { $0 != 0 }, as: UTF8.self)
        }
      }
      properties[key] = value
    }
    return properties
  }

  /// Whether the last cycle was rendered by a unit.
  var isConnected: Bool { right.pointee != 0 }

  /// Activates the plugin, renders cycles until the unit plays, and returns what another program sees of the port.
  func connectedControl() throws -> PortControl {
    instance.activate()
    let isConnected = eventually {
      run(noteAt: 0)
      return self.isConnected
    }
    guard isConnected,
      let component = ComponentRegistry(system.environment).components(matching: ComponentQuery())
        .first
    else { throw Failure(.failed, "the plugin has not connected") }
    return try AudioHost(name: "test", environment: system.environment).control(of: component)
  }

  /// Renders cycles in real time until the unit receives a note, or none; for up to 20 s.
  func waits(forSound isSounding: Bool) -> Bool {
    for _ in 0..<10_000 {
      if run(noteAt: 7) == (isSounding ? [7] : []) { return true }
      usleep(2000)
    }
    return false
  }
}

/// The feature that maps URIs.
nonisolated(unsafe) let mapFeatures: UnsafePointer<UnsafePointer<LV2_Feature>?> = {
  let map = UnsafeMutablePointer<LV2_URID_Map>.allocate(capacity: 1)
  map.initialize(to: LV2_URID_Map(handle: nil, map: mapURI))
  let feature = UnsafeMutablePointer<LV2_Feature>.allocate(capacity: 1)
  feature.initialize(to: LV2_Feature(URI: strdup(LV2URI.map), data: map))
  let list = UnsafeMutablePointer<UnsafePointer<LV2_Feature>?>.allocate(capacity: 2)
  list.initialize(to: UnsafePointer(feature))
  (list + 1).initialize(to: nil)
  return UnsafePointer(list)
}()

private func mapURI(_ handle: LV2_URID_Map_Handle?, _ uri: UnsafePointer<CChar>?) -> LV2_URID {
  guard let uri else { return 0 }
  return mappedURI(String(cString: uri))
}
