import Foundation
import ProgramTestSupport
import TestSupport
import Testing

/// The service manager's end of `$NOTIFY_SOCKET`.
private final class NotifySocket {
  private let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)

  init(path: String) throws {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let isBound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    try #require(isBound)
    var limit = timeval(tv_sec: 10, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(descriptor) }

  /// Returns the next message; empty if none arrives within ten seconds, or, without waiting, if none is there.
  func next(waits: Bool = true) -> String {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = recv(descriptor, &bytes, bytes.count, waits ? 0 : Int32(MSG_DONTWAIT))
    return String(decoding: bytes[..<max(0, count)], as: UTF8.self)
  }
}

@Test func `the service manager is notified when a server is ready, reloads and stops`() throws {
  let user = try TemporaryUser()
  try user.configureOnePort()
  let path = user.folder("notify")
  let manager = try NotifySocket(path: path)
  user.variables["NOTIFY_SOCKET"] = path
  let server = try user.start("serve", "-q")
  #expect(manager.next() == "READY=1")
  #expect(user.ports(of: "portative") == ["Portative: General MIDI"])

  var now = timespec()
  clock_gettime(CLOCK_MONOTONIC, &now)
  server.send(SIGHUP)
  let reloading = manager.next()
  let time = try #require(reloading.wholeMatch(of: /RELOADING=1\nMONOTONIC_USEC=([0-9]+)/)?.1)
  #expect(try #require(Int(time)) >= now.tv_sec * 1_000_000 + now.tv_nsec / 1000)
  #expect(manager.next() == "READY=1")

  // The new configuration is invalid, so the server is ready with the previous one.
  try user.configure("{")
  server.send(SIGHUP)
  #expect(manager.next().hasPrefix("RELOADING=1\n"))
  #expect(manager.next() == "READY=1")

  server.send(SIGTERM)
  #expect(manager.next() == "STOPPING=1")
  #expect(try server.result().exitCode == 0)
}

@Test func `a server that fails to start does not notify the service manager`() throws {
  let user = try TemporaryUser()
  let path = user.folder("notify")
  let manager = try NotifySocket(path: path)
  user.variables["NOTIFY_SOCKET"] = path
  try user.configure(#"{ ports: [{ name: "A: B", subtype: "abcd", soundfont: "/none.sf2" }] }"#)
  #expect(try user.run("serve").exitCode == 5)
  #expect(manager.next(waits: false) == "")
}
