import CSystemd

/// Notifies the service manager that started the process, if there is one.
///
/// Realtime: no. Threads: any.
///
/// Source: `sd_notify(3)`.
package enum ServiceManager {
  /// Reports that the server is ready, after starting or reloading.
  package static func notifyReady() { notify("READY=1") }

  /// - Parameter time: The CLOCK_MONOTONIC time in nanoseconds, by which the manager identifies the reload.
  package static func notifyReloading(at time: Int64) {
    notify("RELOADING=1\nMONOTONIC_USEC=\(time / 1000)")
  }

  package static func notifyStopping() { notify("STOPPING=1") }

  private static func notify(_ state: String) { _ = systemd_load()?.pointee.notify(0, state) }
}
