import CLinux
import Glibc
import LocalSystem
import NodeProtocol
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct PacketSocketTests {
  @Test func `packets arrive whole and in order`() throws {
    let (a, b) = try pair()
    for size in [1, 2, 1000, PacketSocket.limit] {
      try a.send(pattern(size))
      let packet = try #require(try b.receive())
      #expect(packet.bytes == pattern(size))
      #expect(packet.isWhole)
      #expect(packet.attached == nil)
    }
  }

  @Test func `a packet that is too long is not sent`() throws {
    let (a, _) = try pair()
    #expect(throws: SystemError(code: EMSGSIZE, call: "sendmsg")) {
      try a.send(pattern(PacketSocket.limit + 1))
    }
  }

  @Test func `a received packet that is too long is cut and marked`() throws {
    let (a, b) = try pair()
    let bytes = pattern(PacketSocket.limit + 1)
    #expect(packet_send(a.descriptor, bytes, bytes.count, -1, 1) == 0)
    let packet = try #require(try b.receive())
    #expect(!packet.isWhole)
    #expect(packet.bytes.count == PacketSocket.limit)
  }

  @Test func `a descriptor arrives with its packet, and is closed with it`() throws {
    let (a, b) = try pair()
    let pipe = Pipe()
    try a.send([1], attached: pipe.writable)
    pipe.closeWritable()
    do {
      let packet = try #require(try b.receive())
      let number = try #require(packet.attached?.number)
      #expect(fcntl(number, F_GETFD) & FD_CLOEXEC != 0)
      #expect(!pipe.isClosed)
    }
    #expect(pipe.isClosed)
  }

  @Test(arguments: [2, 3, 253])
  func `of several descriptors the first is kept and the others are closed`(count: Int) throws {
    let (a, b) = try pair()
    let (first, others) = (Pipe(), Pipe())
    let more = Array(repeating: others.writable, count: count - 1)
    #expect(sendDescriptors(a, [first.writable] + more) == 1)
    first.closeWritable()
    others.closeWritable()
    do {
      let packet = try #require(try b.receive())
      #expect(packet.attached != nil)
      #expect(!first.isClosed)
      #expect(others.isClosed)
    }
    #expect(first.isClosed)
  }

  @Test(arguments: [pattern(PacketSocket.limit + 5), []])
  func `descriptors with a cut or empty packet are closed`(
    bytes: [UInt8]
  ) throws {
    let (a, b) = try pair()
    let pipe = Pipe()
    #expect(sendDescriptors(a, [pipe.writable, pipe.writable], bytes: bytes) == bytes.count)
    pipe.closeWritable()
    _ = try b.receive()
    #expect(pipe.isClosed)
  }

  @Test func `after the peer has closed, no packet is received`() throws {
    var (a, b): (PacketSocket?, PacketSocket) = try pair()
    try a?.send([1])
    a = nil
    #expect(b.waitForPacket(milliseconds: 0))
    #expect(try b.receive()?.bytes == [1])
    #expect(try b.receive() == nil)
    #expect(try b.receive() == nil)
    #expect(throws: SystemError(code: EPIPE, call: "sendmsg")) { try b.send([2]) }
  }

  @Test func `a peer's last packet is received even if it closed with packets unread`() throws {
    var (a, b): (PacketSocket?, PacketSocket) = try pair()
    try b.send([9])
    try a?.send([1])
    a = nil
    #expect(try b.receive()?.bytes == [1])
    #expect(try b.receive() == nil)
  }

  @Test func `sending without waiting returns if the peer does not read`() throws {
    let (a, b) = try pair()
    #expect(throws: SystemError(code: EAGAIN, call: "sendmsg")) {
      while true { try a.send(pattern(1000), waits: false) }
    }
    _ = try b.receive()
    try a.send(pattern(1000), waits: false)
  }

  @Test func `the connection is over when either side has closed, with or without unread packets`()
    throws
  {
    var (a, b): (PacketSocket?, PacketSocket) = try pair()
    #expect(!b.isOver)
    try a?.send([1])
    #expect(!b.isOver)
    a = nil
    #expect(b.isOver)
    let (c, d) = try pair()
    c.shutDown()
    #expect(c.isOver && d.isOver)
  }

  @Test func `shutting down ends a wait on both sides`() throws {
    let (a, b) = try pair()
    let waiter = TestThread { _ = try? a.receive() }
    let other = TestThread { _ = b.waitForPacket() }
    b.shutDown()
    waiter.join()
    other.join()
    #expect(try a.receive() == nil)
  }

  @Test func `a wait without a packet ends at its deadline`() throws {
    let (a, b) = try pair()
    #expect(!a.waitForPacket(milliseconds: 1))
    try b.send([1])
    #expect(a.waitForPacket(milliseconds: 1))
  }

  @Test func `the process and user of the peer are known`() throws {
    let (a, b) = try pair()
    defer { b.shutDown() }
    #expect(a.peer?.process == getpid())
    #expect(a.peer?.user == geteuid())
  }

  @Test func `a path that is too long is an error`() {
    #expect(throws: SystemError(code: ENAMETOOLONG, call: "connect")) {
      _ = try PacketSocket(connectingTo: String(repeating: "x", count: 108))
    }
  }

  @Test func `failing to connect leaves no descriptor behind`() {
    let before = openDescriptors()
    for _ in 0..<500 { _ = try? PacketSocket(connectingTo: "/nowhere/at/all") }
    // Other tests have some descriptors open at the same time.
    #expect(openDescriptors() < before + 250)
  }

  private func pair() throws -> (PacketSocket, PacketSocket) {
    var ends: [CInt] = [-1, -1]
    try #require(socketpair(AF_UNIX, CInt(SOCK_SEQPACKET.rawValue), 0, &ends) == 0)
    return (PacketSocket(owning: ends[0]), PacketSocket(owning: ends[1]))
  }
}

