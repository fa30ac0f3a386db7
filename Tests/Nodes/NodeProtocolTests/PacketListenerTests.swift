import Foundation
import Glibc
import LocalSystem
import NodeProtocol
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct PacketListenerTests {
  @Test func `hosts are accepted one after another`() throws {
    try withPath { path in
      let listener = try PacketListener(path: path)
      let hosts = try (0..<3).map { _ in try PacketSocket(connectingTo: path) }
      for (index, host) in hosts.enumerated() {
        let node = try listener.accept().get()
        try host.send([UInt8(index)])
        #expect(try node.receive()?.bytes == [UInt8(index)])
        #expect(fcntl(node.descriptor, F_GETFD) & FD_CLOEXEC != 0)
      }
    }
  }

  @Test func `a path in use is refused`() throws {
    try withPath { path in
      let listener = try PacketListener(path: path)
      defer { listener.close() }
      #expect(throws: SystemError(code: EADDRINUSE, call: "bind")) {
        try PacketListener(path: path)
      }
    }
  }

  @Test func `a missing folder is an error`() {
    #expect(throws: SystemError(code: ENOENT, call: "bind")) {
      try PacketListener(path: "/nowhere/at/all.socket")
    }
  }

  @Test func `closing ends a wait, and no host is accepted`() throws {
    try withPath { path in
      let listener = try PacketListener(path: path)
      let waiter = TestThread { _ = listener.accept() }
      listener.close()
      waiter.join()
      #expect(throws: SystemError(code: ECONNREFUSED, call: "connect")) {
        try PacketSocket(connectingTo: path)
      }
    }
  }

  private func withPath(_ body: (String) throws -> Void) throws {
    let path = FileManager.default.temporaryDirectory
      .appending(path: "portative-test-\(UInt64.random(in: 0 ... .max)).socket").path()
    defer { unlink(path) }
    try body(path)
  }
}
