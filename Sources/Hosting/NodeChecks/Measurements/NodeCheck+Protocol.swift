import Glibc
import LocalSystem
import NodeHost
import NodeProtocol
import RenderCore

// What only nodes have: messages, shared memory, connections that end.
extension NodeCheck {
  /// Sends what hosts send, in every state of a connection, right and wrong.
  func messages() throws(CheckFault) -> CheckRow {
    guard let node = subject.node else { return .unmeasured(.messages, "it is no node") }
    player.leaveProcess()
    let cases = MessageCase.all(for: node)
    var faults: [String] = []
    for example in cases {
      let fault: String?
      do throws(CheckFault) { fault = try example.check(node) } catch { fault = error.text }
      if let fault {
        faults.append("\(fault) after \(example.stage): \(example.packet.prefix(120))")
      }
      // What does not answer takes long each time.
      if faults.count == 5 { break }
    }
    let figures = [
      CheckRow.Figure("messages", Double(cases.count), "messages"),
      CheckRow.Figure("wrong", Double(faults.count), "messages"),
    ]
    return faults.isEmpty
      ? CheckRow(
        .messages, .good, "\(cases.count) answered right", "of every method, in every state",
        figures)
      : CheckRow(
        .messages, .bad,
        faults.count == 1 ? "one is answered wrong" : "\(faults.count) are answered wrong",
        faults.joined(separator: "; "), figures)
  }

