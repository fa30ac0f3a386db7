import CSystemd
import Glibc

/// The client of RealtimeKit, a service that grants realtime priority to processes that the system's limits do not
/// permit it, mostly those of the local user.
///
/// Realtime: no. Threads: any.
///
/// Source: the README of RealtimeKit, and its D-Bus interface `org.freedesktop.RealtimeKit1`.
enum RealtimeKit {
  private static let name = "org.freedesktop.RealtimeKit1"
  private static let path = "/org/freedesktop/RealtimeKit1"
  /// The time to wait for a response in microseconds. The service may have to be started first.
  private static let timeout: UInt64 = 2_000_000

  /// The system bus.
  ///
  /// Source: *D-Bus Specification 0.42*, "Well-known Message Bus Instances".
  private static var address: String {
    getenv("DBUS_SYSTEM_BUS_ADDRESS").map { String(cString: $0) }
      ?? "unix:path=/var/run/dbus/system_bus_socket"
  }

  /// The reason why the service did not grant the priority.
  struct Failure: Error, Equatable, CustomStringConvertible {
    let description: String
  }

  /// Gives a thread of this process realtime priority. It also limits the time for which any realtime thread of the
  /// process may occupy a processor, as the service requires; see ``RealtimeLimit``.
  ///
  /// - Parameters:
  ///   - thread: The thread's identifier in the kernel.
  ///   - priority: The SCHED_RR priority to request: 1…99.
  /// - Returns: The priority that was granted; it may be lower.
  static func grant(thread: Int32, priority: Int) throws(Failure) -> Int {
    guard let systemd = systemd_load()?.pointee else {
      throw Failure(description: "libsystemd.so.0 is not installed")
    }
    var bus: OpaquePointer?
    try check(systemd.bus_new(&bus))
    defer { _ = systemd.bus_flush_close_unref(bus) }
    // sd_bus_open_system() would wait for the bus itself without a timeout.
    _ = systemd.bus_set_method_call_timeout(bus, timeout)
    try check(systemd.bus_set_address(bus, address))
    try check(systemd.bus_set_bus_client(bus, 1))
    try check(systemd.bus_start(bus))
    var highest: Int32 = 0
    try get("MaxRealtimePriority", "i", &highest, bus, systemd)
    var microseconds: Int64 = 0
    try get("RTTimeUSecMax", "x", &microseconds, bus, systemd)
    RealtimeLimit.set(microseconds: microseconds)
    let granted = max(1, min(priority, Int(highest)))
    try makeRealtime(UInt64(thread), UInt32(granted), bus, systemd)
    return granted
  }

  private static func get(
    _ property: String, _ type: String, _ value: UnsafeMutableRawPointer, _ bus: OpaquePointer?,
    _ systemd: systemd_library
  ) throws(Failure) {
    var error = sd_bus_error()
    defer { systemd.bus_error_free(&error) }
    let type = CChar(bitPattern: type.utf8.first ?? 0)
    try check(
      systemd.bus_get_property_trivial(bus, name, path, name, property, &error, type, value), error)
  }

  private static func makeRealtime(
    _ thread: UInt64, _ priority: UInt32, _ bus: OpaquePointer?,
    _ systemd: systemd_library
  ) throws(Failure) {
    var call: OpaquePointer?
    try check(
      systemd.bus_message_new_method_call(bus, &call, name, path, name, "MakeThreadRealtime"))
    defer { _ = systemd.bus_message_unref(call) }
    var (thread, priority) = (thread, priority)
    try check(systemd.bus_message_append_basic(call, CChar(UInt8(ascii: "t")), &thread))
    try check(systemd.bus_message_append_basic(call, CChar(UInt8(ascii: "u")), &priority))
    var error = sd_bus_error()
    defer { systemd.bus_error_free(&error) }
    try check(systemd.bus_call(bus, call, 0, &error, nil), error)
  }

  private static func check(_ code: CInt, _ error: sd_bus_error? = nil) throws(Failure) {
    if code >= 0 { return }
    // Only the first line of a message is useful.
    let line = error?.message.map { String(cString: $0).prefix { !$0.isNewline } }
    if let line, !line.isEmpty { throw Failure(description: String(line)) }
    throw Failure(description: String(cString: strerror(-code)))
  }
}
