import Dispatch
import FoundationEssentials
import LocalSystem
import NodeProtocol
import RenderCore
import Synchronization

/// The state shared by a connection and the thread that reads its socket.
///
/// The thread retains this object and not the connection, so that releasing a connection ends it.
final class ControlLink: @unchecked Sendable {
  let phase = AtomicConnectionState()
  let onChange = Mutex<(@Sendable (ConnectionState) -> Void)?>(nil)
  let onNotice = Mutex<(@Sendable (ConnectionNotice) -> Void)?>(nil)
  let onCommand = Mutex<(@Sendable (RemoteCommand) -> Bool)?>(nil)
  /// The latency and tail that the unit has reported last.
  let timing = Mutex(UnitTiming())
  /// The optional parts of the protocol that both sides have; empty before the response to `hello`.
  let features = Mutex<[String]>([])
  /// Called once, when the connection has ended.
  let onEnd = Mutex<(@Sendable (ControlLink) -> Void)?>(nil)
  /// Held while a state is transferred in parts, which must not mix with those of another.
  private let stateLock = Mutex(())
  private let node: String
  /// The process of the node, from the kernel.
  let peerProcess: Int32?
  private let channel: ControlChannel
  private let run = Mutex(Run())
  /// The queue on which the host's closures are called. They may send requests to the node.
  private let callbackQueue = DispatchQueue(label: "portative-changes")
  /// The value of ``timing`` at the last notification, if another is queued. One notification covers all changes since.
  private let notifiedTiming = Mutex<UnitTiming?>(nil)
  /// The number of commands and other notifications in the queue.
  private let queuedNoticeCount = Atomic(0)
  private let commandLimit = Mutex(CommandLimit())
  private let refusedCommandCount = Atomic(0)

  /// The state between one initialization and the next.
  private struct Run {
    /// Whether the render thread may park the connection, so that the socket's thread must check for it.
    var isWatched = false
    var segment: Segment?
    /// Whether the node knows that the connection is parked.
    var isParkReported = false
  }

  /// The time in seconds within which a node must answer.
  static let answerLimit = 5.0
  /// The time in seconds within which a node must create a unit.
  static let preparationLimit = 60.0
  /// The maximum number of queued notifications. Further ones are dropped, so that a node cannot exhaust the memory.
  private static let queuedNoticeLimit = 64
  /// The maximum number of packets of a list; 256 packets have up to 16 MiB.
  private static let maximumPartCount = 256
  /// The interval in milliseconds at which the socket's thread checks whether the connection was parked.
  private static let pollInterval = 100

  /// - Parameters:
  ///   - node: The name of the node, for messages.
  ///   - process: The process of the node; `nil` for the one that the kernel names.
  init(_ socket: PacketSocket, node: String, process: Int32? = nil) throws(SystemError) {
    self.node = node
    peerProcess = process ?? socket.peer?.process
    channel = ControlChannel(socket)
    try SystemThread(name: "portative-link") { self.listen() }.detach()
  }

  deinit { phase.destroy() }

  var status: ConnectionState {
    if let reason = phase.lossReason { return .lost(reason) }
    if let reason = phase.parkReason { return .parked(reason) }
    return run.withLock { $0.segment.map { .initialized($0.layout.format) } } ?? .open
  }

  /// Sends a request and waits for its result.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - attached: A descriptor to pass to the node.
  ///   - seconds: The longest wait, in seconds. Then the connection is lost.
  func send<R: Request>(
    _ request: R, attached: CInt? = nil, seconds: Double = ControlLink.answerLimit
  ) throws(ConnectionError) -> R.Response {
    if phase.lossReason != nil { throw loss }
    do throws(ControlChannel.RequestError) {
      return try channel.send(request, attached: attached, seconds: seconds)
    } catch {
      switch error {
      case .ended(let reason):
        end(reason)
        throw loss
      case .refused(let error): throw .refused(error)
      case .unsendable: throw .refused(Self.unsendable)
      }
    }
  }

