import CWebSockets
import Glibc
import TestSupport
import Testing
import WebPanel

/// A client of a web server that can send anything.
package final class TestSocket {
  private let descriptor: CInt
  private let port: Int
  private var received: [UInt8] = []

  package struct Ended: Error {}

  /// - Parameters:
  ///   - address: The server's address.
  ///   - source: The address from which the client connects.
  package init(_ port: Int, at address: String = "127.0.0.1", from source: String? = nil) throws {
    self.port = port
    let family = address.contains(":") ? AF_INET6 : AF_INET
    descriptor = socket(family, CInt(SOCK_STREAM.rawValue), 0)
    var limit = timeval(tv_sec: 30, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(
      descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    if let source {
      try #require(Self.call(bind, descriptor, source, 0) == 0, "bind: \(errno)")
    }
    if Self.call(connect, descriptor, address, port) != 0 { throw Unreachable(code: errno) }
  }

  /// Nothing listens at the address.
  package struct Unreachable: Error, Equatable {
    package let code: CInt

    package init(code: CInt) { self.code = code }
  }

  private static func call(
    _ function: (CInt, UnsafePointer<sockaddr>?, socklen_t) -> CInt, _ descriptor: CInt,
    _ address: String, _ port: Int
  ) -> CInt {
    var hints = addrinfo()
    hints.ai_flags = AI_NUMERICHOST
    var result: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(address, "\(port)", &hints, &result) == 0, let result else { return -1 }
    defer { freeaddrinfo(result) }
    return function(descriptor, result.pointee.ai_addr, result.pointee.ai_addrlen)
  }

  deinit { close(descriptor) }

  /// Sends bytes.
  ///
  /// - Throws: ``Ended`` if the server has closed the connection.
  package func write(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
      }
      if count <= 0 { throw Ended() }
      rest = rest.dropFirst(count)
    }
  }

  package func write(_ text: String) throws { try write(Array(text.utf8)) }

  /// Receives more bytes.
  ///
  /// - Returns: `false` if the server has closed the connection.
  package func readMore() -> Bool {
    var block = [UInt8](repeating: 0, count: 16_384)
    let count = recv(descriptor, &block, block.count, 0)
    if count <= 0 { return false }
    received += block[..<count]
    return true
  }

  /// Receives until the server closes the connection.
  package func readAll() -> String {
    while readMore() {}
    return String(decoding: received, as: UTF8.self)
  }

  /// Sends a request, and returns the whole response.
  package static func get(
    _ path: String, _ port: Int, host: String? = nil, method: String = "GET",
    headers: [String: String] = [:]
  ) throws -> String {
    let socket = try TestSocket(port)
    let lines = headers.map { "\($0.key): \($0.value)\r\n" }.joined()
    try socket.write(
      "\(method) \(path) HTTP/1.1\r\nHost: \(host ?? "127.0.0.1:\(port)")\r\nConnection: close\r\n\(lines)\r\n"
    )
    return socket.readAll()
  }

  /// Opens a WebSocket.
  ///
  /// - Parameter bytes: What is sent without waiting for the answer.
  /// - Throws: ``Ended`` if it is refused.
  package func upgrade(
    path: String = "/control", host: String? = nil, origin: String? = nil,
    followedBy bytes: [UInt8] = []
  ) throws {
    let origin = origin.map { "Origin: \($0)\r\n" } ?? ""
    let request =
      "GET \(path) HTTP/1.1\r\nHost: \(host ?? "127.0.0.1:\(port)")\r\nUpgrade: websocket\r\n"
      + "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n\(origin)"
      + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    try write(Array(request.utf8) + bytes)
    while true {
      if let end = headerEnd {
        let head = String(decoding: received[..<end], as: UTF8.self)
        received.removeFirst(end)
        if head.hasPrefix("HTTP/1.1 101") { return }
        throw Ended()
      }
      if !readMore() { throw Ended() }
    }
  }

  private var headerEnd: Int? {
    received.indices.dropLast(3).first { Array(received[$0..<$0 + 4]) == [13, 10, 13, 10] }
      .map { $0 + 4 }
  }

  /// Sends a masked frame.
  ///
  /// - Parameter head: The first byte: text by default.
  package func send(_ bytes: [UInt8], head: UInt8 = 0x81) throws {
    let mask: [UInt8] = [1, 2, 3, 4]
    var frame: [UInt8] = [head]
    if bytes.count < 126 {
      frame.append(0x80 | UInt8(bytes.count))
    } else if bytes.count < 65_536 {
      frame.append(0x80 | 126)
      for shift in [8, 0] { frame.append(UInt8(bytes.count >> shift & 255)) }
    } else {
      frame.append(0x80 | 127)
      for byte in (0..<8).reversed() { frame.append(UInt8(bytes.count >> (byte * 8) & 255)) }
    }
    frame += mask
    frame += bytes.enumerated().map { $1 ^ mask[$0 % 4] }
    try write(frame)
  }

  package func send(_ text: String) throws { try send(Array(text.utf8)) }

  /// The code of the close frame, after ``receive()`` has thrown.
  package private(set) var closeCode: Int?

  /// Receives a text message.
  ///
  /// - Throws: ``Ended`` when the connection is closed.
  package func receive() throws -> String {
    while true {
      if let (head, payload) = takeFrame() {
        switch head & 0x0F {
        case 1: return String(decoding: payload, as: UTF8.self)
        case 8:
          if payload.count >= 2 { closeCode = Int(payload[0]) << 8 | Int(payload[1]) }
          throw Ended()
        case 9: try send(payload, head: 0x8A)
        default: break
        }
        continue
      }
      if !readMore() { throw Ended() }
    }
  }

  /// Receives messages until one has a text in it.
  package func receive(until text: String) throws -> String {
    while true {
      let message = try receive()
      if message.contains(text) { return message }
    }
  }

  private func takeFrame() -> (head: UInt8, payload: [UInt8])? {
    guard received.count >= 2 else { return nil }
    var (length, start) = (Int(received[1] & 127), 2)
    if length >= 126 {
      let bytes = length == 126 ? 2 : 8
      guard received.count >= 2 + bytes else { return nil }
      length = received[2..<2 + bytes].reduce(0) { $0 << 8 | Int($1) }
      start += bytes
    }
    guard received.count >= start + length else { return nil }
    defer { received.removeFirst(start + length) }
    return (received[0], Array(received[start..<start + length]))
  }
}

