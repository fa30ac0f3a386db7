import NodeHost
import PluginNodes
import RenderCore

extension NodeCheck {
  /// The silence in frames in which denormal numbers arise.
  private static let tail = 4 * SubjectPlayer.rate

  /// Plays the scale under a probe, with changes of parameters, and then silence.
  ///
  /// - Returns: The figures of the scale, and of all.
  private func probe() throws(CheckFault) -> (scale: ProbeFigures, all: ProbeFigures) {
    let player = SubjectPlayer(subject, isProbed: true)
    let tree = try player.begin().parameters
    var stimulus = Stimulus.scale(at: SubjectPlayer.rate, subject.type)
    // Few plugins allocate in a cycle in which nothing changes.
    for (index, parameter) in tree.parameters.prefix(64).enumerated() where !parameter.isStepped {
      stimulus.changes.append(
        .init(frame: 4800 + 64 * index, index: index, value: parameter.defaultValue))
    }
    _ = try player.render(stimulus, cycle: 256)
    let scale = try figures(player)
    _ = try player.render(Stimulus(frames: Self.tail), cycle: 256)
    return (scale, try figures(player))
  }

  private func figures(_ player: SubjectPlayer) throws(CheckFault) -> ProbeFigures {
    ProbeFigures(
      try player.request { connection throws(ConnectionError) in try connection.unitFigures() })
  }

  func realtime() throws(CheckFault) -> CheckRow {
    let figures = try probe().scale
    if figures.cycles == 0 { return .unmeasured(.realtime, "no cycle was watched") }
    let calls = [
      ("allocates", figures.allocations), ("locks", figures.locks),
      ("system calls", figures.systemCalls ?? [:]),
    ]
    let counts = calls.map { CheckRow.Figure($0.0, Double($0.1.values.reduce(0, +)), "calls") }
    let watched =
      figures.systemCalls == nil
      ? "allocations and locks, but not system calls, which need Linux 5.11 on amd64"
      : "allocations, locks and system calls"
    let found = calls.filter { !$0.1.isEmpty }
    if found.isEmpty {
      return CheckRow(
        .realtime, .good, "nothing that may block",
        "\(figures.cycles) cycles were watched for \(watched)", counts)
    }
    let list = found.map { name, calls in
      "\(name): "
        + calls.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        .joined(separator: ", ")
    }
    return CheckRow(
      .realtime, subject.isHardRealtime ? .bad : .warning,
      found.map { name, calls in
        name == "system calls" ? "calls the system" : name
      }.joined(separator: ", "),
      "In \(figures.cycles) cycles of a render thread: \(list.joined(separator: "; ")). Each may wait for other threads."
        + (subject.isHardRealtime ? " The plugin promises hardRTCapable." : ""), counts)
  }

  func denormals() throws(CheckFault) -> CheckRow {
    let (scale, all) = try probe()
    guard let sounding = scale.denormalCycles, let total = all.denormalCycles else {
      return .unmeasured(.denormals, "this processor does not say that it computes with them")
    }
    let figures: [CheckRow.Figure] = [
      .init("in sound", Double(sounding), "cycles"),
      .init("in silence", Double(total - sounding), "cycles"),
      .init("of", Double(all.cycles), "cycles"),
    ]
    return total == 0
      ? CheckRow(
        .denormals, .good, "none",
        "in \(all.cycles) cycles of sound and of silence, without flushing them to zero",
        figures)
      : CheckRow(
        .denormals, .warning, "in \(total) of \(all.cycles) cycles",
        "\(sounding) of sound and \(total - sounding) of silence compute with denormal numbers, which takes many times as long in hosts that do not flush them to zero. Portative does.",
        figures)
  }
}