  /// Requests a list in parts that fit into packets.
  ///
  /// - Parameters:
  ///   - seconds: The longest wait for each part, in seconds.
  ///   - part: Returns the request for the items from index `offset` on.
  /// - Returns: The items, and the last part.
  func requestAll<R: ListRequest>(
    seconds: Double = ControlLink.answerLimit, _ part: (_ offset: Int) -> R
  ) throws(ConnectionError) -> (items: [R.Response.Item], last: R.Response) {
    var all: [R.Response.Item] = []
    for _ in 0..<Self.maximumPartCount {
      let response = try send(part(all.count), seconds: seconds)
      all += response.items
      if response.items.isEmpty || all.count >= response.total { return (all, response) }
    }
    throw violation(
      by: R.method, "result.total", "a list has at most \(Self.maximumPartCount) parts")
  }

  /// Requests bytes in parts that fit into packets.
  ///
  /// - Parameter part: Returns the request for the bytes from `offset` on.
  /// - Returns: The bytes, and the last part.
  func requestBytes<R: BytesRequest>(
    _ part: (_ offset: Int) -> R
  ) throws(ConnectionError) -> (bytes: [UInt8], last: R.Response) {
    var all: [UInt8] = []
    while true {
      let response = try send(part(all.count), seconds: Self.preparationLimit)
      all += response.bytes ?? Data()
      if all.count == response.total { return (all, response) }
    }
  }

  /// The error of requests after the connection has ended.
  private var loss: ConnectionError {
    if let invalid = invalidMessage { return .invalidMessage(invalid) }
    return channel.closeReason.map { .refused($0) }
      ?? .connectionLost(phase.lossReason ?? .nodeEnded)
  }

  /// The invalid message because of which the connection was lost; `nil` if there was none.
  var invalidMessage: InvalidMessage? {
    guard phase.lossReason == .protocolViolation, let found = channel.violation else { return nil }
    return InvalidMessage(
      node: node, processID: peerProcess, method: found.method, isAnswer: found.isAnswer,
      field: found.error.data?.field, reason: found.error.message)
  }

  private static var unsendable: ProtocolError {
    ProtocolError(
      .badMessage,
      "a message to a node has at most \(PacketSocket.limit) bytes and no number that is infinite "
        + "or NaN, but this one is longer or has such a number: send less or a finite number")
  }

  func send(_ notification: some Notification) { channel.send(notification) }

  /// Ends the connection because of an answer that contradicts an earlier one.
  ///
  /// - Parameters:
  ///   - method: The method of the request.
  ///   - field: The path of the invalid field.
  ///   - reason: A sentence with the limit and the value.
  func violation(
    by method: String, _ field: String, _ reason: String
  ) -> ConnectionError {
    let error = ProtocolError(.badMessage, "'\(field)': \(reason)", field: field)
    channel.record(ControlChannel.Violation(method: method, isAnswer: true, error: error))
    end(.protocolViolation)
    return loss
  }

  /// Starts checking for parking. Must be called before the node is initialized.
  func prepare() { run.withLock { $0.isWatched = true } }

  /// Allows rendering into `segment`.
  func start(_ segment: Segment) {
    run.withLock { $0.segment = segment }
    phase.run()
  }

  /// Stops rendering, and releases the segment.
  func stop() {
    run.withLock { run in
      // Must be sent first: a late `park` would park the next initialization.
      _ = reportParked(&run)
      phase.stop()
      run = Run()
    }
  }

  /// Marks the connection as lost and shuts the socket down. The socket's thread then ends. Threads: any.
  func close() {
    phase.lose(.closed)
    channel.close()
  }

  private func listen() {
    let reason = channel.listen(
      every: { self.run.withLock { $0.isWatched } ? Self.pollInterval : nil }
    ) {
      // Limits the waits of the render thread to this interval if the `DeadlineTimer` does not get to run.
      self.run.withLock { $0.segment?.cycle.answered.wake() }
      if self.run.withLock({ self.reportParked(&$0) }) { self.changed() }
    } handle: { message throws(ProtocolError) in
      try self.handle(message)
    }
    end(reason)
    onEnd.withLock { $0.take() }?(self)
  }

