import CSystemd

/// The service manager that started the program, if one did; without one, nothing is said.
///
/// Source: `sd_notify(3)`.
enum ServiceManager {
  static func tellReady() { sd_notify(0, "READY=1") }
  static func tellReloading() { sd_notify(0, "RELOADING=1") }
  static func tellStopping() { sd_notify(0, "STOPPING=1") }
}
