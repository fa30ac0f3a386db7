package import PluginBundles

/// The host of an instance, as a plugin standard shows it.
///
/// Realtime: no. Threads: any.
package protocol PluginDoor: Sendable {
  /// Writes a line to the host's log.
  func write(_ line: String, isError: Bool)

  /// Passes what the host has set to the worker, which calls this on its thread each time it is woken.
  func exchange(with worker: PluginWorker)

  /// Reports the port or a file that is played, to a host that shows it.
  func report(_ subject: PluginProperty.Subject, _ value: String)

  /// Reports all of them again, because the host has set one that cannot be played.
  func reportAll()

  /// Reports that the latency may have changed.
  func latencyChanged()

  /// Reports that another program has changed the unit's settings.
  ///
  /// - Parameter values: The value of each of the plugin's parameters, and the one that the host has set last; `nil` for a
  ///   parameter that the unit does not have.
  func settingsChanged(_ values: [(unit: Float, host: Float)?])
}
