import Glibc
import LocalSystem
public import NodeProtocol
public import RenderCore
import Synchronization

/// A host's connection to one port of a node.
///
/// Lifecycle:
/// 1. ``AudioHost/connect(to:within:)`` acquires the port.
/// 2. ``initialize(_:mode:priority:)`` prepares the node.
/// 3. In each cycle, call ``schedule(_:at:)`` for any number of events, then ``render(frames:hostTime:input:into:)``.
/// 4. ``uninitialize()`` frees the resources. The connection can be initialized again, for instance at another rate.
/// 5. ``close()``, or releasing the connection, releases the port.
///
/// Guarantees: an event with offset k acts at frame k of the cycle's output, and that output is available in the same
/// cycle. No call waits longer than its limit, whatever the node does. An accepted event is never dropped. Once the
/// connection is lost, every call returns immediately with that status or error.
///
/// Threads: ``initialize(_:mode:priority:)`` and ``uninitialize()`` allocate and wait. Call them from one thread at a
/// time, and not during a call marked "Realtime: yes". Those calls also belong to one thread at a time. ``close()`` may
/// be called from any thread at any time, and ends waits in progress. Connections are independent of each other.
public final class Connection: @unchecked Sendable {
  /// The node's description of the port.
  public let port: PortDescription
  /// The process at the other end.
  public let node: Peer
  /// The length of the longest System Exclusive message that can be scheduled, in bytes without F0 and F7.
  public static var longestSysEx: Int { SegmentLayout.longestSysEx }

  /// The number of consecutive late cycles after which the connection is parked. Takes effect on initialization.
  public var lateLimit = usualLateLimit

  /// The ``lateLimit`` of connections that set none.
  package static let usualLateLimit = 50

  /// The longest wait of a render call for the node, as a fraction of the cycle's duration; above 0. Takes effect on
  /// initialization, and not offline. A node that is itself a host should use a smaller fraction than its own host.
  public var deadlineFraction = 0.9

  /// The longest wait of an offline render call without progress of the node. Then the cycle is late and the connection
  /// is parked. `nil` for no limit. Takes effect on initialization, and only offline.
  ///
  /// A node makes progress when it starts a cycle, is ready for the cycle's events, or answers, and whenever its unit
  /// reports progress (``CycleFeedback/advance()``). So the call waits for a node that renders slowly, but not for one
  /// that hangs.
  public var stallLimit: Duration? = .seconds(10)

  /// The number of a unit of a take. The connection then gets a unit with the sound of the zones that this unit has
  /// played, instead of the port's own. Takes effect on initialization.
  package var takeUnit: Int?

  /// The program of the node, if this process has started it for this connection.
  package let program: DetachedProgram?
  /// What reads the output of the program, and ends with the connection.
  package var programOutput: (any Sendable)?

  private let link: ControlLink
  let phase: AtomicConnectionState
  /// The state of the render thread; `nil` while the connection has no render resources.
  private(set) var state: UnsafeMutablePointer<HostState>?
  private let memory = RenderMemory()

  init(
    _ link: ControlLink, node: Peer, port: PortDescription, _ program: DetachedProgram? = nil
  ) {
    self.link = link
    self.program = program
    phase = link.phase
    self.node = node
    self.port = port
  }

  deinit {
    close()
    freeState()
  }

  /// The state of the connection. Threads: any.
  public var status: ConnectionState { link.status }

  /// The invalid message because of which the connection was lost; `nil` if there was none. Threads: any.
  public var invalidMessage: InvalidMessage? { link.invalidMessage }

  /// Whether a parked connection was late because the node has not answered at all, as one that hangs, and not because it
  /// answered too late. Threads: any, while the connection is parked.
  package var isStalled: Bool {
    state.map { $0.pointee.statistics.pointee.longestStall >= lateLimit } ?? false
  }

  /// The number of transport commands of the node that were refused because they were too many. Threads: any.
  package var refusedCommands: Int { link.refusedCommands }

  /// Called with the new ``status`` when the connection is parked or lost. Threads: a thread of the connection, on
  /// which requests to the node are allowed.
  public var onChange: (@Sendable (ConnectionState) -> Void)? {
    get { link.onChange.withLock { $0 } }
    set { link.onChange.withLock { $0 = newValue } }
  }

