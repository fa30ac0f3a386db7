import CSystemd

/// The service manager that started the program, if one did; without one, nothing is said.
///
/// Realtime: no. Threads: any.
///
/// Source: `sd_notify(3)`.
package enum ServiceManager {
  /// The program does now what it was started for, or does it again after reloading.
  package static func tellReady() { sd_notify(0, "READY=1") }

  /// - Parameter time: Nanoseconds of CLOCK_MONOTONIC, by which the manager tells this reload from others.
  package static func tellReloading(at time: Int64) {
    sd_notify(0, "RELOADING=1\nMONOTONIC_USEC=\(time / 1000)")
  }

  package static func tellStopping() { sd_notify(0, "STOPPING=1") }

  /// - Parameter sentence: What the program is at, for people to read.
  package static func tell(status sentence: String) { sd_notify(0, "STATUS=\(sentence)") }
}
