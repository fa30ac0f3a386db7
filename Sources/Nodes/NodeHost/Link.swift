import Dispatch
import NodeProtocol
import RenderCore
import Synchronization
import Threads

/// What a connection and the thread that watches its socket have in common.
///
/// The thread holds on to this and not to the connection, so that dropping a connection ends it.
final class Link: @unchecked Sendable {
  let phase: AtomicConnectionState
  let onChange = Mutex<(@Sendable (ConnectionState) -> Void)?>(nil)
  let onNotice = Mutex<(@Sendable (ConnectionNotice) -> Void)?>(nil)
  let onCommand = Mutex<(@Sendable (RemoteCommand) -> Bool)?>(nil)
  /// What the unit says of its time, as far as it is known.
  let timing = Mutex(UnitTiming())
  /// Called once, when the connection is over.
  let onEnd = Mutex<(@Sendable (Link) -> Void)?>(nil)
  private let channel: ControlChannel
  private let run = Mutex(Run())
  private let word: UnsafeMutablePointer<UInt32>
  /// Where changes are told, so that whoever hears of one may ask the node something.
  private let changes = DispatchQueue(label: "portative-changes")
  /// What ``timing`` was when it was told last, if it is to be told: once for all changes meanwhile.
  private let untold = Mutex<UnitTiming?>(nil)
  /// Commands and the like that wait to be told.
  private let waiting = Atomic(0)

  /// What lies between one initialization and the next.
  private struct Run {
    /// There are cycles, or soon will be: the render thread may park the connection.
    var isWatched = false
    var segment: Segment?
    var isParkTold = false
  }

  /// Seconds that a node has to answer, and to load what a unit needs.
  static let answerLimit = 5.0
  static let preparationLimit = 60.0
  /// Commands and the like that may wait, of a node that says more of them than its host can deal with.
  private static let queuedNoticeLimit = 64
  /// Packets that a list may take: as many megabytes as no honest one has.
  private static let mostParts = 256
  /// Milliseconds between two looks whether the render thread has parked the connection.
  private static let lookInterval = 100

  init(_ socket: PacketSocket) throws(SystemError) {
    channel = ControlChannel(socket)
    word = .allocate(capacity: 1)
    word.initialize(to: 0)
    phase = AtomicConnectionState(at: word)
    try SystemThread(name: "portative-link") { self.watch() }.detach()
  }

  deinit { word.deallocate() }

  /// The process at the other end, as the kernel knows it.
  var peerProcess: Int32? { channel.peerProcess }

  var status: ConnectionState {
    if let reason = phase.lossReason { return .lost(reason) }
    if let reason = phase.parkReason { return .parked(reason) }
    return run.withLock { $0.segment.map { .initialized($0.layout.format) } } ?? .open
  }

  func ask(
    _ message: HostMessage, attached: CInt? = nil, seconds: Double
  ) throws(ConnectionError) -> NodeMessage {
    if phase.lossReason != nil { throw loss }
    let answer: NodeMessage
    do throws(ControlChannel.AskError) {
      answer = try channel.ask(message, attached: attached, seconds: seconds)
    } catch {
      switch error {
      case .ended(let end):
        self.end(end)
        throw loss
      case .unsendable: throw .refused(Self.unsendable)
      }
    }
    if case .refused(let refusal) = answer { throw .refused(refusal) }
    return answer
  }

  /// Asks for a list that comes in parts, as each packet holds.
  ///
  /// - Parameter part: Asks for what comes after the first so many, and for how many there are in all.
  func askAll<Item>(
    _ part: (_ first: Int) throws(ConnectionError) -> (items: [Item], count: Int)
  ) throws(ConnectionError) -> [Item] {
    var all: [Item] = []
    for _ in 0..<Self.mostParts {
      let (items, count) = try part(all.count)
      all += items
      if items.isEmpty || all.count >= count { return all }
    }
    throw violated()
  }

  /// What a request fails with when the connection is over.
  private var loss: ConnectionError {
    channel.farewell.map { .refused($0) } ?? .connectionLost(phase.lossReason ?? .nodeEnded)
  }

  private static var unsendable: ProtocolError {
    ProtocolError(
      .badMessage,
      "a message to a node has at most \(PacketSocket.limit) bytes and no number that is infinite "
        + "or none, but this one has: send less")
  }

  func tell(_ message: HostMessage) { channel.tell(message) }

  /// Ends a connection whose node answers what was not asked.
  func violated() -> ConnectionError {
    end(.nonsense)
    return .connectionLost(phase.lossReason ?? .nonsense)
  }

