import NodeHost
import NodeProtocol
import RenderCore

extension NodeCheck {
  /// The frames in which a unit takes its values, before it is compared.
  private static let settling = 9600

  func state() throws(CheckFault) -> CheckRow {
    let scale = Stimulus.scale(at: SubjectPlayer.rate, subject.type)
    let faults = player.faults
    player.leaveProcess()
    let tree = try player.begin().parameters
    let values = Dictionary(
      tree.parameters.filter { !$0.isStepped }.map { ($0.identifier, $0.between) }
    ) { $1 }
    try player.request { connection throws(ConnectionError) in
      try connection.setParameters(values)
    }
    _ = try player.render(Stimulus(frames: Self.settling))
    let saved: UnitState
    do throws(CheckFault) {
      saved = try player.request { connection throws(ConnectionError) in
        try connection.saveState()
      }
    } catch {
      // A state may be too long for a connection, which is no fault of the plugin.
      if player.faults == faults { return .unmeasured(.state, error.text) }
      throw error
    }
    let expected = try player.render(scale)
    // A unit with the same values, in another second.
    player.leaveProcess()
    waitForNextSecond()
    _ = try player.begin()
    try player.request { connection throws(ConnectionError) in
      try connection.setParameters(values)
    }
    _ = try player.render(Stimulus(frames: Self.settling))
    let isComparable = try player.render(scale).hasBits(of: expected)

    let figures: [CheckRow.Figure] = [
      .init("parameters", Double(saved.parameters.count), "parameters"),
      .init("state", Double(saved.data.utf8.count * 3 / 4), "bytes"),
    ]
    var difference = Float.infinity
    // A few plugins play something else once in a while.
    for _ in 0..<3 where difference > 0 {
      switch try restore(saved) {
      case .refused(let reason): return CheckRow(.state, .bad, "cannot be restored", reason)
      case .lost(let parameter):
        return CheckRow(
          .state, .bad, "parameter \(parameter) is lost",
          "a new instance with the saved state has another value of it", figures)
      case .played(let played):
        difference =
          played.hasBits(of: expected)
          ? 0 : min(difference, played.largestDifference(from: expected))
      }
      if !isComparable { break }
    }
    if !isComparable {
      return CheckRow(
        .state, .good, "parameters restored",
        "The sound cannot be compared, because two instances with the same values differ, too.",
        figures)
    }
    if difference == 0 {
      return CheckRow(
        .state, .good, "restored, the same bits",
        "a new instance with the saved state and \(saved.parameters.count) parameters plays as the old one",
        figures)
    }
    let isWrong = difference > Recording.audible
    return CheckRow(
      .state, isWrong ? .bad : .warning, "differs by \(levelText(difference))",
      isWrong
        ? "A new instance with the saved state does not play as the old one: songs sound different when they are opened again."
        : "a new instance with the saved state plays nearly as the old one",
      figures + [.init("difference", Double(difference), "full scale")])
  }

  private enum Restored {
    case refused(String)
    case lost(parameter: String)
    case played(Recording)
  }

  /// Plays a new unit with a state, in a new process.
  private func restore(_ saved: UnitState) throws(CheckFault) -> Restored {
    // A port may have one host at a time.
    player.leaveProcess()
    let other = SubjectPlayer(subject.withoutPreset)
    _ = try other.begin()
    do throws(CheckFault) {
      try other.request { connection throws(ConnectionError) in
        try connection.restoreState(saved)
      }
    } catch {
      return .refused(error.text)
    }
    _ = try other.render(Stimulus(frames: Self.settling))
    let restored = try other.request { connection throws(ConnectionError) in
      try connection.saveState()
    }
    if let lost = firstDifference(saved, restored) { return .lost(parameter: lost) }
    return .played(try other.render(.scale(at: SubjectPlayer.rate, subject.type)))
  }

  private func firstDifference(_ first: UnitState, _ second: UnitState) -> String? {
    first.parameters.sorted { $0.key < $1.key }.first { name, value in
      guard let other = second.parameters[name] else { return true }
      return abs(other - value) > max(1e-6, abs(value) * 1e-5)
    }?.key
  }

