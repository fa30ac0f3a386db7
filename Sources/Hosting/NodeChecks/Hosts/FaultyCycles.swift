import Glibc
import LocalSystem
import NodeProtocol
import RenderCore
import Synchronization

/// The render thread of a ``FaultyNode``: answers the cycles of a host with silence until its fault appears, and checks what the host
/// requests.
///
/// Threads: any.
final class FaultyCycles: Sendable {
  /// The time in which a host stops that has been told what cannot be true.
  private static let reaction = Duration.seconds(1)

  private let isOver = Atomic(false)
  private let segment: Segment
  private let fault: HostFault
  private let socket: PacketSocket
  private let node: FaultyNode

  /// - Parameter hasLied: Whether a false answer was sent on the connection, so that no host should request a cycle.
  init(
    _ segment: Segment, _ fault: HostFault, hasLied: Bool, _ socket: PacketSocket,
    _ node: FaultyNode
  ) throws(SystemError) {
    (self.segment, self.fault, self.socket, self.node) = (segment, fault, socket, node)
    try SystemThread(name: "check-cycles") { [self] in run(hasLied: hasLied) }.detach()
  }

  func stop() { isOver.store(true, ordering: .relaxed) }

  private func run(hasLied: Bool) {
    let memory = RenderMemory()
    defer { memory.release() }
    var reader = EventReader(segment, .toNode, in: memory)
    var random = RandomWords()
    var number: UInt32 = 0
    var next = Int64.min
    // When the host was told what cannot be true.
    var lieTime = hasLied ? ContinuousClock.now - Self.reaction : nil
    let cycle = segment.cycle
    while !isOver.load(ordering: .relaxed) {
      let posted = cycle.posted.value
      if posted == number {
        cycle.posted.wait(while: posted, until: MonotonicClock.now + 50_000_000)
        continue
      }
      if posted != number &+ 1 { node.blame("requests cycle \(posted) after cycle \(number)") }
      number = posted
      next = check(&reader, after: next)
      node.observe { seen in
        seen.cycles += 1
        if let lieTime, .now - lieTime >= Self.reaction { seen.believesLie = true }
      }
      if number > HostFault.healthyCycles {
        if fault.isLie { lieTime = lieTime ?? .now }
        if appear(&random, number) { continue }
      }
      cycle.answered.store(posted)
      cycle.answered.wake()
    }
  }

  /// Checks a requested cycle.
  ///
  /// - Parameter next: The position at which it should begin, at the earliest.
  /// - Returns: The position after it.
  private func check(_ reader: inout EventReader, after next: Int64) -> Int64 {
    let (frames, position) = (Int(segment.cycle.frames), segment.cycle.position)
    let format = segment.layout.format
    if !(1...format.maximumFrames).contains(frames) {
      node.blame("requests \(frames) frames, but has announced at most \(format.maximumFrames)")
      return next
    }
    if position < next { node.blame("requests a cycle at \(position), which is before \(next)") }
    // What it reads is meaningless after random words.
    if fault != .writesEverywhere {
      let events = reader.next(from: position, frames: frames)
      let count = events.events.count + reader.parameters.count
      node.observe { $0.events += count }
      if reader.malformed > 0 { node.blame("sends malformed events") }
    }
    for channel in 0..<format.outputChannels {
      segment.output(channel: channel).update(repeating: 0, count: frames)
    }
    let (end, overflows) = position.addingReportingOverflow(Int64(frames))
    return overflows ? next : end
  }

  /// Lets the fault appear.
  ///
  /// - Returns: Whether the cycle has no answer.
  private func appear(_ random: inout RandomWords, _ number: UInt32) -> Bool {
    if fault.method == nil, fault != .none { node.noteFault() }
    let isFirst = number == UInt32(HostFault.healthyCycles) + 1
    switch fault {
    case .answersNoCycle: return true
    case .answersLate: usleep(30_000)
    case .endsInCycle:
      socket.shutDown()
      return true
    case .writesEverywhere: random.write(to: segment)
    case .playsNaN:
      let format = segment.layout.format
      for channel in 0..<format.outputChannels {
        segment.output(channel: channel).update(
          repeating: number % 2 == 0 ? .nan : .infinity, count: format.maximumFrames)
      }
    case .parks:
      if isFirst { send(PortParked(reason: .notRendered)) }
      return true
    case .removesPort where isFirst:
      send(PortRemoved())
      socket.shutDown()
    case .laterLatency where isFirst: send(TimingChanged(latency: 1 << 62, tail: nil))
    case .sendsNotifications where isFirst:
      flood { _ in try MessageEncoder.notification(SettingsChanged()) }
    case .sendsCommands where isFirst:
      flood { try MessageEncoder.request(TransportCommand(.togglePlay), id: $0) }
    default: break
    }
    return false
  }

  private func send(_ notification: some NodeProtocol.Notification) {
    guard let packet = try? MessageEncoder.notification(notification) else { return }
    try? socket.send(packet)
  }

  /// Sends many packets from another thread, as fast as the host reads them.
  private func flood(_ packet: @escaping @Sendable (UInt32) throws -> [UInt8]) {
    let thread = try? SystemThread(name: "check-flood") { [self] in
      for id in UInt32(1)...100_000 where !isOver.load(ordering: .relaxed) {
        guard let packet = try? packet(id), (try? socket.send(packet)) != nil else { return }
      }
    }
    thread?.detach()
  }
}