  /// The delay in frames between an event or input frame and the resulting output, as reported by the unit; 0 by
  /// default. Threads: any.
  public var latency: Int { link.timing.withLock { $0.latency } }

  /// The number of frames for which the unit may still produce sound after its input has ended; `nil` if unknown.
  /// Threads: any.
  public var tail: Int? { link.timing.withLock { $0.tail } }

  /// Called when the node sends a notification. Threads: as for ``onChange``.
  public var onNotice: (@Sendable (ConnectionNotice) -> Void)? {
    get { link.onNotice.withLock { $0 } }
    set { link.onNotice.withLock { $0 = newValue } }
  }

  /// The unit's parameters; empty while the connection is not initialized.
  public private(set) var parameters = ParameterTree()

  /// Prepares the node for rendering, and creates the shared memory.
  ///
  /// Realtime: no. Events scheduled before are discarded.
  ///
  /// - Parameters:
  ///   - format: The format of the audio, and the maximum number of frames of a cycle.
  ///   - mode: How render calls wait. An offline connection is never parked because the host does not render.
  ///   - priority: The SCHED_FIFO priority of the thread that will render, 1…99, or 0 for the default scheduler; `nil`
  ///     for the priority of the calling thread. The node's render thread gets one priority less if that is permitted.
  /// - Throws: ``ConnectionError``: `refused`, with the limit in the message, for a format that the node does not
  ///   support.
  public func initialize(
    _ format: Format, mode: RenderMode = .realtime, priority: Int? = nil
  ) throws(ConnectionError) {
    try mapError(format.validate(), ConnectionError.format)
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
    state = memory.make(
      HostState(
        segment, phase: phase, mode: mode, priority: priority, lateLimit: lateLimit,
        deadlineFraction: deadlineFraction, stallLimit: stallLimit, parameters: parameters,
        in: memory))
    link.start(segment)
  }

  private func makeSegment(
    _ format: Format, _ mode: RenderMode, _ priority: Int
  ) throws(ConnectionError) -> (Segment, parameters: Int) {
    let memory: (segment: Segment, descriptor: CInt)
    do throws(SegmentError) {
      memory = try Segment.make(format)
    } catch {
      throw .system("cannot create the shared memory for \(port.name): \(error)")
    }
    // The node receives a duplicate.
    defer { Glibc.close(memory.descriptor) }
    let request = InitializePort(
      format, isOffline: mode == .offline, priority: priority, takeUnit: takeUnit)
    let unit = try link.send(
      request, attached: memory.descriptor, seconds: ControlLink.preparationLimit)
    link.timing.withLock { $0 = UnitTiming(unit.latency, unit.tail) }
    return (memory.segment, unit.parameterCount)
  }

  /// Frees the resources of ``initialize(_:mode:priority:)`` in both processes. Does nothing if there are none.
  public func uninitialize() {
    let wasInitialized = link.status.isInitialized
    release()
    if wasInitialized { _ = try? link.send(UninitializePort()) }
  }

  private func release() {
    freeState()
    parameters = ParameterTree()
    link.stop()
  }

  private func freeState() {
    state = nil
    memory.release()
  }

  /// Releases the port. The connection is then lost with the reason `closed`. Its memory is freed when it is
  /// uninitialized or released. Threads: any.
  public func close() { link.close() }
}

extension ConnectionState {
  fileprivate var isInitialized: Bool { if case .initialized = self { true } else { false } }
}

// Remote control. Realtime: no. Threads: any.
extension Connection {
  /// Allows the node to control the host's transport from now on.
  ///
  /// - Parameters:
  ///   - commands: The commands that the host supports. They are reported to the node; the node's requests for other
  ///     commands fail as ignored.
  ///   - execute: Executes a command and returns whether it was carried out. Called on the thread of ``onChange``, one
  ///     command at a time. The node waits up to 1 s for the result. If it sends more than 64 commands at once or 32 per
  ///     second, they are refused until it has sent none for a second.
  public func acceptCommands(
    _ commands: Set<RemoteCommand.Kind>, _ execute: @escaping @Sendable (RemoteCommand) -> Bool
  ) {
    link.onCommand.withLock { $0 = execute }
    let supported = RemoteCommand.Kind.allCases.filter { commands.contains($0) }
    link.send(SupportedCommands(commands: supported))
  }