/// A pipe that reports whether every copy of its write end is closed.
private final class Pipe {
  private var ends: [CInt] = [-1, -1]

  init() { precondition(pipe(&ends) == 0) }

  deinit { ends.forEach { if $0 >= 0 { close($0) } } }

  var writable: CInt { ends[1] }

  func closeWritable() {
    close(ends[1])
    ends[1] = -1
  }

  var isClosed: Bool {
    var entry = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, 0) == 1 && entry.revents & Int16(POLLHUP) != 0
  }
}

/// Sends a packet with any number of descriptors, which valid peers never do.
private func sendDescriptors(
  _ socket: PacketSocket, _ descriptors: [CInt], bytes: [UInt8] = [1]
) -> Int {
  let header = MemoryLayout<(Int, CInt, CInt)>.size
  var control = [UInt8](repeating: 0, count: (header + descriptors.count * 4 + 7) & ~7)
  control.withUnsafeMutableBytes { control in
    control.storeBytes(
      of: (header + descriptors.count * 4, SOL_SOCKET, CInt(SCM_RIGHTS)),
      as: (Int, CInt, CInt).self)
    for (index, descriptor) in descriptors.enumerated() {
      control.storeBytes(of: descriptor, toByteOffset: header + index * 4, as: CInt.self)
    }
  }
  var bytes = bytes
  let length = bytes.count
  return bytes.withUnsafeMutableBytes { bytes in
    control.withUnsafeMutableBytes { control in
      var part = iovec(iov_base: bytes.baseAddress, iov_len: length)
      return withUnsafeMutablePointer(to: &part) { part in
        var message = msghdr()
        message.msg_iov = part
        message.msg_iovlen = 1
        message.msg_control = control.baseAddress
        message.msg_controllen = control.count
        return sendmsg(socket.descriptor, &message, CInt(MSG_NOSIGNAL))
      }
    }
  }
}