  /// Handles a request or notification of the node. Ignores unknown notifications, which later versions may have.
  private func handle(_ message: ReceivedMessage) throws(ProtocolError) {
    switch message.kind {
    case .notification(PortParked.method):
      handleParked(try message.checkedParameters(PortParked.self).reason)
    case .notification(PortRemoved.method): end(.portRemoved)
    case .notification(TimingChanged.method):
      let timing = try message.checkedParameters(TimingChanged.self)
      handleTiming(UnitTiming(timing.latency, timing.tail))
    case .notification(SettingsChanged.method): enqueue { self.notify(.settings) }
    case .notification(ShowWindow.method): enqueue { self.notify(.show) }
    case .notification(ShowPage.method):
      let link = try message.checkedParameters(ShowPage.self).link
      enqueue { self.notify(.page(link)) }
    case .request(let id, TransportCommand.method):
      let command = try message.checkedParameters(TransportCommand.self).command
      guard commandLimit.withLock({ $0.admits(at: MonotonicClock.now) }) else {
        refusedCommandCount.add(1, ordering: .relaxed)
        return channel.respond(TransportCommand.Response(isDone: false), to: id)
      }
      enqueue { self.execute(command, id) }
    case .request(let id, let method): channel.refuse(.unknownMethod(method), id: id)
    default: break
    }
  }

  /// Reports to the node that the render thread, which cannot send messages, has parked the connection.
  ///
  /// - Returns: Whether it was reported now.
  private func reportParked(_ run: inout Run) -> Bool {
    guard run.segment != nil, !run.isParkReported, let reason = phase.parkReason else {
      return false
    }
    run.isParkReported = true
    channel.send(ParkPort(reason: reason))
    return true
  }

  private func handleParked(_ reason: ParkReason) {
    let hasChanged = run.withLock { run in
      guard phase.park(reason) else { return false }
      run.isParkReported = true
      return true
    }
    if hasChanged {
      wakeRenderThread()
      changed()
    }
  }

  private func handleTiming(_ new: UnitTiming) {
    let isFirst = notifiedTiming.withLock { notified in
      let old = timing.withLock { timing in
        defer { timing = new }
        return timing
      }
      if notified != nil { return false }
      notified = old
      return true
    }
    if isFirst { callbackQueue.async { self.notifyTiming() } }
  }

  private func notifyTiming() {
    let (old, new) = notifiedTiming.withLock { ($0.take(), timing.withLock { $0 }) }
    guard let old else { return }
    if new.latency != old.latency { notify(.latency(new.latency)) }
    if new.tail != old.tail { notify(.tail(new.tail)) }
  }

  private func notify(_ notice: ConnectionNotice) { onNotice.withLock { $0 }?(notice) }

  /// The number of commands of the node that were too many. Threads: any.
  var refusedCommands: Int { refusedCommandCount.load(ordering: .relaxed) }

  private func execute(_ command: RemoteCommand, _ id: UInt32) {
    let isDone = onCommand.withLock { $0 }?(command) ?? false
    channel.respond(TransportCommand.Response(isDone: isDone), to: id)
  }

  /// Performs work on the queue of the host's closures. Drops it if too much work is queued.
  private func enqueue(_ work: @escaping @Sendable () -> Void) {
    let count = queuedNoticeCount.wrappingAdd(1, ordering: .relaxed).newValue
    if count > Self.queuedNoticeLimit {
      queuedNoticeCount.wrappingSubtract(1, ordering: .relaxed)
      return
    }
    callbackQueue.async {
      work()
      self.queuedNoticeCount.wrappingSubtract(1, ordering: .relaxed)
    }
  }

  private func end(_ reason: LossReason) {
    lose(reason)
    channel.close()
  }

