import CCLAP
import LocalSystem
import NodeProtocol
import PluginBundles
import PluginCore
import RenderCore

/// An instance of a plugin, except for what its audio thread uses.
///
/// Threads: the main thread.
final class CLAPInstance {
  let plugin: BundledPlugin
  let host: UnsafePointer<clap_host>
  let identifiers: ParameterIdentifiers
  let signals = CLAPSignals()
  let store = StateStore()
  private let door: CLAPDoor
  /// What the host's structure refers to.
  private let handle: UnsafeMutablePointer<CLAPHandle>
  private let structure: UnsafeMutablePointer<clap_plugin>
  private var active: Active?
  /// The latency that the host knows.
  private(set) var latency: UInt32 = 0
  /// Whether the host has asked for the window while the instance was inactive.
  private var asksForWindow = false

  /// What exists while the instance is active.
  private struct Active {
    let worker: PluginWorker
    let shared: PluginShared
    let memory: RenderMemory
  }

  private init(_ entry: CLAPEntry, _ host: UnsafePointer<clap_host>) {
    plugin = entry.plugin
    self.host = host
    identifiers = ParameterIdentifiers(plugin.description)
    door = CLAPDoor(
      host, ParameterValueExchange(plugin.description.parameters.parameters, identifiers))
    handle = .allocate(capacity: 1)
    structure = .allocate(capacity: 1)
  }

  deinit {
    signals.destroy()
    handle.deallocate()
    structure.deallocate()
  }

  /// Makes an instance. It calls no function of the host before ``start()``.
  static func make(
    _ entry: CLAPEntry, _ host: UnsafePointer<clap_host>
  ) -> UnsafePointer<clap_plugin> {
    let instance = CLAPInstance(entry, host)
    instance.handle.initialize(
      to: CLAPHandle(render: nil, instance: .passRetained(instance)))
    instance.structure.initialize(
      to: clap_plugin(descriptor: entry.descriptor, data: UnsafeMutableRawPointer(instance.handle)))
    return UnsafePointer(instance.structure)
  }

  /// Asks for the host's extensions.
  func start() { door.open() }

  /// Ends all use of the host, and frees the instance.
  func destroy() {
    deactivate()
    door.close()
    handle.pointee.instance.release()
  }

  var values: ParameterValueExchange { door.values }

  /// The worker while the instance is active.
  var worker: PluginWorker? { active?.worker }

  /// Connects to the port, in the background.
  ///
  /// - Returns: `false` if the format is not supported.
  func activate(rate: Double, maximumFrames: UInt32) -> Bool {
    deactivate()
    let description = plugin.description
    let shared = PluginShared(description, door, store)
    guard let format = shared.format(rate: rate, maximumFrames: Int(maximumFrames)) else {
      return false
    }
    let memory = RenderMemory()
    let renderer = PluginRenderer(
      shared, rate: rate, maximumFrames: format.maximumFrames, memory)
    shared.signals.latency.store(latency)
    let worker = PluginWorker(shared, format, in: .current)
    active = Active(worker: worker, shared: shared, memory: memory)
    handle.pointee.render = memory.make(
      1,
      of: CLAPRenderState(
        renderer, values, signals, inputs: description.inputChannels,
        outputs: description.outputChannels, memory))
    worker.start()
    if asksForWindow { askForWindow() }
    return true
  }

  /// Asks the node to show a window for what the instance plays, as soon as it is active.
  func askForWindow() {
    asksForWindow = active == nil
    active?.shared.signals.askForWindow()
  }

  /// Releases the port, and keeps the unit's state.
  func deactivate() {
    guard let active else { return }
    _ = active.worker.savedText()
    active.worker.stop()
    handle.pointee.render = nil
    self.active = nil
    active.memory.release()
  }

  /// The frames that the unit sounds after its input; `nil` if that is not known.
  var tail: UInt32? {
    guard let tail = active?.shared.signals.tail.value, tail != .max else { return nil }
    return tail
  }

  /// Tells the host what the worker has reported.
  func tellNews() {
    let news = door.takeNews()
    if news.contains(.latency), let now = active?.shared.signals.latency.value, now != latency {
      latency = now
      // The latency may change only while the instance is inactive.
      host.pointee.request_restart?(host)
    }
    if news.contains(.values) { rescanValues() }
    if news.contains(.state) {
      let state: UnsafePointer<clap_host_state>? = host.extension(CLAP_EXT_STATE)
      state?.pointee.mark_dirty?(host)
    }
  }

  /// Makes the host read the values of the parameters again.
  func rescanValues() {
    let parameters: UnsafePointer<clap_host_params>? = host.extension(CLAP_EXT_PARAMS)
    parameters?.pointee.rescan?(host, clap_param_rescan_flags(CLAP_PARAM_RESCAN_VALUES))
  }

  /// Makes the host call `flush` or `process`, so that the unit receives values.
  func requestFlush() {
    let parameters: UnsafePointer<clap_host_params>? = host.extension(CLAP_EXT_PARAMS)
    parameters?.pointee.request_flush?(host)
  }
}
