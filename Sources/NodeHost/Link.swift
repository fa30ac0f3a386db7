import HostConnection
import RenderCore
import Synchronization

/// What a connection and the thread that watches its socket have in common.
///
/// The thread holds on to this and not to the connection, so that dropping a connection ends it.
final class Link: @unchecked Sendable {
  let phase: PhaseWord
  let onChange = Mutex<(@Sendable (ConnectionState) -> Void)?>(nil)
  /// Called once, when the connection is over.
  let onEnd = Mutex<(@Sendable (Link) -> Void)?>(nil)
  private let channel: ControlChannel
  private let segment = Mutex<Segment?>(nil)
  private let word: UnsafeMutablePointer<UInt32>

  /// Seconds that a node has to answer, and to load what a unit needs.
  static let answerLimit = 5.0
  static let preparationLimit = 60.0
  /// Milliseconds between two looks whether the render thread has parked the connection.
  private static let lookInterval = 100

  init(_ socket: PacketSocket) throws(SystemError) {
    channel = ControlChannel(socket)
    word = .allocate(capacity: 1)
    word.initialize(to: 0)
    phase = PhaseWord(at: word)
    try SystemThread(name: "portative-link") { self.watch() }.detach()
  }

  deinit { word.deallocate() }

  /// The process at the other end, as the kernel knows it.
  var peerProcess: Int32? { channel.peerProcess }

  var status: ConnectionState {
    if let reason = phase.lossReason { return .lost(reason) }
    if let reason = phase.parkReason { return .parked(reason) }
    return segment.withLock { $0.map { .initialized($0.layout.format) } } ?? .open
  }

  func ask(
    _ message: HostMessage, attached: CInt? = nil, seconds: Double
  ) throws(ConnectionError) -> NodeMessage {
    if let reason = phase.lossReason { throw .connectionLost(reason) }
    let answer: NodeMessage
    do throws(ControlChannel.End) {
      answer = try channel.ask(message, attached: attached, seconds: seconds)
    } catch {
      end(error)
      throw .connectionLost(phase.lossReason ?? .nodeEnded)
    }
    if case .refused(let refusal) = answer { throw .refused(refusal) }
    return answer
  }

  func tell(_ message: HostMessage) { channel.tell(message) }

  /// Ends a connection whose node answers what was not asked.
  func violated() -> ConnectionError {
    end(.nonsense)
    return .connectionLost(phase.lossReason ?? .nonsense)
  }

  /// Lets cycles be rendered into `segment`.
  func run(_ segment: Segment) {
    self.segment.withLock { $0 = segment }
    phase.run()
  }

  /// Lets no more cycles be rendered, and lets go of the memory.
  func stop() {
    phase.stop()
    segment.withLock { $0 = nil }
  }

  /// The thread that watches does the rest.
  func close() {
    phase.lose(.closed)
    channel.close()
  }

  private func watch() {
    var parked = false
    let end = channel.listen(
      every: { self.segment.withLock { $0 } == nil ? nil : Self.lookInterval }
    ) {
      // The render thread cannot send.
      let reason = self.phase.parkReason
      if let reason, !parked { self.parked(reason, isOurs: true) }
      parked = reason != nil
    } hear: { message in
      switch message {
      case .parked(let reason):
        if self.phase.park(reason) { self.parked(reason, isOurs: false) }
        parked = true
      case .withdrawn: self.phase.lose(.portWithdrawn)
      default: break
      }
    }
    self.end(end)
    onEnd.withLock { $0.take() }?(self)
  }

  private func parked(_ reason: ParkReason, isOurs: Bool) {
    if isOurs { channel.tell(.park(reason: reason)) }
    wakeRenderThread()
    changed()
  }

  /// The first reason stays, so it may be called more than once.
  private func end(_ end: ControlChannel.End) {
    let isNews = phase.lossReason == nil
    switch end {
    case .peerGone: phase.lose(.nodeEnded)
    case .noAnswer: phase.lose(.noAnswer)
    case .nonsense: phase.lose(.nonsense)
    }
    channel.close()
    wakeRenderThread()
    if isNews { changed() }
  }

  /// Makes a render thread that waits for the node, or is just about to, look up: what it waits for changes.
  /// The node is gone or has let go of the memory, so nobody else writes it.
  private func wakeRenderThread() {
    segment.withLock { segment in
      guard let answered = segment?.cycle.answered else { return }
      // Twice in a row must not bring back what it was.
      answered.store(answered.value &+ 1 << 30)
      answered.wake()
    }
  }

  private func changed() { onChange.withLock { $0 }?(status) }
}