  /// To be called before the node is asked to initialize, and may be on its own in doing anything.
  func prepare() { run.withLock { $0.isWatched = true } }

  /// Lets cycles be rendered into `segment`.
  func start(_ segment: Segment) {
    run.withLock { $0.segment = segment }
    phase.run()
  }

  /// Lets no more cycles be rendered, and lets go of the memory.
  func stop() {
    run.withLock { run in
      // Before anything else is said: a node that heard it later would park what comes next.
      _ = tellParked(&run)
      phase.stop()
      run = Run()
    }
  }

  /// The thread that watches does the rest. Threads: any.
  func close() {
    phase.lose(.closed)
    channel.close()
  }

  private func watch() {
    let end = channel.listen(
      every: { self.run.withLock { $0.isWatched } ? Self.lookInterval : nil }
    ) {
      // Should the keeper of deadlines not get to run, no wait is longer than this interval.
      self.run.withLock { $0.segment?.cycle.answered.wake() }
      if self.run.withLock({ self.tellParked(&$0) }) { self.changed() }
    } hear: { message in
      switch message {
      case .parked(let reason): self.hearParked(reason)
      case .withdrawn: self.lose(.portWithdrawn)
      case .changed(let latency, let tail): self.hearTiming(UnitTiming(latency, tail))
      case .show: self.inTurn { self.notice(.show) }
      case .command(let command, let number): self.inTurn { self.obey(command, number) }
      default: break
      }
    }
    self.end(end)
    onEnd.withLock { $0.take() }?(self)
  }

  /// Says for the render thread, which cannot, that it has parked the connection.
  ///
  /// - Returns: Whether there was anything to say.
  private func tellParked(_ run: inout Run) -> Bool {
    guard run.segment != nil, !run.isParkTold, let reason = phase.parkReason else { return false }
    run.isParkTold = true
    channel.tell(.park(reason: reason))
    return true
  }

  private func hearParked(_ reason: ParkReason) {
    let isNews = run.withLock { run in
      guard phase.park(reason) else { return false }
      run.isParkTold = true
      return true
    }
    if isNews {
      wakeRenderThread()
      changed()
    }
  }

  private func hearTiming(_ new: UnitTiming) {
    let isFirst = untold.withLock { untold in
      let old = timing.withLock { timing in
        defer { timing = new }
        return timing
      }
      if untold != nil { return false }
      untold = old
      return true
    }
    if isFirst { changes.async { self.tellTiming() } }
  }

  private func tellTiming() {
    let (old, new) = untold.withLock { ($0.take(), timing.withLock { $0 }) }
    guard let old else { return }
    if new.latency != old.latency { notice(.latency(new.latency)) }
    if new.tail != old.tail { notice(.tail(new.tail)) }
  }

  private func notice(_ notice: ConnectionNotice) { onNotice.withLock { $0 }?(notice) }

  private func obey(_ command: RemoteCommand, _ number: UInt32) {
    let isDone = onCommand.withLock { $0 }?(command) ?? false
    tell(.commanded(number: number, isDone: isDone))
  }

  /// Does something where changes are told. While too much waits there, it is forgotten instead.
  private func inTurn(_ work: @escaping @Sendable () -> Void) {
    let count = waiting.wrappingAdd(1, ordering: .relaxed).newValue
    if count > Self.queuedNoticeLimit {
      waiting.wrappingSubtract(1, ordering: .relaxed)
      return
    }
    changes.async {
      work()
      self.waiting.wrappingSubtract(1, ordering: .relaxed)
    }
  }

  private func end(_ end: ControlChannel.End) {
    switch end {
    case .peerGone: lose(.nodeEnded)
    case .noAnswer: lose(.noAnswer)
    case .nonsense: lose(.nonsense)
    }
    channel.close()
  }

  /// The first reason stays, so it may be called more than once.
  private func lose(_ reason: LossReason) {
    let isNews = phase.lose(reason)
    wakeRenderThread()
    if isNews { changed() }
  }

  /// Makes a render thread that waits for the node, or is just about to, look up: what it waits for changes.
  /// The node is gone or has let go of the memory, so nobody else writes it.
  private func wakeRenderThread() {
    run.withLock { run in
      guard let answered = run.segment?.cycle.answered else { return }
      // Twice in a row must not bring back what it was.
      answered.store(answered.value &+ 1 << 30)
      answered.wake()
    }
  }

  private func changed() {
    let status = status
    changes.async { self.onChange.withLock { $0 }?(status) }
  }
}
