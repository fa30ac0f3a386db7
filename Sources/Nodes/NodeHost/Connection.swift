import Glibc
public import NodeDirectory
public import NodeProtocol
public import RenderCore
import Synchronization
import Threads

/// A host's connection to one port of a node.
///
/// The life of a connection: ``AudioHost/connect(to:)`` takes the port; ``initialize(_:mode:priority:)`` makes
/// the node ready; then once per cycle ``schedule(_:at:)`` any number of events, and
/// ``render(frames:hostTime:input:into:)``; ``uninitialize()``, and again at another rate if need be; ``close()``, or
/// dropping it, gives the port back.
///
/// Laws: an event with offset k acts at frame k of the cycle's output, and the output is there in the same
/// cycle. No call waits longer than its limit, whatever the node does. What was accepted is never
/// dropped. Once the connection is lost, every call says so at once.
///
/// Threads: ``initialize(_:mode:priority:)`` and ``uninitialize()`` allocate and wait; call them from one thread
/// at a time, and not while another is in a call marked "Realtime: yes", which in turn belong to one thread
/// at a time. ``close()`` may be called from any thread at any time, and ends whatever waits. Different
/// connections are independent.
public final class Connection: @unchecked Sendable {
  /// What the node says of the port.
  public let port: PortDescription
  /// The process at the other end.
  public let node: Peer
  /// The longest System Exclusive message that can be scheduled, in bytes without F0 and F7.
  public static var longestSysEx: Int { SegmentLayout.longestSysEx }

  /// Late cycles running after which the connection is parked. Takes effect when it is initialized.
  public var lateLimit = 50

  /// How long a render call waits for the node, as a part of the cycle's length: above 0. Takes effect when it is
  /// initialized, and not offline. Who is waited for in the same cycle, as a node that is a host itself, waits less.
  public var deadlineFraction = 0.9

  /// How long an offline render call waits while the node does not get on with the cycle; then the cycle is late, and
  /// the connection parked. `nil`: for ever. Takes effect when it is initialized, and offline only.
  ///
  /// A node gets on by answering a cycle, by being ready for the cycle's events, and whenever its unit says so
  /// (``CycleFeedback/advance()``); so one that renders slowly is waited for, and one that hangs is not.
  public var stallLimit: Duration? = .seconds(10)

  let link: Link
  let phase: AtomicConnectionState
  /// The render thread's; `nil` while there is nothing to render with.
  private(set) var state: UnsafeMutablePointer<HostState>?

  init(_ link: Link, node: Peer, port: PortDescription) {
    self.link = link
    phase = link.phase
    self.node = node
    self.port = port
  }

  deinit {
    close()
    freeState()
  }

  /// How it stands. Threads: any.
  public var status: ConnectionState { link.status }

  /// Called whenever ``status`` changes by itself: parked or lost, with what it is now. Threads: one of the
  /// connection's own, on which the node may be asked anything.
  public var onChange: (@Sendable (ConnectionState) -> Void)? {
    get { link.onChange.withLock { $0 } }
    set { link.onChange.withLock { $0 = newValue } }
  }

  /// Frames between an event or an input frame and what comes of it; 0 unless the unit says otherwise. Threads:
  /// any.
  public var latency: Int { link.timing.withLock { $0.latency } }

  /// Frames for which the unit may still sound when nothing comes in any more; `nil`: it does not know. Threads:
  /// any.
  public var tail: Int? { link.timing.withLock { $0.tail } }

  /// Called when the node says something of itself. Threads: as of ``onChange``.
  public var onNotice: (@Sendable (ConnectionNotice) -> Void)? {
    get { link.onNotice.withLock { $0 } }
    set { link.onNotice.withLock { $0 = newValue } }
  }

  /// What the host may set, as long as it is initialized.
  public private(set) var parameters = ParameterTree()

  /// Lets the node make everything it takes to render, and makes the memory both share.
  ///
  /// Realtime: no. What was scheduled before is gone.
  ///
  /// - Parameters:
  ///   - mode: How the render calls wait. An offline connection is never parked for rendering seldom.
  ///   - priority: That of the thread which will render, under SCHED_FIFO, 1…99, or 0 for the ordinary
  ///     scheduler; the node's render thread gets one less where that is permitted. `nil`: as the calling
  ///     thread.
  /// - Throws: ``ConnectionError``: a format that the node cannot follow is `refused` with what it can.
  public func initialize(
    _ format: Format, mode: RenderMode = .realtime, priority: Int? = nil
  ) throws(ConnectionError) {
    do throws(FormatError) { try format.validate() } catch { throw .format(error) }
    switch status {
    case .initialized: throw .alreadyInitialized
    case .lost(let reason): throw .connectionLost(reason)
    case .open, .parked: break
    }
    release()
    let priority = priority ?? SystemThread.currentPriority
    link.prepare()
    let segment: Segment
    do throws(ConnectionError) {
      let count: Int
      (segment, count) = try makeSegment(format, mode, priority)
      parameters = try link.parameters(count)
    } catch {
      link.stop()
      throw error
    }
    let state = UnsafeMutablePointer<HostState>.allocate(capacity: 1)
    state.initialize(
      to: HostState(
        segment, phase: phase, mode: mode, priority: priority, lateLimit: lateLimit,
        deadlineFraction: deadlineFraction, stallLimit: stallLimit, parameters: parameters))
    self.state = state
    link.start(segment)
  }

  private func makeSegment(
    _ format: Format, _ mode: RenderMode, _ priority: Int
  ) throws(ConnectionError) -> (Segment, parameters: Int) {
    let made: (segment: Segment, descriptor: CInt)
    do throws(SegmentError) {
      made = try Segment.make(format)
    } catch {
      throw .system("cannot make the memory for \(port.name): \(error)")
    }
    // The node gets a descriptor of its own.
    defer { Glibc.close(made.descriptor) }
    let wish = Initialization(
      format, isOffline: mode == .offline, priority: priority)
    let answer = try link.ask(
      .initialize(wish), attached: made.descriptor, seconds: Link.preparationLimit)
    guard case .initialized(let latency, let tail, let parameters) = answer else {
      throw link.violated()
    }
    link.timing.withLock { $0 = UnitTiming(latency, tail) }
    return (made.segment, parameters)
  }

  /// Frees what ``initialize(_:mode:priority:)`` made, on both sides. Does nothing when there is nothing.
  public func uninitialize() {
    let wasInitialized = link.status.isInitialized
    release()
    if wasInitialized { _ = try? link.ask(.uninitialize, seconds: Link.answerLimit) }
  }

  private func release() {
    freeState()
    parameters = ParameterTree()
    link.stop()
  }

  private func freeState() {
    state?.pointee.destroy()
    state?.deinitialize(count: 1)
    state?.deallocate()
    state = nil
  }

  /// Gives the port back. The connection is lost from then on, with the reason `closed`; its memory is freed
  /// when it is uninitialized or dropped. Threads: any.
  public func close() { link.close() }
}

extension ConnectionState {
  var isInitialized: Bool { if case .initialized = self { true } else { false } }
}