extension TestSocket {
  /// Greets a web panel on a WebSocket that is open.
  ///
  /// - Parameter key: The name of a page's key; `nil` for the secret of the link.
  /// - Returns: Makes the code of a side from what it knows, and the server's code.
  package func greet(
    keyNamed key: String? = nil, host: String? = nil
  ) throws -> (code: (_ side: String, _ key: String) -> String, server: String) {
    // A process without a server has not loaded libcrypto.
    _ = web_load()
    let number = "0123456789abcdef"
    let name = key.map { #","key":"\#($0)""# } ?? ""
    try send(#"{"id":1,"method":"panel.hello","params":{"number":"\#(number)"\#(name)}}"#)
    let answer = try receive()
    let code = try #require(answer.firstMatch(of: /"code":"([0-9a-f]{64})"/)?.1)
    let own = try #require(answer.firstMatch(of: /"number":"([0-9a-f]{32})"/)?.1)
    let host = host ?? "127.0.0.1:\(port)"
    return (
      { HMAC.sha256(key: $1, "portative panel \($0)\n\(host)\n\(number)\n\(own)") }, String(code)
    )
  }

  /// Opens a web panel with the secret of its link.
  ///
  /// - Returns: The server's answer.
  @discardableResult package func open(_ secret: String) throws -> String {
    try upgrade()
    let greeting = try greet()
    #expect(greeting.server == greeting.code("server", secret))
    try send(
      #"{"id":1,"method":"panel.open","params":{"code":"\#(greeting.code("page", secret))"}}"#)
    return try receive()
  }
}
