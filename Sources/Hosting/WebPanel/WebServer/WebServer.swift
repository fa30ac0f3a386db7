import CWebSockets
import Glibc
import LocalSystem
import Synchronization

/// A web server for a few files and for WebSockets at `/control`, on a thread of its own.
///
/// It listens at the given addresses and nowhere else, which the kernel confirms before ``start(addresses:port:)``
/// returns. Requests and WebSockets are refused unless a ``HostPolicy`` admits their headers. Slow and silent clients
/// cost no thread, are closed, and do not take the room of others: see ``ConnectionTable``. Without clients, the thread
/// does not wake.
///
/// Realtime: no. Threads: any. The caller must call ``stop()``.
///
/// `@unchecked Sendable`: all variables but `tasks` are used only by the server's thread after it has started, except for
/// `web_wake`, which any thread may call.
package final class WebServer: @unchecked Sendable {
  /// The port at which the server listens.
  package private(set) var port = 0
  private let resources: [String: WebResource]
  private let links: FileLinks
  private let makeSession: (WebClient) -> (any WebSession)?
  private var policy = HostPolicy(port: 0, addresses: [String](), machine: "")
  private var server: OpaquePointer?
  private var thread: SystemThread?
  private var clients: [OpaquePointer: WebClient] = [:]
  private var connections = ConnectionTable<OpaquePointer>()
  /// The `Host` headers of WebSockets that are being opened.
  private var hosts: [OpaquePointer: String] = [:]
  /// The clients by their sockets.
  private var readers: [CInt: WebClient] = [:]
  /// Whether the last bytes of a connection that were read were the end of the head of a request.
  private var readsHead = false
  /// Of the last response with a file.
  private var fileHeaders = TemporaryHeaders([])
  private let tasks = Mutex(Tasks())

  private struct Tasks {
    var waiting: [@Sendable () -> Void] = []
    var isStopping = false
  }

  /// With this attribute, a style in a page is admitted. Another one in each process; other sites cannot read it.
  package static let styleNonce = (0..<2).map { _ in
    String(UInt64.random(in: 0 ... .max), radix: 16)
  }.joined()

  /// The path of the WebSockets.
  package static let path = "/control"
  /// More descriptors than ``ConnectionTable`` admits connections and pages watch, because connections end with a delay.
  private static let limits = web_limits(
    connections: 640, header_bytes: 4096, seconds: 5, ping_seconds: 5, hangup_seconds: 12)

  /// - Parameters:
  ///   - resources: The files of the program, by their paths.
  ///   - links: Links to other files.
  ///   - makeSession: Called on the server's thread for each WebSocket; `nil` closes it.
  package init(
    _ resources: [String: WebResource], links: FileLinks = FileLinks(),
    makeSession: @escaping @Sendable (WebClient) -> (any WebSession)?
  ) {
    (self.resources, self.links, self.makeSession) = (resources, links, makeSession)
  }

  /// Starts the server.
  ///
  /// - Parameters:
  ///   - addresses: The addresses at which it listens, each with a socket of its own.
  ///   - port: The port at all of them; 0 for any.
  package func start(addresses: [String], port: Int) throws(WebServerError) {
    guard web_load() else { throw .noLibrary }
    let callbacks = Self.callbacks(context: Unmanaged.passUnretained(self).toOpaque())
    let sockets = try ListeningSocket.open(at: addresses, port: port)
    self.port = sockets[0].address.port
    policy = HostPolicy(
      port: self.port, addresses: sockets.map(\.address), machine: Self.machine)
    // The callbacks can be called while the library opens the server, which is not known yet then.
    let server = web_open(Self.limits, Self.headers.texts, callbacks)
    guard let server else {
      for socket in sockets { close(socket.descriptor) }
      throw .cannotListen(address: addresses[0], port: port, code: ENOMEM)
    }
    // The server owns the descriptors from here on, also those that it has no room for.
    if sockets.count(where: { web_listen(server, $0.descriptor) }) < sockets.count {
      web_close_server(server)
      throw .cannotListen(address: addresses[0], port: port, code: ENOMEM)
    }
    self.server = server
    do throws(SystemError) {
      thread = try SystemThread(name: "portative-web") { self.run() }
    } catch {
      web_close_server(server)
      self.server = nil
      throw .noThread(code: error.code)
    }
  }

  /// Closes all connections and ends the thread.
  package func stop() {
    guard let server else { return }
    tasks.withLock { tasks in
      // The server's thread may have closed it after an error.
      if !tasks.isStopping { web_wake(server) }
      tasks.isStopping = true
    }
    thread?.join()
    thread = nil
    self.server = nil
  }

  /// Performs work on the server's thread. Does nothing if the server has stopped.
  package func perform(_ task: @escaping @Sendable () -> Void) {
    tasks.withLock { tasks in
      // The server is closed after `isStopping` was set.
      guard !tasks.isStopping, let server else { return }
      tasks.waiting.append(task)
      web_wake(server)
    }
  }

  private func run() {
    guard let server else { return }
    while !tasks.withLock({ $0.isStopping }), web_run(server) {}
    tasks.withLock { tasks in
      tasks.isStopping = true
      tasks.waiting = []
    }
    web_close_server(server)
  }

  /// The name of this machine.
  package static var machine: String {
    var name = utsname()
    uname(&name)
    return withUnsafeBytes(of: name.nodename) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}

// What the library calls.
extension WebServer {
  private static func of(_ context: UnsafeMutableRawPointer?) -> WebServer? {
    context.map { Unmanaged<WebServer>.fromOpaque($0).takeUnretainedValue() }
  }

  private static func callbacks(context: UnsafeMutableRawPointer) -> web_callbacks {
    web_callbacks(
      context: context,
      connected: { WebServer.of($0)?.add($1, from: Peer(SocketAddress(copying: $2))) },
      ended: { WebServer.of($0)?.remove($1) },
      request: { context, client, request, response in
        guard let server = WebServer.of(context) else { return }
        server.advance(client, to: .requested)
        response.pointee = server.response(request.pointee)
      },
      admits: { context, client, path, host, origin, hasOrigin in
        guard let server = WebServer.of(context), let host else { return false }
        return server.admits(
          client, String(cString: path), host: String(cString: host),
          origin: origin.map { String(cString: $0) }, hasOrigin: hasOrigin)
      },
      read: { context, descriptor, bytes, count in
        let bytes = UnsafeBufferPointer(start: bytes, count: count)
        return WebServer.of(context)?.read(bytes, from: descriptor) ?? false
      },
      opened: { WebServer.of($0)?.open($1) },
      received: { context, client, bytes, count, isText, isLast in
        WebServer.of(context)?.clients[client]?.receive(
          UnsafeBufferPointer(start: bytes, count: count), isText: isText, isLast: isLast)
      },
      writable: { WebServer.of($0)?.clients[$1]?.write() ?? false },
      timed: { WebServer.of($0)?.clients[$1]?.session?.timed() },
      readable: { WebServer.of($0)?.clients[$1]?.session?.readable() ?? false },
      closed: { WebServer.of($0)?.end($1) },
      woken: { WebServer.of($0)?.performTasks() })
  }

  private func performTasks() {
    let waiting = tasks.withLock { tasks in
      defer { tasks.waiting = [] }
      return tasks.isStopping ? [] : tasks.waiting
    }
    for task in waiting { task() }
  }

  private func add(_ socket: OpaquePointer, from peer: Peer) {
    drop(connections.add(socket, from: peer))
  }

  private func remove(_ socket: OpaquePointer) {
    connections.remove(socket)
    hosts[socket] = nil
  }

  private func advance(_ socket: OpaquePointer, to stage: ConnectionTable<OpaquePointer>.Stage) {
    drop(connections.advance(socket, to: stage))
  }

  private func drop(_ socket: OpaquePointer?) {
    if let socket { web_drop(socket) }
  }

  private func admits(
    _ socket: OpaquePointer, _ path: String, host: String, origin: String?, hasOrigin: Bool
  ) -> Bool {
    guard path == Self.path, policy.admits(host: host),
      policy.admits(origin: origin, hasOrigin: hasOrigin, host: host)
    else { return false }
    hosts[socket] = host
    return true
  }

  /// - Returns: Whether the connection remains open.
  private func read(_ bytes: UnsafeBufferPointer<UInt8>, from descriptor: CInt) -> Bool {
    if let client = readers[descriptor] { return client.admits(bytes) }
    readsHead = bytes.suffix(4).elementsEqual("\r\n\r\n".utf8)
    return true
  }

  private func end(_ socket: OpaquePointer) {
    readers[web_descriptor(socket)] = nil
    clients.removeValue(forKey: socket)?.end()
  }

  private func open(_ socket: OpaquePointer) {
    // A client has to wait for the answer before it sends frames, which were not checked until now. A connection that is
    // unknown is about to end, so that another one finds room.
    guard readsHead, let peer = connections.peer(of: socket), let host = hosts[socket] else {
      return web_drop(socket)
    }
    advance(socket, to: .unproved)
    let client = WebClient(socket, from: peer, host: host) { [unowned self] in
      guard
        connections.count(in: .admitted) < ConnectionTable<OpaquePointer>.Stage.admitted.limits.all
      else { return false }
      advance(socket, to: .admitted)
      return true
    }
    client.session = makeSession(client)
    if client.session == nil { client.close(.gone, "the server is stopping") }
    clients[socket] = client
    readers[web_descriptor(socket)] = client
  }

  private func response(_ request: web_request) -> web_response {
    if !request.is_read { return Self.response(405, Self.wrongMethod) }
    if !policy.admits(host: request.host.map { String(cString: $0) }) {
      return Self.response(421, Self.wrongHost)
    }
    let path = String(cString: request.path)
    if let resource = resources[path] { return Self.response(200, resource) }
    if path.hasPrefix(FileLinks.path), let (file, descriptor, size) = links.open(path) {
      return response(
        file, descriptor, ByteRange.read(request.range.map { String(cString: $0) }, size: size),
        of: size)
    }
    return Self.response(404, Self.notFound)
  }

  private static func response(_ status: CInt, _ resource: WebResource) -> web_response {
    var response = web_response()
    response.status = status
    response.type = resource.typeText
    (response.bytes, response.count) = (resource.bytes.baseAddress, resource.bytes.count)
    response.compressed = resource.compressed.baseAddress
    response.compressed_count = resource.compressed.count
    return response
  }

  private func response(
    _ file: FileLinks.File, _ descriptor: CInt, _ wanted: ByteRange.Wanted, of size: Int64
  ) -> web_response {
    var response = web_response()
    var headers = ["accept-ranges:": "bytes"]
    if let name = file.name {
      headers["content-disposition:"] =
        "attachment; filename*=UTF-8''\(name.percentEncoded)"
    }
    (response.status, response.count) = (200, Int(size))
    switch wanted {
    case .all: break
    case .part(let range):
      (response.status, response.offset, response.count) = (206, range.offset, Int(range.count))
      headers["content-range:"] =
        "bytes \(range.offset)-\(range.offset + range.count - 1)/\(size)"
    case .none:
      (response.status, response.count) = (416, 0)
      headers["content-range:"] = "bytes */\(size)"
    }
    (response.is_file, response.descriptor) = (true, descriptor)
    fileHeaders = TemporaryHeaders([(file.type, "")] + headers.map { ($0.key, $0.value) })
    response.type = fileHeaders.texts[0]
    response.headers = UnsafePointer(fileHeaders.texts + 2)
    return response
  }

  private static let wrongMethod = WebResource(type: "text/plain", text: "only GET and HEAD\n")
  private static let wrongHost = WebResource(
    type: "text/plain",
    text:
      "this server is reached by its address only, not as localhost: use the link that portative serve --panel-link prints\n"
  )
  private static let notFound = WebResource(type: "text/plain", text: "there is no such page\n")
  private static let headers = WebHeaders([
    "content-security-policy:":
      "default-src 'none'; script-src 'self'; style-src 'nonce-\(styleNonce)'; connect-src 'self'; img-src data:; "
      + "media-src 'self' blob:; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
      + "require-trusted-types-for 'script'; trusted-types 'none'",
    "x-content-type-options:": "nosniff",
    "referrer-policy:": "no-referrer",
    "cache-control:": "no-cache",
    "cross-origin-opener-policy:": "same-origin",
    "cross-origin-resource-policy:": "same-origin",
    "permissions-policy:": "camera=(), geolocation=(), microphone=(), midi=()",
  ])
}
