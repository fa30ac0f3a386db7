import Dispatch
import Glibc
import LiveMIDI
import LocalSystem
import NodeProtocol
import RenderCore
import Synchronization

/// A port that a host has acquired, and its renderer while the port is initialized.
///
/// Threads: the thread of the host's session.
final class PortSession {
  let port: PublishedPort
  private let host: Peer
  private unowned let session: HostSession
  private let server: NodeServer
  private var renderer: PortRenderer?
  private var idleDetector: IdleDetector

  /// The longest wait in seconds for the session of a disconnected host to release the port.
  private static let releaseLimit = 2.0

  /// Acquires a port for a host.
  ///
  /// - Parameter session: The session that owns this object.
  /// - Throws: ``ProtocolError`` when other hosts have the port, with the name of the first.
  init(
    acquiring port: PublishedPort, for session: HostSession, host: Peer, of server: NodeServer
  ) throws(ProtocolError) {
    self.port = port
    self.host = host
    self.session = session
    self.server = server
    idleDetector = IdleDetector(since: server.now())
    try Self.acquire(port, session, host)
    server.log(.taken(port, host))
  }

  /// Acquires a port. If a host that has it has disconnected, waits until its session releases the port.
  private static func acquire(
    _ port: PublishedPort, _ session: HostSession, _ host: Peer
  ) throws(ProtocolError) {
    let limit = MonotonicClock.now + Int64(releaseLimit * 1e9)
    while true {
      switch port.acquire(for: session, host: host) {
      case .acquired: return
      case .withdrawn:
        throw ProtocolError(.noSuchPort, "\(port.description.name) is no longer published")
      case .inUse(let holder):
        guard port.isHostGone, MonotonicClock.now < limit, !session.isOver else {
          throw ProtocolError(
            .portInUse,
            "\(port.description.name) is in use by \(users(of: port, from: holder)): "
              + "close it there, or use another port", holder: holder)
        }
        usleep(2000)
      }
    }
  }

  private static func users(of port: PublishedPort, from holder: Peer) -> String {
    let limit = port.maximumHosts
    return limit == 1 ? "\(holder)" : "\(limit) hosts, its limit; the first is \(holder)"
  }

  /// Releases the port.
  func close() {
    release()
    port.release(session)
    server.log(.left(port, host))
  }

  /// Maps the segment, creates a unit and starts its render thread.
  ///
  /// - Parameters:
  ///   - request: The host's request.
  ///   - attached: The descriptor that was attached to the message.
  ///   - isOver: Returns whether the host has disconnected. Called while the unit is created.
  func initialize(
    _ request: InitializePort, _ attached: OwnedDescriptor?, isOver: () -> Bool
  ) throws(ProtocolError) {
    if renderer != nil {
      throw ProtocolError(.badSequence, "uninitialize the port before initializing it again")
    }
    let segment = try openSegment(request, attached)
    // Node threads run one priority below the host's render thread.
    let context = RenderContext(
      isOffline: request.isOffline, priority: max(1, request.priority) - 1)
    let unit = try Self.makeUnit(
      of: port, from: source(of: request), request.format, for: context, isOver: isOver)
    let renderer = PortRenderer(
      request, segment: segment, unit: unit, input: port.input, deferredWork: server.deferredWork)
    do throws(SystemError) {
      try renderer.start()
    } catch {
      throw ProtocolError(
        .outOfResources, "cannot start the render thread of \(port.description.name): \(error)")
    }
    self.renderer = renderer
    idleDetector = IdleDetector(since: server.now())
    port.setRenderer(renderer, of: session)
    server.log(.initialized(port, request.format, renderer.scheduling))
  }

  /// Returns what makes the unit that a host requests.
  private func source(of request: InitializePort) throws(ProtocolError) -> any RenderUnitSource {
    guard let unit = request.takeUnit else { return port.source }
    guard let source = server.requestExtension?.source(ofUnit: unit, of: port) else {
      throw ProtocolError(
        .badParameter,
        "\(port.description.name) has no unit \(unit) of a take any more: request the take again",
        field: "params.takeUnit")
    }
    return source
  }

  /// The unit; `nil` while the port is not initialized.
  var unit: (any RenderUnit)? { renderer?.unit }

  private func openSegment(
    _ request: InitializePort, _ attached: OwnedDescriptor?
  ) throws(ProtocolError) -> Segment {
    do throws(FormatError) {
      try request.format.validate()
      if !port.description.component.type.takesAudio {
        try Format.check("inputChannels", request.inputChannels, in: 0...0)
      }
      try port.description.channels?.check(request.format)
    } catch {
      throw ProtocolError(error, of: port.description.name)
    }
    guard let attached else {
      throw ProtocolError(
        .unusableMemory, "the message has no descriptor: attach the descriptor of the segment")
    }
    do throws(SegmentError) {
      return try Segment(opening: attached.number, request.format)
    } catch {
      if case .system(let error) = error, error.code == ENOMEM {
        throw ProtocolError(
          .outOfResources,
          "this node has no memory for the connection: \(error); request fewer frames or "
            + "channels, or raise the node's memory limit (ulimit -v, MemoryMax=)")
      }
      throw ProtocolError(.unusableMemory, error.description)
    }
  }

