import Glibc
import NodeDirectory
import NodeProtocol
import RenderCore
import Threads

/// A port that a host has taken, and what it renders with while it is initialized.
///
/// Threads: that of the host's session.
final class PortSession {
  let port: PublishedPort
  private let host: Peer
  private let server: NodeServer
  private var renderer: PortRenderer?
  private var progress = Progress()

  /// Seconds within which a host that is gone is noticed, and its port free.
  private static let noticeLimit = 2.0

  /// Takes a port.
  ///
  /// - Throws: ``Refusal`` when another host has it, with its name.
  init(
    taking port: PublishedPort, by session: HostSession, host: Peer, of server: NodeServer
  ) throws(ProtocolError) {
    self.port = port
    self.host = host
    self.server = server
    try Self.take(port, session, host)
    server.tell(.taken(port, host))
  }

  /// From a host that is just being noticed to be gone, a moment later.
  private static func take(
    _ port: PublishedPort, _ session: HostSession, _ host: Peer
  ) throws(ProtocolError) {
    let limit = MonotonicClock.now + Int64(noticeLimit * 1e9)
    while true {
      switch port.take(session, host: host) {
      case .taken: return
      case .withdrawn:
        throw ProtocolError(.noSuchPort, "\(port.description.name) is not published any more")
      case .held(let holder):
        guard port.isBeingLeft, MonotonicClock.now < limit, !session.isOver else {
          throw ProtocolError(
            .portInUse,
            "\(port.description.name) is in use by \(holder): "
              + "close it there, or use another port")
        }
        usleep(2000)
      }
    }
  }

  /// Gives the port back.
  func free() {
    release()
    port.free()
    server.tell(.left(port, host))
  }

  /// Maps the segment, makes a unit and starts its render thread.
  ///
  /// - Parameters:
  ///   - attached: The descriptor that came with the message.
  ///   - isOver: Asked meanwhile, whether the host is gone.
  func initialize(
    _ wish: Initialization, _ attached: OwnedDescriptor?, isOver: () -> Bool
  ) throws(ProtocolError) {
    if renderer != nil { throw ProtocolError(.badMessage, "uninitialize before initializing anew") }
    let segment = try takeSegment(wish, attached)
    // The render thread has one less than the host's, be that what it may.
    let use = RenderContext(isOffline: wish.isOffline, priority: max(1, wish.priority) - 1)
    let unit = try Self.makeUnit(of: port, wish.format, for: use, isOver: isOver)
    let renderer = PortRenderer(
      wish, segment: segment, unit: unit, input: port.input, deferredWork: server.deferredWork)
    do throws(SystemError) {
      try renderer.start()
    } catch {
      throw ProtocolError(
        .outOfResources, "\(port.description.name) cannot have a render thread: \(error)")
    }
    self.renderer = renderer
    progress = Progress()
    port.setRenderer(renderer)
    server.tell(.initialized(port, renderer.scheduling))
  }

  /// What it renders with; `nil` while it is not initialized.
  var unit: (any RenderUnit)? { renderer?.unit }

  private func takeSegment(
    _ wish: Initialization, _ attached: OwnedDescriptor?
  ) throws(ProtocolError) -> Segment {
    do throws(FormatError) {
      try wish.format.validate()
      if !port.description.component.type.takesAudio, wish.inputChannels != 0 {
        throw FormatError(field: "inputChannels", value: wish.inputChannels, allowed: 0...0)
      }
    } catch {
      throw ProtocolError(.unsupportedFormat, "\(port.description.name): \(error)")
    }
    guard let attached else {
      throw ProtocolError(
        .unusableMemory, "no descriptor came with the message: attach the segment")
    }
    do throws(SegmentError) {
      return try Segment(opening: attached.number, wish.format)
    } catch {
      if case .system(let error) = error, error.code == ENOMEM {
        throw ProtocolError(
          .outOfResources,
          "this node has no room for the connection's memory: \(error); ask for fewer frames or "
            + "channels, or raise its limit of memory (ulimit -v, MemoryMax=)")
      }
      throw ProtocolError(.unusableMemory, error.description)
    }
  }

  /// Makes a unit, which may take long.
  ///
  /// - Parameter isOver: Asked meanwhile, whether the host is gone.
  static func makeUnit(
    of port: PublishedPort, _ format: Format, for use: RenderContext, isOver: () -> Bool
  ) throws(ProtocolError) -> any RenderUnit {
    do {
      let making = try UnitCreation(port.source, format, for: use)
      guard let made = making.wait(while: { !isOver() }) else {
        throw ProtocolError(.unitFailed, "nobody waits for \(port.description.name) any more")
      }
      return try made.get()
    } catch let error as ProtocolError {
      throw error
    } catch let error as SystemError {
      throw ProtocolError(.outOfResources, "\(port.description.name) cannot be played: \(error)")
    } catch let error as FormatError {
      throw ProtocolError(.unsupportedFormat, "\(port.description.name): \(error)")
    } catch {
      throw ProtocolError(.unitFailed, "\(port.description.name) cannot be played: \(error)")
    }
  }

  /// Ends the render thread and lets go of the unit. Does nothing when there is none.
  func release() {
    guard let renderer else { return }
    self.renderer = nil
    if !renderer.stop() { server.tell(.hangs(port)) }
    port.setRenderer(nil)
  }

  func park(_ reason: ParkReason) {
    if renderer == nil { return }
    release()
    server.tell(.parked(port, reason))
  }

  /// Whether a host that ceases to render would be parked.
  var isToBeWatched: Bool { renderer.map { !$0.initialization.isOffline } ?? false }

  /// Parks the port if its host has not rendered for too long.
  ///
  /// - Returns: Whether it did.
  func parkIfIdle() -> Bool {
    guard isToBeWatched, let renderer, let limit = server.evictionLimit,
      progress.isIdle(renderer.counters, for: limit)
    else { return false }
    park(.notRendered)
    return true
  }
}

/// Notices that cycles have ceased.
private struct Progress {
  private var cycles = 0
  private var since = MonotonicClock.now

  mutating func isIdle(_ counters: RenderCounters, for seconds: Double) -> Bool {
    // A unit that is slow is not its host's fault.
    let isRendering = counters.isRendering
    if isRendering || counters.cycles != cycles {
      cycles = counters.cycles
      since = MonotonicClock.now
    }
    return Double(MonotonicClock.now - since) / 1e9 >= seconds
  }
}
