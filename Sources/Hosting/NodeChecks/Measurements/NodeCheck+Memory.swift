import Glibc
import LocalSystem
import NodeProtocol
import RenderCore

// The memory that a node shares with its host.
extension NodeCheck {
  /// Sends unusable memory, and cycles that no host may ask for.
  func memory() throws(CheckFault) -> CheckRow {
    let node = try node
    player.leaveProcess()
    let connection = try RawConnection(node, at: .opened)
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
      if !connection.answersCycle(number, frames: frames) {
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
    if unsealed >= 0 { unlink(path) }
    let file = OwnedDescriptor(unsealed)
    if unsealed >= 0, let made = try? Segment.make(node.briefFormat) {
      let sealed = OwnedDescriptor(made.descriptor)
      var bytes = [UInt8](repeating: 0, count: SegmentLayout(node.briefFormat).size)
      let count = pread(sealed.number, &bytes, bytes.count, 0)
      if pwrite(unsealed, bytes, max(0, count), 0) == bytes.count {
        memory.append(("memory without seals", file))
      }
    }
    return memory
  }

  private static let mostCycles = 20_000
  private static let cycleLimit = Duration.seconds(20)

  /// Writes random words to the events, the transports and all else that the node reads, before each cycle.
  func events() throws(CheckFault) -> CheckRow {
    let node = try node
    player.leaveProcess()
    var random = RandomWords()
    let end = ContinuousClock.now + Self.cycleLimit
    var cycles = 0
    while cycles < Self.mostCycles, ContinuousClock.now < end, Interruption.signal == nil {
      // Again and again, because what was written can leave the unit silent.
      let connection = try RawConnection(node, at: .opened)
      let segment = try connection.initialize()
      for number in 1...UInt32(500) {
        random.write(to: segment)
        if !connection.answersCycle(
          number, frames: number % 4 == 0 ? random.word() : 1 + number % 64)
        {
          return CheckRow(
            .events, .bad, "ends or hangs",
            "after \(cycles) cycles with random events. A host with a fault, or a hostile one, can end the node."
          )
        }
        cycles += 1
      }
    }
    let connection = try RawConnection(node, at: .opened)
    let segment = try connection.initialize()
    let isFinite =
      connection.answersCycle(1, frames: 64)
      && (0..<64).allSatisfy { segment.output(channel: 0)[$0].isFinite }
    return isFinite
      ? CheckRow(
        .events, .good, "\(cycles) random cycles answered",
        "with random events, transports, counters and audio",
        [.init("cycles", Double(cycles), "cycles")])
      : CheckRow(
        .events, .bad, "plays NaN afterwards", "A new unit plays what an earlier one has received.")
  }
}