  /// Creates a unit, which may take long.
  ///
  /// - Parameters:
  ///   - source: Makes the unit; `nil`: the port's source.
  ///   - isOver: Returns whether the host has disconnected. Called while the unit is created.
  private static func makeUnit(
    of port: PublishedPort, from source: (any RenderUnitSource)? = nil, _ format: Format,
    for context: RenderContext, isOver: () -> Bool
  ) throws(ProtocolError) -> any RenderUnit {
    do {
      let creation = try UnitCreation(source ?? port.source, format, for: context)
      guard let result = creation.wait(while: { !isOver() }) else {
        throw ProtocolError(.unitFailed, "the host no longer waits for \(port.description.name)")
      }
      return try result.get()
    } catch let error as ProtocolError {
      throw error
    } catch let error as SystemError {
      throw ProtocolError(.outOfResources, "\(port.description.name) cannot be played: \(error)")
    } catch let error as FormatError {
      throw ProtocolError(error, of: port.description.name)
    } catch {
      throw ProtocolError(.unitFailed, "\(port.description.name) cannot be played: \(error)")
    }
  }

  /// Ends the render thread and releases the unit. Does nothing when the port is not initialized.
  func release() {
    guard let renderer else { return }
    self.renderer = nil
    if !renderer.stop() { server.log(.hangs(port)) }
    port.setRenderer(nil, of: session)
  }

  func park(_ reason: ParkReason) {
    if renderer == nil { return }
    release()
    server.log(.parked(port, reason))
  }

  /// Parks the port if its host has not rendered for ``NodeServer/evictionLimit``. Offline hosts are never parked.
  ///
  /// - Returns: Whether the port was parked.
  func parkIfIdle() -> Bool {
    guard let renderer, !renderer.initialization.isOffline, let limit = server.evictionLimit,
      idleDetector.isIdle(renderer.counters, for: limit, now: server.now())
    else { return false }
    park(.notRendered)
    return true
  }
}

/// Detects that a host no longer renders.
private struct IdleDetector {
  private var cycles = 0
  private var since: Int64

  init(since: Int64) { self.since = since }

  mutating func isIdle(_ counters: RenderCounters, for seconds: Double, now: Int64) -> Bool {
    // While a cycle is being rendered the host is not idle, however slow the unit is.
    let isRendering = counters.isRendering
    if isRendering || counters.cycles != cycles {
      cycles = counters.cycles
      since = now
    }
    return Double(now - since) / 1e9 >= seconds
  }
}

extension PortSession {
  /// Creates a unit whose properties describe a port: with two channels each way, or with the numbers of channels that
  /// the description or the unit names when it refuses these.
  ///
  /// - Parameter isOver: Returns whether the host has disconnected. Called while the unit is created.
  static func makeUnit(
    toDescribe port: PublishedPort, isOver: () -> Bool
  ) throws(ProtocolError) -> any RenderUnit {
    var format = port.description.usualFormat
    // A unit may refuse either number.
    for _ in 0..<2 {
      do throws(ProtocolError) {
        return try makeUnit(of: port, format, for: RenderContext(isOffline: true), isOver: isOver)
      } catch {
        guard let other = error.allowedChannels(nearest: format) else { throw error }
        format = other
      }
    }
    return try makeUnit(of: port, format, for: RenderContext(isOffline: true), isOver: isOver)
  }
}

/// Creates a render unit on a separate thread, because loading may take long and the host may disconnect before it is
/// done. The unit is then released when it is complete.
///
/// Realtime: no.
final class UnitCreation: Sendable {
  private let result = Mutex<Result<any RenderUnit, any Error>?>(nil)
  private let isDone = DispatchSemaphore(value: 0)

  /// Starts the creation.
  init(
    _ source: any RenderUnitSource, _ format: Format, for context: RenderContext
  ) throws(SystemError) {
    try SystemThread(name: "portative-make") {
      let result = Result { try source.makeUnit(format, for: context) }
      self.result.withLock { $0 = result }
      self.isDone.signal()
    }.detach()
  }

  /// Waits until the unit is created or `isWanted` returns `false`.
  ///
  /// - Returns: The result; `nil` when the unit is no longer wanted.
  fileprivate func wait(while isWanted: () -> Bool) -> Result<any RenderUnit, any Error>? {
    while isDone.wait(timeout: .now() + .milliseconds(50)) == .timedOut {
      if !isWanted() { return nil }
    }
    return result.withLock { $0.take() }
  }
}
