import CLV2
import Glibc
import LV2Atoms
import LocalSystem
import PluginBundles
import PluginCore

// The functions of the plugins' descriptors. An LV2_Handle is a `PluginHandle`.

/// Memory instead of an object, so that the render thread needs no reference counting.
struct PluginHandle: BitwiseCopyable {
  let state: UnsafeMutablePointer<PluginState>
  let instance: Unmanaged<PluginInstance>
}

extension UnsafeMutableRawPointer {
  fileprivate var plugin: PluginHandle {
    @_noLocks get { assumingMemoryBound(to: PluginHandle.self).pointee }
  }

  fileprivate var instance: PluginInstance { plugin.instance.takeUnretainedValue() }
}

extension LV2_Descriptor {
  /// - Parameter uri: Memory that is never freed.
  init(uri: UnsafePointer<CChar>) {
    self.init(
      URI: uri, instantiate: instantiatePlugin, connect_port: connectPort, activate: activatePlugin,
      run: runPlugin, deactivate: nil, cleanup: cleanUpPlugin, extension_data: extensionData)
  }
}

private func instantiatePlugin(
  _ descriptor: UnsafePointer<LV2_Descriptor>?, _ rate: Double, _ bundle: UnsafePointer<CChar>?,
  _ features: UnsafePointer<UnsafePointer<LV2_Feature>?>?
) -> LV2_Handle? {
  guard let descriptor, let plugin = PluginEntry.plugin(of: descriptor),
    let host = HostFeatures(features),
    let instance = PluginInstance(plugin, rate: rate, host)
  else { return nil }
  let handle = UnsafeMutablePointer<PluginHandle>.allocate(capacity: 1)
  handle.initialize(
    to: PluginHandle(state: instance.state, instance: .passRetained(instance)))
  return UnsafeMutableRawPointer(handle)
}

@_noLocks private func connectPort(
  _ handle: LV2_Handle?, _ port: UInt32, _ memory: UnsafeMutableRawPointer?
) {
  handle?.plugin.state.pointee.connect(Int(port), to: memory)
}

private func activatePlugin(_ handle: LV2_Handle?) { handle?.instance.activate() }

@_noLocks private func runPlugin(_ handle: LV2_Handle?, _ frames: UInt32) {
  guard let handle else { return }
  RealtimeSection.begin()
  handle.plugin.state.pointee.run(frames: Int(frames))
  RealtimeSection.end()
}

private func cleanUpPlugin(_ handle: LV2_Handle?) {
  guard let handle else { return }
  handle.instance.close()
  handle.plugin.instance.release()
  handle.assumingMemoryBound(to: PluginHandle.self).deallocate()
}

private func extensionData(_ uri: UnsafePointer<CChar>?) -> UnsafeRawPointer? {
  switch uri.map({ String(cString: $0) }) {
  case LV2URI.stateInterface: UnsafeRawPointer(stateInterface)
  case PluginURI.midiNames: UnsafeRawPointer(midiNames)
  default: nil
  }
}

nonisolated(unsafe) private let midiNames = permanent(
  clv2_midi_names(
    document: { handle in handle?.instance.midiNames.flatMap { strdup($0) } },
    model: { handle in handle.flatMap { strdup($0.instance.model) } }, release: { free($0) }))

nonisolated(unsafe) private let stateInterface = permanent(
  LV2_State_Interface(save: save, restore: restore))

private func save(
  _ handle: LV2_Handle?, _ store: LV2_State_Store_Function?, _ context: LV2_State_Handle?,
  _ flags: UInt32, _ features: UnsafePointer<UnsafePointer<LV2_Feature>?>?
) -> LV2_State_Status {
  guard let handle, let store else { return LV2_STATE_ERR_UNKNOWN }
  return handle.instance.save(store, context, SavedPaths(features))
}

private func restore(
  _ handle: LV2_Handle?, _ retrieve: LV2_State_Retrieve_Function?, _ context: LV2_State_Handle?,
  _ flags: UInt32, _ features: UnsafePointer<UnsafePointer<LV2_Feature>?>?
) -> LV2_State_Status {
  guard let handle, let retrieve else { return LV2_STATE_ERR_UNKNOWN }
  return handle.instance.restore(retrieve, context, SavedPaths(features))
}