  /// Sends unusable memory, and cycles that no host may ask for.
  func memory() throws(CheckFault) -> CheckRow {
    guard let node = subject.node else { return .unmeasured(.memory, "it is no node") }
    player.leaveProcess()
    let connection = try RawConnection(node)
    try connection.greet()
    try connection.open()
    var faults: [String] = []
    let request =
      #"{"id": 9, "method": "initialize", "params": {\#(node.formatText), "priority": 0}}"#
    for (name, descriptor) in unusableMemory(node) {
      let answer = try connection.ask(request, attached: descriptor.number)
      if answer.error?.code != "unusableMemory" {
        faults.append("\(name): \(answer.error?.code ?? "accepted")")
      }
      if answer.hasResult {
        _ = try connection.ask(#"{"id": 9, "method": "uninitialize"}"#)
      }
    }
    let segment = try connection.initialize()
    for (number, frames) in [(UInt32(1), UInt32(65)), (2, 0), (3, .max), (4, 64)] {
      if !answers(segment, number, frames: frames) {
        faults.append("a cycle of \(frames) frames is not answered")
        break
      }
    }
    if faults.isEmpty, (0..<64).contains(where: { !segment.output(channel: 0)[$0].isFinite }) {
      faults.append("silence is not finite")
    }
    return faults.isEmpty
      ? CheckRow(
        .memory, .good, "checked before it is used",
        "memory of another length and memory without seals are refused, and cycles of 0, 65 and 2³²−1 instead of 64 frames answered"
      )
      : CheckRow(
        .memory, .bad, faults[0],
        "\(faults.joined(separator: "; ")). A host can end a node that trusts its memory.")
  }

  private func unusableMemory(_ node: CheckedNode) -> [(String, OwnedDescriptor)] {
    var other = node.briefFormat
    other.maximumFrames = 4096
    var memory: [(String, OwnedDescriptor)] = []
    if let longer = try? Segment.make(other) {
      memory.append(("memory of another length", OwnedDescriptor(longer.descriptor)))
    }
    // Memory with everything that the node expects, except the seals: its length can change while the node uses it.
    var path = Array("/dev/shm/portative-check-XXXXXX".utf8CString)
    let unsealed = mkstemp(&path)
    if unsealed >= 0, let made = try? Segment.make(node.briefFormat) {
      unlink(path)
      let sealed = OwnedDescriptor(made.descriptor)
      var bytes = [UInt8](repeating: 0, count: SegmentLayout(node.briefFormat).size)
      let count = pread(sealed.number, &bytes, bytes.count, 0)
      if pwrite(unsealed, bytes, max(0, count), 0) == bytes.count {
        memory.append(("memory without seals", OwnedDescriptor(unsealed)))
      }
    }
    return memory
  }

  private func answers(_ segment: Segment, _ number: UInt32, frames: UInt32) -> Bool {
    segment.cycle.frames = frames
    segment.cycle.posted.store(number)
    segment.cycle.posted.wake()
    let end = MonotonicClock.now + 5_000_000_000
    while segment.cycle.answered.value != number {
      if MonotonicClock.now > end { return false }
      usleep(200)
    }
    return true
  }

  /// Sends what ends a connection.
  func refusal() throws(CheckFault) -> CheckRow {
    guard let node = subject.node else { return .unmeasured(.refusal, "it is no node") }
    let (silent, rude) = (try RawConnection(node), try RawConnection(node))
    var faults: [String] = []
    // Notifications are not answered, even unknown ones.
    for _ in 0..<20 { try rude.send(#"{"method": "fly"}"#) }
    var answers = 0
    while answers < 64 {
      // The connection may already be closed.
      guard (try? rude.send("x")) != nil, let answer = try rude.receive() else { break }
      if answer.error?.code != "badMessage" {
        faults.append("nonsense is answered with \(answer.error?.code ?? "a result")")
        break
      }
      answers += 1
    }
    if answers == 64 { faults.append("64 packets that are no messages do not end a connection") }
    if let reason = try silent.receive() {
      if reason.id != nil || reason.error == nil {
        faults.append("a host that sends no hello gets an answer that is no reason")
      }
      if try silent.receive() != nil {
        faults.append("a host that sends no hello is not disconnected")
      }
    } else {
      faults.append("a host that sends no hello is not told why it is disconnected")
    }
    return faults.isEmpty
      ? CheckRow(
        .refusal, .good, "with the reason",
        "a host that sends no hello and one that sends nonsense are disconnected")
      : CheckRow(.refusal, .warning, faults[0], faults.joined(separator: "; "))
  }

  private static let mostConnections = 1000
  private static let connectionLimit = Duration.seconds(20)

  /// Connects, initializes and disconnects many times, and compares what the process holds.
  func connections() throws(CheckFault) -> CheckRow {
    guard let node = subject.node else { return .unmeasured(.connections, "it is no node") }
    player.leaveProcess()
    func visit() throws(CheckFault) {
      let connection = try RawConnection(node)
      try connection.greet()
      try connection.open()
      let segment = try connection.initialize()
      if !answers(segment, 1, frames: 64) { throw CheckFault(text: "does not answer a cycle") }
    }
    // Caches and pools fill.
    for _ in 0..<20 { try visit() }
    var holdings: [ProcessHoldings] = []
    let end = ContinuousClock.now + Self.connectionLimit
    while holdings.count < Self.mostConnections, ContinuousClock.now < end {
      try visit()
      guard let now = ProcessHoldings(of: node.process) else {
        return .unmeasured(.connections, "/proc/\(node.process) cannot be read")
      }
      holdings.append(now)
    }
    // Threads that allocate have pools of their own, so that memory goes up and down: the least of each quarter counts.
    let count = holdings.count
    guard let before = holdings.prefix(count / 4).least,
      var after = holdings.suffix(count / 4).least
    else { return .unmeasured(.connections, "a connection takes longer than 2 s") }
    // The session of the last host may still end.
    for _ in 0..<50 where after.descriptors > before.descriptors {
      usleep(20_000)
      after.descriptors = ProcessHoldings(of: node.process)?.descriptors ?? after.descriptors
    }
    let figures: [CheckRow.Figure] = [
      .init("connections", Double(count), "connections"),
      .init("descriptors before", Double(before.descriptors), "descriptors"),
      .init("descriptors after", Double(after.descriptors), "descriptors"),
      .init("memory before", Double(before.memory >> 10), "kilobytes"),
      .init("memory after", Double(after.memory >> 10), "kilobytes"),
    ]
    if after.descriptors > before.descriptors + 2 {
      return CheckRow(
        .connections, .bad, "\(after.descriptors - before.descriptors) descriptors remain",
        "after \(count) connections. A node that runs for long runs out of them.", figures)
    }
    if after.memory > before.memory + before.memory / 10 + 1 << 20 {
      return CheckRow(
        .connections, .bad, "\((after.memory - before.memory) >> 10) kB remain",
        "after \(count) connections, of \(before.memory >> 10) kB before.", figures)
    }
    return CheckRow(
      .connections, .good, "\(count) leave nothing",
      "memory and descriptors of the process are as before", figures)
  }

  /// Sends `panic` while a note is held.
  func panic() throws(CheckFault) -> CheckRow {
    guard subject.node != nil else { return .unmeasured(.panic, "it is no node") }
    if !subject.type.takesMIDI { return .unmeasured(.panic, "it plays no notes") }
    if try !playScale().isAudible { return .unmeasured(.panic, "no note has sounded") }
    self.player.leaveProcess()
    let player = SubjectPlayer(subject, isProbed: true)
    defer { player.leaveProcess() }
    _ = try player.begin()
    let second = Stimulus(
      frames: SubjectPlayer.rate, notes: [.init(frame: 0, key: 60, length: nil)])
    let held = try player.render(second)
    if !held.isAudible { return .unmeasured(.panic, "key 60 has not sounded") }
    do throws(ConnectionError) { try subject.panic() } catch {
      if case .refused(let refusal) = error, refusal.code == .unknownMethod {
        return .unmeasured(.panic, "the node does not have this feature")
      }
      return CheckRow(.panic, .bad, "is refused", "\(error)")
    }
    for seconds in 1...10 {
      let peak = try player.render(Stimulus(frames: SubjectPlayer.rate)).peak
      if peak <= Recording.audible {
        return CheckRow(
          .panic, .good, "ends a held note", "within \(seconds) s",
          [.init("time", Double(seconds), "seconds")])
      }
    }
    return CheckRow(
      .panic, .bad, "a held note sounds on",
      "for 10 s after panic, which must end everything that sounds")
  }
}

/// What a process holds.
private struct ProcessHoldings {
  var descriptors: Int
  /// Bytes that no other process shares.
  var memory: Int

  /// - Returns: `nil` if this process may not read it.
  init?(of process: Int32) {
    guard let names = try? Folder.names(in: "/proc/\(process)/fd"),
      let status = try? WholeFile.read("/proc/\(process)/statm", limit: 4096)
    else { return nil }
    let pages = String(decoding: status, as: UTF8.self).split(separator: " ").compactMap { Int($0) }
    guard pages.count > 2 else { return nil }
    descriptors = names.count
    memory = (pages[1] - pages[2]) * sysconf(CInt(_SC_PAGESIZE))
  }
}

extension Collection<ProcessHoldings> {
  /// The least of each.
  fileprivate var least: ProcessHoldings? {
    guard var least = first else { return nil }
    for holdings in self {
      least.descriptors = Swift.min(least.descriptors, holdings.descriptors)
      least.memory = Swift.min(least.memory, holdings.memory)
    }
    return least
  }
}