  /// Marks the connection as lost. May be called repeatedly; the first reason is kept.
  private func lose(_ reason: LossReason) {
    let hasChanged = phase.lose(reason)
    wakeRenderThread()
    if hasChanged { changed() }
  }

  /// Wakes the render thread so that it rechecks the connection state.
  private func wakeRenderThread() {
    guard let segment = run.withLock({ $0.segment }) else { return }
    phase.interruptWait(on: segment.cycle.answered)
  }

  private func changed() {
    let status = status
    callbackQueue.async { self.onChange.withLock { $0 }?(status) }
  }
}

// Requests for the properties of a unit, for opened and for described ports.
extension ControlLink {
  /// Returns the unit's parameters.
  ///
  /// - Parameter count: The number of parameters that the node has reported.
  func parameters(_ count: Int) throws(ConnectionError) -> ParameterTree {
    if count == 0 { return ParameterTree() }
    let (parameters, last) = try requestAll { GetParameters(offset: $0) }
    guard parameters.count == count else {
      throw violation(
        by: GetParameters.method, "result.items",
        "there must be \(count) parameters as in 'parameterCount', but there are \(parameters.count)"
      )
    }
    guard Set(parameters.map(\.identifier)).count == count else {
      throw violation(
        by: GetParameters.method, "result.items", "two parameters have the same identifier")
    }
    return ParameterTree(parameters, groups: last.groups)
  }

  /// Returns the values of the unit's parameters.
  ///
  /// - Parameter count: The number of parameters.
  func values(_ count: Int) throws(ConnectionError) -> [Float] {
    let values = try send(GetValues()).values
    if values.count == count { return values }
    throw violation(
      by: GetValues.method, "result.values",
      "there must be \(count), one for each parameter, but there are \(values.count)")
  }

  func presets() throws(ConnectionError) -> [Preset] {
    try requestAll { GetPresets(offset: $0) }.items
  }

  /// Returns the state of the unit; in parts, if the node knows them.
  func saveState() throws(ConnectionError) -> UnitState {
    guard hasStateParts else {
      return try send(SaveState(), seconds: Self.preparationLimit).state
    }
    let json = try stateLock.withLock { _ throws(ConnectionError) in
      try requestBytes { SaveStatePart(offset: $0) }.bytes
    }
    do {
      let state = try JSONDecoder().decode(UnitState.self, from: Data(json))
      try MessageLimits.check(state, at: "result.data")
      return state
    } catch {
      throw violation(by: SaveStatePart.method, "result.data", "must be a state, but \(error)")
    }
  }

  /// Restores a state of the unit; in parts, if the node knows them.
  func restoreState(_ state: UnitState) throws(ConnectionError) {
    guard hasStateParts else {
      _ = try send(RestoreState(state: state), seconds: Self.preparationLimit)
      return
    }
    guard let json = (try? JSONEncoder().encode(state)).map({ [UInt8]($0) }) else {
      throw .refused(Self.unsendable)
    }
    if json.count > UnitState.longest {
      throw .refused(
        ProtocolError(
          .badState,
          "a state has at most \(UnitState.longest) bytes, but this one has \(json.count): save less"
        ))
    }
    try stateLock.withLock { _ throws(ConnectionError) in
      var offset = 0
      while offset < json.count {
        let (data, end) = json.base64Part(from: offset)
        _ = try send(
          LoadStatePart(data: data, offset: offset, total: json.count),
          seconds: Self.preparationLimit)
        offset = end
      }
    }
  }

  private var hasStateParts: Bool { features.withLock { $0.contains(Feature.stateParts) } }

  /// Returns the files of the unit; none for a node of an earlier version. The node may read them.
  func files() throws(ConnectionError) -> [UnitFile] {
    let hasFiles = features.withLock { $0.contains(Feature.files) }
    return hasFiles ? try send(GetFiles(), seconds: Self.preparationLimit).files : []
  }
}
