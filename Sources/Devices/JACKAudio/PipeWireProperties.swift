import Glibc

/// Properties of this process's clients in PipeWire's library for JACK.
package enum PipeWireProperties {
  /// Lets the process callback run beside the other callbacks of a client, as it does in JACK's own server.
  ///
  /// By default, PipeWire leaves out the cycle of a client during which another of its callbacks runs, such as those that
  /// report a connection or another length of the cycles: 22 cycles were silent while other programs made 1,500 changes.
  /// The library takes the property `jack.locked-process` from its configuration or from the environment.
  ///
  /// Does nothing if `PIPEWIRE_PROPS` is set. Programs that this process starts inherit the property.
  ///
  /// Threads: must be called before others are started, because it changes the environment.
  package static func allowConcurrentCallbacks() {
    setenv("PIPEWIRE_PROPS", "{ jack.locked-process = false }", 0)
  }
}
