import CLV2
import LV2Atoms
import PluginBundles

/// The user interface of an instance. It has no window of its own: when it is shown, the node shows a page for what the instance
/// plays.
///
/// It sets the host's control ports when the page has changed parameters, so that the host shows and saves them.
///
/// Threads: the host's thread of user interfaces.
final class PluginWindow {
  private let write: LV2UI_Write_Function
  private let controller: LV2UI_Controller?
  private let types: AtomTypes
  private let eventTransfer, showClass: LV2_URID
  /// The control port of each parameter's URI.
  private var ports: [LV2_URID: UInt32] = [:]
  /// What a host of external user interfaces calls; `nil` for another host.
  let external: UnsafeMutablePointer<ExternalWindow>?

  /// The structure that such a host knows, and the window that it belongs to.
  struct ExternalWindow {
    let functions: clv2_external_ui
    var window: Unmanaged<PluginWindow>?
  }

  /// - Returns: `nil` if the host does not map URIs, or the bundle has no such plugin.
  init?(
    plugin uri: String, bundle folder: String, _ write: @escaping LV2UI_Write_Function,
    _ controller: LV2UI_Controller?,
    _ features: UnsafePointer<UnsafePointer<LV2_Feature>?>?
  ) {
    guard let host = HostFeatures(features),
      let plugin = BundleLibrary.plugins(folder: folder)?.first(where: { $0.description.uri == uri }
      )
    else { return nil }
    self.write = write
    self.controller = controller
    types = AtomTypes(host.number)
    eventTransfer = host.number(of: LV2URI.eventTransfer)
    showClass = host.number(of: PluginURI.show)
    let first = PluginPorts(plugin.description).parameters.lowerBound
    for (index, uri) in plugin.description.parameterURIs.enumerated() {
      ports[host.number(of: uri)] = UInt32(first + index)
    }
    guard HostFeatures.data(of: features)[PluginURI.externalHost] != nil else {
      external = nil
      return
    }
    let external = UnsafeMutablePointer<ExternalWindow>.allocate(capacity: 1)
    external.initialize(
      to: ExternalWindow(
        functions: clv2_external_ui(
          run: { _ in }, show: { $0?.window?.show() }, hide: { _ in }), window: nil))
    self.external = external
    external.pointee.window = .passUnretained(self)
  }

  deinit { external?.deallocate() }

  /// Asks the plugin for the window, by an object of the class ``PluginURI/show``.
  func show() {
    // The sizes of an object without properties: its number and its class.
    let atom: [UInt32] = [8, types.object, 0, showClass]
    write(controller, UInt32(PluginPorts.events), 16, eventTransfer, atom)
  }

  /// Sets the control port of a parameter that the plugin reports to have changed.
  func receive(_ port: UInt32, _ bytes: UnsafeRawBufferPointer, format: LV2_URID) {
    guard port == PluginPorts.notifications, format == eventTransfer else { return }
    // As an event of a sequence, which has its frame before the atom.
    let event = [UInt8](repeating: 0, count: 8) + bytes
    event.withUnsafeBytes { event in
      guard let record = AtomRecord(event), let object = AtomObject(record, types),
        object.type == types.patchSet, let (key, value) = object.patch(types),
        let port = ports[key], let number = value.number(types)
      else { return }
      var control = Float(number)
      write(controller, port, 4, 0, &control)
    }
  }
}

extension UnsafeMutablePointer<clv2_external_ui> {
  fileprivate var window: PluginWindow? {
    UnsafeMutableRawPointer(self).assumingMemoryBound(to: PluginWindow.ExternalWindow.self)
      .pointee.window?.takeUnretainedValue()
  }
}
