import Glibc
import LocalSystem

// What connections leave.
extension NodeCheck {
  private static let mostConnections = 1000
  private static let connectionLimit = Duration.seconds(20)

  /// Connects and disconnects many times, in each state and while a cycle is rendered, as a host does that is killed, and compares what
  /// the process holds.
  func connections() throws(CheckFault) -> CheckRow {
    let node = try node
    player.leaveProcess()
    func visit(_ number: Int) throws(CheckFault) {
      let stages: [RawConnection.Stage] = [.initialized, .connected, .greeted, .opened]
      let stage = stages[number % 8 < 4 ? 0 : number % 4]
      let connection = try RawConnection(node, at: stage)
      if stage != .initialized { return }
      if number % 2 == 0 { return connection.requestCycle(1, frames: 64) }
      if !connection.answersCycle(1, frames: 64) {
        throw CheckFault(text: "does not answer a cycle")
      }
    }
    // Caches and pools fill.
    for number in 0..<24 { try visit(number) }
    var holdings: [ProcessHoldings] = []
    let end = ContinuousClock.now + Self.connectionLimit
    while holdings.count < Self.mostConnections, ContinuousClock.now < end,
      Interruption.signal == nil
    {
      try visit(holdings.count)
      guard let now = ProcessHoldings(of: node.process) else {
        return .unmeasured(.connections, "/proc/\(node.process) cannot be read")
      }
      holdings.append(now)
    }
    // Threads that allocate have pools of their own, so that memory goes up and down: the least of each quarter counts.
    let count = holdings.count
    let quarters = (0..<4).compactMap { holdings[$0 * count / 4..<($0 + 1) * count / 4].least }
    guard let before = quarters.first, var after = quarters.last, quarters.count == 4 else {
      return .unmeasured(.connections, "a connection takes longer than 2 s")
    }
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
    // What leaks grows all the time; a pool, once.
    let growth = after.memory - before.memory
    let isSteady = zip(quarters, quarters.dropFirst()).allSatisfy {
      $1.memory - $0.memory > growth / 6
    }
    if growth > before.memory / 10 + 1 << 20, isSteady {
      return CheckRow(
        .connections, .bad, "\(growth >> 10) kB remain",
        "after \(count) connections, of \(before.memory >> 10) kB before.", figures)
    }
    return CheckRow(
      .connections, .good, "\(count) leave nothing",
      "memory and descriptors of the process are as before", figures)
  }
}
