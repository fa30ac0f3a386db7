import CLV2
import LocalSystem
import NodeDirectory
import PluginBundle
import RenderCore
import Threads

/// An instance of a plugin, except for what its render thread uses.
///
/// Threads: as LV2 requires: one at a time, but ``save`` may run beside `run`.
final class PluginInstance {
  let worker: PluginWorker
  let state: UnsafeMutablePointer<PluginState>
  private let shared: PluginShared
  private let memory = RenderMemory()
  private var isStarted = false
  private let stateKey: LV2_URID
  private let portKey: LV2_URID
  private let string: LV2_URID

  /// The longest cycle of a connection if the host does not state its own.
  private static let defaultFrames = 8192

  /// - Returns: `nil` if the rate is not supported or the host lacks a required feature.
  init?(
    _ plugin: PluginDescription, rate: Double, _ host: HostFeatures,
    in environment: ProcessEnvironment = .current
  ) {
    let frames = max(1, min(host.maximumFrames ?? Self.defaultFrames, Self.defaultFrames))
    let format = Format(
      sampleRate: Int(exactly: rate.rounded()) ?? 0, inputChannels: plugin.inputChannels,
      outputChannels: plugin.outputChannels, maximumFrames: frames)
    do throws(FormatError) {
      try format.validate()
    } catch {
      host.write("\(plugin.port?.name ?? plugin.uri): \(error)")
      return nil
    }
    shared = PluginShared(plugin, host)
    worker = PluginWorker(shared, format, in: environment)
    let types = AtomTypes(host.number)
    stateKey = host.number(of: PluginURI.stateProperty)
    portKey = host.number(of: PluginURI.portProperty)
    string = types.string
    state = memory.make(
      PluginState(
        PluginPorts(plugin), types, shared.signals, shared.slot, rate: rate, maximumFrames: frames,
        memory))
  }

  deinit { memory.release() }

  /// Starts the worker with the first call.
  func activate() {
    if isStarted { return }
    isStarted = true
    worker.start()
  }

  /// Ends all use of the host's memory.
  func close() {
    worker.stop()
    shared.host.close()
  }

  /// Stores what ``restore(_:_:)`` needs. Waits for the unit for up to 5 s.
  func save(_ store: LV2_State_Store_Function, _ handle: LV2_State_Handle?) -> LV2_State_Status {
    let flags = LV2_STATE_IS_POD.rawValue | LV2_STATE_IS_PORTABLE.rawValue
    func write(_ text: String, _ key: LV2_URID) -> LV2_State_Status {
      text.withCString { store(handle, key, $0, text.utf8.count + 1, string, flags) }
    }
    if shared.plugin.port == nil, let selection = worker.selection {
      let status = write(selection.description, portKey)
      if status != LV2_STATE_SUCCESS { return status }
    }
    guard let text = worker.savedText() else { return LV2_STATE_SUCCESS }
    return write(text, stateKey)
  }

  func restore(
    _ retrieve: LV2_State_Retrieve_Function, _ handle: LV2_State_Handle?
  ) -> LV2_State_Status {
    func read(_ key: LV2_URID) -> String? {
      var (size, type, flags) = (0, LV2_URID(0), UInt32(0))
      guard let value = retrieve(handle, key, &size, &type, &flags), type == string else {
        return nil
      }
      let bytes = UnsafeRawBufferPointer(start: value, count: size).prefix { $0 != 0 }
      return String(decoding: bytes, as: UTF8.self)
    }
    if let port = read(portKey) { worker.select(port) }
    if let text = read(stateKey) { worker.restore(text) }
    return LV2_STATE_SUCCESS
  }
}
