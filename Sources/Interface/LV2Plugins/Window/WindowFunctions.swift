package import CLV2
import LV2Atoms
import PluginBundles
import PluginCore
import Synchronization

// The functions of the user interfaces' descriptors. An LV2UI_Handle is a retained `PluginWindow`.

/// Returns the user interface of an index; `nil` after the last one.
///
/// A host looks for the one whose URI is in a bundle. The function does not know the bundle, so there is one for each URI that a
/// bundle may have; see ``PluginURI/window(ofNode:)``.
///
/// Realtime: no. Threads: any.
package func windowDescriptor(at index: UInt32) -> UnsafePointer<LV2UI_Descriptor>? {
  guard index < PluginURI.windowCount else { return nil }
  return descriptors.withLock { descriptors in
    if let made = descriptors[index] { return made }
    let made = permanent(
      LV2UI_Descriptor(
        URI: permanentText(PluginURI.window(index)), instantiate: instantiateWindow,
        cleanup: { $0.map { Unmanaged<PluginWindow>.fromOpaque($0).release() } },
        port_event: { handle, port, size, format, bytes in
          guard let handle, let bytes else { return }
          Unmanaged<PluginWindow>.fromOpaque(handle).takeUnretainedValue().receive(
            port, UnsafeRawBufferPointer(start: bytes, count: Int(size)), format: format)
        }, extension_data: extensionData))
    descriptors[index] = made
    return made
  }
}

private struct Descriptors: @unchecked Sendable {
  private var made: [UInt32: UnsafePointer<LV2UI_Descriptor>] = [:]

  subscript(index: UInt32) -> UnsafePointer<LV2UI_Descriptor>? {
    get { made[index] }
    set { made[index] = newValue }
  }
}

private let descriptors = Mutex(Descriptors())

private func instantiateWindow(
  _ descriptor: UnsafePointer<LV2UI_Descriptor>?, _ plugin: UnsafePointer<CChar>?,
  _ bundle: UnsafePointer<CChar>?, _ write: LV2UI_Write_Function?,
  _ controller: LV2UI_Controller?, _ widget: UnsafeMutablePointer<LV2UI_Widget?>?,
  _ features: UnsafePointer<UnsafePointer<LV2_Feature>?>?
) -> LV2UI_Handle? {
  guard let plugin, let bundle, let write,
    let window = PluginWindow(
      plugin: String(cString: plugin), bundle: String(cString: bundle), write, controller,
      features)
  else { return nil }
  widget?.pointee = window.external.map { UnsafeMutableRawPointer($0) }
  return Unmanaged.passRetained(window).toOpaque()
}

private func extensionData(_ uri: UnsafePointer<CChar>?) -> UnsafeRawPointer? {
  switch uri.map({ String(cString: $0) }) {
  case LV2URI.showInterface: UnsafeRawPointer(showInterface)
  case LV2URI.idleInterface: UnsafeRawPointer(idleInterface)
  default: nil
  }
}

nonisolated(unsafe) private let showInterface = permanent(
  LV2UI_Show_Interface(
    show: { handle in
      guard let handle else { return 1 }
      Unmanaged<PluginWindow>.fromOpaque(handle).takeUnretainedValue().show()
      return 0
    }, hide: { _ in 0 }))

nonisolated(unsafe) private let idleInterface = permanent(LV2UI_Idle_Interface(idle: { _ in 0 }))
