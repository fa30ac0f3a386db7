import CCLAP
import PluginCore

/// A floating window: the node shows a page for what the instance plays. It has no size and no parent.
nonisolated(unsafe) let window = permanent(
  clap_plugin_gui(
    is_api_supported: { _, api, isFloating in isFloating && isWindowSystem(api) },
    get_preferred_api: { _, api, isFloating in
      guard let api, let isFloating else { return false }
      api.pointee = x11
      isFloating.pointee = true
      return true
    },
    create: { _, api, isFloating in isFloating && (api == nil || isWindowSystem(api)) },
    destroy: { _ in },
    set_scale: { _, _ in false },
    get_size: { _, _, _ in false },
    can_resize: { _ in false },
    get_resize_hints: { _, _ in false },
    adjust_size: { _, _, _ in false },
    set_size: { _, _, _ in false },
    set_parent: { _, _ in false },
    // A browser's window is where its user has put it.
    set_transient: { _, _ in true },
    suggest_title: { _, _ in },
    show: { plugin in
      guard let plugin else { return false }
      plugin.instance.askForWindow()
      return true
    },
    hide: { _ in true }))

nonisolated(unsafe) private let x11 = permanentText(CLAP_WINDOW_API_X11)

/// Whether the text names a window system of Linux.
private func isWindowSystem(_ api: UnsafePointer<CChar>?) -> Bool {
  guard let api else { return false }
  return [CLAP_WINDOW_API_X11, CLAP_WINDOW_API_WAYLAND].contains(String(cString: api))
}