  /// Asks the node to show its window.
  public func show() { link.send(ShowWindow()) }
}

extension AudioHost {
  /// Sends a command to the host that plays a port, by way of the port's node. For remote controls such as foot
  /// switches.
  ///
  /// Realtime: no. Threads: any.
  ///
  /// - Throws: ``ConnectionError``: `refused` with `commandFailed` when no host is connected to the port, or the host
  ///   does not support the command or cannot carry it out now.
  public func command(_ command: RemoteCommand, hostOf component: Component) throws(ConnectionError)
  {
    try self.command(
      command, hostOf: component.port.component, ofNode: component.node,
      socketPath: socketPath(ofNode: component.node))
  }

  package func command(
    _ command: RemoteCommand, hostOf component: ComponentDescription, ofNode node: String,
    socketPath: String
  ) throws(ConnectionError) {
    _ = try ask(node, socketPath, ForwardCommand(command.jsonSafe, component: component))
  }
}

// Requests to the unit. Realtime: no. The node must answer within 5 s, or 60 s where it may read a SoundFont. The
// connection must be initialized; another thread may render at the same time.
extension Connection {
  /// Returns the parameters' values at the end of the last cycle, in the order of ``parameters``.
  public func parameterValues() throws(ConnectionError) -> [Float] {
    try link.values(parameters.parameters.count)
  }

  /// Sets parameters from the next cycle on: all or, on an error, none.
  ///
  /// - Parameter values: The values by identifier.
  /// - Throws: ``ConnectionError``: `refused` with `badParameter` and a message with the identifier and the range.
  public func setParameters(_ values: [String: Float]) throws(ConnectionError) {
    // Its parameters are not known, so that none could be found.
    if state == nil { throw Self.notInitialized }
    do throws(ParameterError) {
      try parameters.check(values)
    } catch {
      throw .refused(ProtocolError(.badParameter, "\(port.name): \(error)"))
    }
    _ = try link.send(SetParameters(values: values))
  }

  private static var notInitialized: ConnectionError {
    .refused(
      ProtocolError(.badSequence, "initialize the port before sending requests to its unit"))
  }

  /// Returns the unit's built-in presets.
  public func presets() throws(ConnectionError) -> [Preset] {
    try link.presets()
  }

  /// Sets the parameters of a preset from the next cycle on.
  ///
  /// - Parameter index: The index in ``presets()``.
  /// - Throws: ``ConnectionError``: `refused` with `noSuchPreset` and a message with the existing presets.
  public func usePreset(_ index: Int) throws(ConnectionError) {
    _ = try link.send(UsePreset(index: index))
  }

  /// Returns the files that the unit plays and that ``setFile(_:to:)`` replaces, such as its SoundFont. The node may read
  /// them to calculate their hashes. A node of an earlier version has none.
  public func files() throws(ConnectionError) -> [UnitFile] {
    try link.files()
  }

  /// Replaces a file that the unit plays from the next cycle on. What sounds fades; parameters and channels remain.
  ///
  /// - Parameters:
  ///   - identifier: A file of ``files()``.
  ///   - file: The file's absolute path. If it has a hash, the node may find the file elsewhere.
  /// - Throws: ``ConnectionError``: `refused` with `unusableFile`. Nothing has changed then.
  public func setFile(_ identifier: String, to file: FileReference) throws(ConnectionError) {
    _ = try link.send(
      SetFile(identifier: identifier, file: file), seconds: ControlLink.preparationLimit)
  }

  /// Returns the figures of the unit about itself.
  package func unitFigures() throws(ConnectionError) -> [UnitStatus] {
    try link.send(GetReport(offset: 0)).items.first?.rendering?.unit ?? []
  }

  /// Returns the unit's full state, which the host can save.
  public func saveState() throws(ConnectionError) -> UnitState {
    try link.saveState()
  }

  /// Restores a saved state of the unit from the next cycle on.
  ///
  /// - Throws: ``ConnectionError``: `refused` with `badState` for a state that belongs to another component, has
  ///   another version, is malformed or is longer than 64 MiB, with `unusableFile` if the unit's SoundFont is missing, and
  ///   with `badMessage` for a state that is too long for a message to a node of an earlier version. Nothing has changed then.
  public func restoreState(_ state: UnitState) throws(ConnectionError) {
    try link.restoreState(state)
  }
}
