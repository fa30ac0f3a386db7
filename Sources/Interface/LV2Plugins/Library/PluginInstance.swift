import CLV2
import LV2Atoms
import LocalSystem
import NodeProtocol
import PluginBundles
import PluginCore
import RenderCore

/// An instance of a plugin, except for what its render thread uses.
///
/// Threads: as LV2 requires: one at a time, but ``save`` may run beside `run`.
final class PluginInstance {
  let worker: PluginWorker
  let state: UnsafeMutablePointer<PluginState>
  private let bundled: BundledPlugin
  private let shared: PluginShared
  private let door: LV2Door
  private let memory = RenderMemory()
  private var isStarted = false
  private let stateKey: LV2_URID
  private let portKey: LV2_URID

  /// - Returns: `nil` if the rate is not supported or the host lacks a required feature.
  init?(
    _ bundled: BundledPlugin, rate: Double, _ host: HostFeatures,
    in environment: ProcessEnvironment = .current
  ) {
    self.bundled = bundled
    let plugin = bundled.description
    door = LV2Door(plugin, host)
    shared = PluginShared(plugin, door)
    // If the host does not state its longest cycle, it may be any.
    let longest = host.maximumFrames ?? PluginShared.longestCycle
    guard let format = shared.format(rate: rate, maximumFrames: longest) else { return nil }
    worker = PluginWorker(shared, format, in: environment)
    stateKey = host.number(of: PluginURI.stateProperty)
    portKey = host.number(of: PluginURI.portProperty)
    let renderer = PluginRenderer(
      shared, rate: rate, maximumFrames: format.maximumFrames, memory)
    state = memory.make(
      PluginState(
        renderer, PluginPorts(plugin), door.signals, door.types,
        show: host.number(of: PluginURI.show),
        parameterKeys: plugin.parameterURIs.map { host.number(of: $0) }, memory))
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
    door.host.close()
  }

  /// A name that no other instance of the host has.
  var model: String { "\(bundled.description.name) \(UInt(bitPattern: state))" }

  /// The names of presets and drums; `nil` if the plugin has none.
  var midiNames: String? { MIDINames(bundled, model: model)?.xml }

  /// Stores what ``restore(_:_:_:)`` needs. Waits for the unit for up to 5 s, or longer if it reads its SoundFont.
  func save(
    _ store: LV2_State_Store_Function, _ handle: LV2_State_Handle?, _ paths: SavedPaths
  ) -> LV2_State_Status {
    let flags = LV2_STATE_IS_POD.rawValue | LV2_STATE_IS_PORTABLE.rawValue
    func write(_ text: String, _ key: LV2_URID, _ type: LV2_URID) -> LV2_State_Status {
      text.withCString { store(handle, key, $0, text.utf8.count + 1, type, flags) }
    }
    let types = door.types
    var values: [(text: String, key: LV2_URID, type: LV2_URID)] = []
    if shared.plugin.port == nil, let selection = worker.selection {
      values.append((selection.description, portKey, types.string))
    }
    if let text = worker.savedText() { values.append((text, stateKey, types.string)) }
    let files = shared.store.files
    for (identifier, key) in door.fileKeys {
      // The host keeps the file, or a link to it, with the session.
      guard let file = files[identifier], let path = paths.saved(file.path) else { continue }
      values.append((path, key, types.path))
    }
    for value in values {
      let status = write(value.text, value.key, value.type)
      if status != LV2_STATE_SUCCESS { return status }
    }
    return LV2_STATE_SUCCESS
  }

  func restore(
    _ retrieve: LV2_State_Retrieve_Function, _ handle: LV2_State_Handle?, _ paths: SavedPaths
  ) -> LV2_State_Status {
    func read(_ key: LV2_URID, _ expected: LV2_URID) -> String? {
      var (size, type, flags) = (0, LV2_URID(0), UInt32(0))
      guard let value = retrieve(handle, key, &size, &type, &flags), type == expected else {
        return nil
      }
      let bytes = UnsafeRawBufferPointer(start: value, count: size).prefix { $0 != 0 }
      return String(decoding: bytes, as: UTF8.self)
    }
    let types = door.types
    if let port = read(portKey, types.string) { worker.select(port) }
    var files: [String: String] = [:]
    for (identifier, key) in door.fileKeys {
      guard let saved = read(key, types.path), let path = paths.path(saved) else { continue }
      // Without the links that hosts make.
      files[identifier] = resolvedPath(path) ?? path
    }
    if let text = read(stateKey, types.string) {
      // A missing file is looked for where it was when the session was saved.
      worker.restore(text, paths: files.filter { resolvedPath($0.value) != nil })
    } else {
      for (identifier, path) in files { worker.chooseFile(identifier, path) }
    }
    return LV2_STATE_SUCCESS
  }
}
