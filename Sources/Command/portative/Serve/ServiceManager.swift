import CSystemd

/// The service manager that started the program, if one did; without one, nothing is said.
///
/// Realtime: no. Threads: any.
///
/// Source: `sd_notify(3)`.
enum ServiceManager {
  /// The program does now what it was started for, or does it again after reloading.
  static func tellReady() { notify("READY=1") }

  /// - Parameter time: Nanoseconds of CLOCK_MONOTONIC, by which the manager tells this reload from others.
  static func tellReloading(at time: Int64) {
    notify("RELOADING=1\nMONOTONIC_USEC=\(time / 1000)")
  }

  static func tellStopping() { notify("STOPPING=1") }

  /// - Parameter sentence: What the program is at, for people to read.
  static func tell(status sentence: String) { notify("STATUS=\(sentence)") }

  private static func notify(_ state: String) { _ = systemd_load()?.pointee.notify(0, state) }
}
