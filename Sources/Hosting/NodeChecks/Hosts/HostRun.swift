import FoundationEssentials
import Glibc
import LocalSystem
import NodeProtocol

/// A host program that has played a node with a fault, and how it has ended.
struct HostRun {
  /// How the program came to its end.
  enum End: Equatable { case byItself, atSignal, never }

  let fault: HostFault
  let observation: FaultyNode.Observation
  let ending: DetachedProgram.Ending?
  let end: End
  /// By how much its memory has grown after the first cycles, or since the fault, in bytes.
  let growth: Int
  /// Whether it has shown control characters of the node's message.
  let showsHiddenText: Bool

  /// Text with an escape sequence that would colour a terminal, as JSON has it, and its raw beginning.
  static let hiddenText = #"\u001b[31mcheck"#
  private static let rawText = "\u{1B}[31mcheck"

  /// The longest waits: for a connection, for what a host does after the fault, for a host that plays a node without a fault, and for
  /// its end after SIGTERM.
  private static let connectionLimit = Duration.seconds(10)
  private static let reactionLimit = Duration.seconds(3)
  private static let playLimit = Duration.seconds(20)
  private static let endLimit = Duration.seconds(5)
  /// The memory that a host may use for what a node sends without being asked.
  private static let mostGrowth = 64 << 20

  /// Starts a host for a node with a fault, and waits until it has ended or reacted.
  ///
  /// - Parameter showsLog: Whether what it writes appears on standard error.
  init(
    _ path: String, _ arguments: [String], _ fault: HostFault, _ type: PortType, showsLog: Bool
  ) throws(Failure) {
    let folders = try CheckFolders()
    let node = try FaultyNode(fault, type, in: folders.environment)
    defer { node.close() }
    let others = fault == .leavesFiles ? try Self.leaveFiles(in: folders) : []
    defer { others.forEach { $0.close() } }
    let logPath = "\(folders.path)/log"
    let log = OwnedDescriptor(open(logPath, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600))
    let host = try CheckedProgram(path, arguments, in: folders, log: log.number)
    let program = host.program

    let begin = ContinuousClock.now
    var before: Int?
    var growth = 0
    while program.ending == nil, Interruption.signal == nil {
      usleep(10_000)
      let (seen, now) = (node.observation, ContinuousClock.now)
      if seen.faultTime != nil || seen.cycles > HostFault.healthyCycles {
        let memory = ProcessHoldings(of: program.pid)?.memory ?? 0
        before = before ?? memory
        growth = max(growth, memory - (before ?? 0))
      }
      let limit =
        seen.connections == 0
        ? begin + Self.connectionLimit
        : seen.faultTime.map { $0 + Self.reactionLimit } ?? begin + Self.playLimit
      if now > limit { break }
    }
    var end = End.byItself
    if program.ending == nil {
      _ = Glibc.kill(program.pid, SIGTERM)
      end = program.waitForEnd(atMost: Self.endLimit) == nil ? .never : .atSignal
    }
    (self.fault, self.end, self.growth) = (fault, end, growth)
    ending = program.ending
    observation = node.observation
    let text = (try? WholeFile.read(logPath, limit: 1 << 24)) ?? []
    showsHiddenText = String(decoding: text, as: UTF8.self).contains(Self.rawText)
    if showsLog {
      let shown = Array("-- \(fault.description)\n".utf8) + text
      _ = Glibc.write(STDERR_FILENO, shown, shown.count)
    }
  }

  /// Makes what no host may trust or wait for.
  ///
  /// - Returns: Nodes that run, with damaged records.
  private static func leaveFiles(in folders: CheckFolders) throws(Failure) -> [RunningNode] {
    let directories = NodeDirectories(folders.environment)
    let folder = directories.runtime
    for name in ["a.lock", "b.json", "c.socket", "portative.lock"] {
      mkfifo("\(folder)/\(name)", 0o600)
    }
    for name in ["d.json", "e.lock"] { symlink("/dev/zero", "\(folder)/\(name)") }
    for name in ["f.json", "g.lock", "h.socket"] { mkdir("\(folder)/\(name)", 0o700) }
    let records = [
      "{", String(repeating: "[", count: 100_000), "[]", "{}",
      #"{"name": "../x", "processID": -1}"#,
      #"{"name": 5, "processID": "x", "ports": [{"name": "Check: Port", "subtype": "chck"}]}"#,
    ]
    do {
      return try ([""] + records).enumerated().map { index, record in
        let name = "0damaged\(index)"
        let node = try RunningNode.claim(name, in: directories)
        let path = "\(folder)/\(name).json"
        if record.isEmpty {
          // 1 GiB of zeros that occupies no disk.
          truncate(path, 1 << 30)
        } else {
          try Data(record.utf8).write(to: URL(filePath: path))
        }
        return node
      }
    } catch {
      throw Failure(.failed, "cannot make damaged records for the host: \(error)")
    }
  }

  /// Returns what is wrong; `nil` if nothing is.
  ///
  /// - Parameter usualGrowth: The growth of its memory with a node without a fault, such as that of a host that collects the sound.
  func problem(usualGrowth: Int) -> (verdict: CheckRow.Verdict, text: String)? {
    let subject = fault.description
    if case .signalled(let signal)? = ending, end == .byItself || signal != SIGTERM {
      return (.bad, "\(subject): ended by signal \(signal)")
    }
    if end == .never { return (.bad, "\(subject): SIGTERM does not end it within 5 s") }
    if observation.connections == 0 {
      let how = ending.map { "it \($0)" } ?? "it runs"
      return (.bad, "\(subject): it does not connect within 10 s (\(how))")
    }
    if let sentence = observation.faults.first { return (.bad, "\(subject): it \(sentence)") }
    if observation.believesLie {
      return fault.isOfUse
        ? (.bad, "\(subject): it plays all the same")
        : (.warning, "\(subject): it plays all the same, which is wrong if it uses that")
    }
    if showsHiddenText { return (.bad, "\(subject): it shows them unchanged") }
    if growth - usualGrowth > Self.mostGrowth {
      return (.bad, "\(subject): its memory grows by \(growth >> 20) MB")
    }
    if fault.method == nil, observation.cycles <= HostFault.healthyCycles {
      return (
        .bad,
        "\(subject): it requests only \(observation.cycles) cycles, and more than 20 are needed"
      )
    }
    if !fault.isHarmless, end == .byItself, ending == .exited(status: 0) {
      return (.warning, "\(subject): it ends with exit code 0, so that no script learns of it")
    }
    if fault == .none, end == .byItself, ending != .exited(status: 0) {
      return (
        .warning,
        "\(subject): it \(ending.map(\.description) ?? "ends"), although nothing was wrong"
      )
    }
    return nil
  }
}