  /// The frames that each value of a parameter is played.
  private static let frames = 2048
  private static let mostParameters = 256
  private static let mostPresets = 128
  private static let limit = Duration.seconds(20)
  /// A level above this, 40 dB over the full scale, is reported.
  private static let loud: Float = 100

  func parameters() throws(CheckFault) -> CheckRow {
    let tree = try player.begin().parameters
    if tree.parameters.isEmpty { return .unmeasured(.parameters, "it has none") }
    let end = ContinuousClock.now + Self.limit
    var faults: [String] = []
    var (checked, loudest) = (0, (level: Float(0), name: ""))
    for (index, parameter) in tree.parameters.prefix(Self.mostParameters).enumerated()
    where ContinuousClock.now < end && faults.count < 3 {
      checked += 1
      do throws(CheckFault) {
        for value in [parameter.minimum, parameter.maximum, parameter.defaultValue] {
          let run = try player.render(stimulus(index, value))
          let named = "\(parameter.identifier)=\(value)"
          if run.invalidSamples > 0 { faults.append("\(named) gives NaN or infinite samples") }
          if run.peak > loudest.level { loudest = (run.peak, named) }
        }
      } catch {
        faults.append("\(parameter.identifier): \(error.text)")
        _ = try player.begin()
      }
    }
    let figures: [CheckRow.Figure] = [
      .init("parameters", Double(checked), "parameters"),
      .init("peak", Double(loudest.level), "full scale"),
    ]
    if let fault = faults.first {
      return CheckRow(.parameters, .bad, fault, faults.joined(separator: "; "), figures)
    }
    if loudest.level > Self.loud {
      return CheckRow(
        .parameters, .warning, "peak \(levelText(loudest.level))",
        "\(loudest.name) is louder than 40 dB over the full scale", figures)
    }
    return CheckRow(
      .parameters, .good, "\(checked) at both ends",
      "minimum, maximum and default of \(checked) of \(tree.parameters.count) parameters gave finite samples",
      figures)
  }

  /// A part in which a parameter changes, and what it acts on.
  private func stimulus(_ index: Int, _ value: Float) -> Stimulus {
    var stimulus = Stimulus(frames: Self.frames)
    stimulus.changes = [.init(frame: 0, index: index, value: value)]
    return excited(stimulus)
  }

  private func excited(_ part: Stimulus) -> Stimulus {
    var part = part
    if subject.type.takesMIDI { part.notes = [.init(frame: 16, key: 60, length: 1024)] }
    if subject.type.takesAudio {
      part.input = Array(
        Stimulus.scale(at: SubjectPlayer.rate, subject.type).input[16_000..<16_000 + part.frames])
    }
    return part
  }

  func presets() throws(CheckFault) -> CheckRow {
    _ = try player.begin()
    let presets = try player.request { connection throws(ConnectionError) in
      try connection.presets()
    }
    if presets.isEmpty {
      return .unmeasured(.presets, "it has none that are values of parameters")
    }
    let end = ContinuousClock.now + Self.limit
    var faults: [String] = []
    var checked = 0
    for (index, preset) in presets.prefix(Self.mostPresets).enumerated()
    where ContinuousClock.now < end && faults.count < 3 {
      checked += 1
      do throws(CheckFault) {
        try player.request { connection throws(ConnectionError) in
          try connection.usePreset(index)
        }
        let run = try player.render(excited(Stimulus(frames: Self.frames)))
        if run.invalidSamples > 0 { faults.append("\(preset.name) gives NaN or infinite samples") }
      } catch {
        faults.append("\(preset.name): \(error.text)")
        _ = try player.begin()
      }
    }
    let figures = [CheckRow.Figure("presets", Double(checked), "presets")]
    return faults.isEmpty
      ? CheckRow(
        .presets, .good, "\(checked) play",
        "\(checked) of \(presets.count) presets gave finite samples",
        figures)
      : CheckRow(.presets, .bad, faults[0], faults.joined(separator: "; "), figures)
  }
}

extension Parameter {
  /// A value between the default and an end of the range.
  fileprivate var between: Float {
    let end = defaultValue < maximum ? maximum : minimum
    return defaultValue + (end - defaultValue) / 4
  }
}
