import CSystemd
import Glibc

/// The service that grants realtime priority to those whom the system's limits do not permit it: whoever
/// sits before the machine, mostly.
///
/// Realtime: no. Threads: any.
///
/// Source: the README of RealtimeKit, and its D-Bus interface `org.freedesktop.RealtimeKit1`.
package enum RealtimeKit {
  private static let name = "org.freedesktop.RealtimeKit1"
  private static let path = "/org/freedesktop/RealtimeKit1"
  /// Microseconds to wait for an answer. The service may have to be started first.
  private static let timeout: UInt64 = 2_000_000

  /// The system bus.
  ///
  /// Source: *D-Bus Specification 0.42*, "Well-known Message Bus Instances".
  private static var address: String {
    getenv("DBUS_SYSTEM_BUS_ADDRESS").map { String(cString: $0) }
      ?? "unix:path=/var/run/dbus/system_bus_socket"
  }

  /// Why it did not.
  package struct ProtocolError: Error, Equatable, CustomStringConvertible {
    package let description: String
  }

  /// Gives a thread of this process realtime priority, and limits how long any of them may keep a processor
  /// to itself, as the service wants it; see ``RealtimeLimit``.
  ///
  /// - Parameters:
  ///   - thread: The kernel's number of it.
  ///   - priority: Of SCHED_RR, 1…99.
  /// - Returns: The priority it has now, which may be less.
  package static func grant(thread: Int32, priority: Int) throws(ProtocolError) -> Int {
    guard let systemd = systemd_load()?.pointee else {
      throw ProtocolError(description: "libsystemd.so.0 is not installed")
    }
    var bus: OpaquePointer?
    try check(systemd.bus_new(&bus))
    defer { _ = systemd.bus_flush_close_unref(bus) }
    // Not by sd_bus_open_system(), which waits for the bus itself as long as it likes.
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
  ) throws(ProtocolError) {
    var error = sd_bus_error()
    defer { systemd.bus_error_free(&error) }
    let type = CChar(bitPattern: type.utf8.first ?? 0)
    try check(
      systemd.bus_get_property_trivial(bus, name, path, name, property, &error, type, value), error)
  }

  private static func makeRealtime(
    _ thread: UInt64, _ priority: UInt32, _ bus: OpaquePointer?,
    _ systemd: systemd_library
  ) throws(ProtocolError) {
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

  private static func check(_ code: CInt, _ error: sd_bus_error? = nil) throws(ProtocolError) {
    if code >= 0 { return }
    // A sentence, or else many lines of no use to anyone.
    let line = error?.message.map { String(cString: $0).prefix { !$0.isNewline } }
    if let line, !line.isEmpty { throw ProtocolError(description: String(line)) }
    throw ProtocolError(description: String(cString: strerror(-code)))
  }
}
