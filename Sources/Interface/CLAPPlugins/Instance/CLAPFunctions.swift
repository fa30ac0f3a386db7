import CCLAP
import LocalSystem
import PluginBundles
import RenderCore

// The functions of an instance. `plugin_data` is a `CLAPHandle`.

/// Memory instead of an object, so that the audio thread needs no reference counting.
struct CLAPHandle: BitwiseCopyable {
  /// `nil` while the instance is inactive.
  var render: UnsafeMutablePointer<CLAPRenderState>?
  let instance: Unmanaged<CLAPInstance>
}

extension UnsafePointer<clap_plugin> {
  fileprivate var render: UnsafeMutablePointer<CLAPRenderState>? {
    @_noLocks get {
      pointee.plugin_data?.assumingMemoryBound(to: CLAPHandle.self).pointee.render
    }
  }

  var instance: CLAPInstance {
    pointee.plugin_data.assumingMemoryBound(to: CLAPHandle.self).pointee.instance
      .takeUnretainedValue()
  }
}

extension clap_plugin {
  init(
    descriptor: UnsafePointer<clap_plugin_descriptor>, data: UnsafeMutableRawPointer
  ) {
    self.init(
      desc: descriptor, plugin_data: data,
      init: { plugin in
        guard let plugin else { return false }
        plugin.instance.start()
        return true
      },
      destroy: { $0?.instance.destroy() },
      activate: { plugin, rate, _, maximum in
        plugin?.instance.activate(rate: rate, maximumFrames: maximum) ?? false
      },
      deactivate: { $0?.instance.deactivate() },
      start_processing: { _ in true },
      stop_processing: { _ in },
      reset: resetPlugin, process: processPlugin,
      get_extension: { plugin, identifier in
        guard let plugin, let identifier else { return nil }
        return pluginExtension(
          String(cString: identifier), of: plugin.instance.plugin.description.type)
      },
      on_main_thread: { $0?.instance.tellNews() })
  }
}

@_noLocks private func processPlugin(
  _ plugin: UnsafePointer<clap_plugin>?, _ process: UnsafePointer<clap_process>?
) -> clap_process_status {
  guard let render = plugin?.render, let process else {
    return clap_process_status(CLAP_PROCESS_ERROR)
  }
  RealtimeSection.begin()
  let status = render.pointee.process(process.pointee)
  RealtimeSection.end()
  return status
}

@_noLocks private func resetPlugin(_ plugin: UnsafePointer<clap_plugin>?) {
  plugin?.render?.pointee.reset()
}

/// Takes values without rendering.
func flushPlugin(
  _ plugin: UnsafePointer<clap_plugin>?, _ input: UnsafePointer<clap_input_events>?,
  _ output: UnsafePointer<clap_output_events>?
) {
  guard let plugin else { return }
  if let render = plugin.render {
    render.pointee.flush(input, output)
  } else {
    plugin.instance.values.receive(input, plugin.instance.signals)
  }
}
