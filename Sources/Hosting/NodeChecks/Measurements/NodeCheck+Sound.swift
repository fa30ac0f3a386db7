import NodeProtocol

extension NodeCheck {
  func start() throws(CheckFault) -> CheckRow {
    let began = ContinuousClock.now
    _ = try player.begin()
    let milliseconds = (ContinuousClock.now - began) / .milliseconds(1)
    player.leaveProcess()
    return CheckRow(
      .start, .good, "\(Int(milliseconds)) ms",
      "the time from the start of its process until it can play",
      [.init("time", milliseconds.rounded(), "milliseconds")])
  }

  func sound() throws(CheckFault) -> CheckRow {
    let played = try playScale()
    let peak = [CheckRow.Figure("peak", Double(played.peak), "full scale")]
    return played.isAudible
      ? CheckRow(.sound, .good, "peak \(levelText(played.peak))", "of \(stimulusText)", peak)
      : CheckRow(
        .sound, .warning, "silent",
        "\(stimulusText) gave no sound: it may need a file, more inputs or other values of parameters",
        peak)
  }

  private var stimulusText: String {
    switch (subject.type.takesMIDI, subject.type.takesAudio) {
    case (true, false): "a scale"
    case (true, true): "a scale with a pulse, noise and a sine"
    case (false, true): "a pulse, noise and a sine"
    case (false, false): "1.7 s"
    }
  }

  func repeatable() throws(CheckFault) -> CheckRow {
    let repetition = try measureRepetition()
    let figures: [CheckRow.Figure] = [
      .init("runs", Double(repetition.runs), "runs"),
      .init("others", Double(repetition.others), "runs"),
      .init("difference", Double(repetition.difference), "full scale"),
    ]
    if !repetition.isExact {
      return CheckRow(
        .repeatable, .warning, "differs by \(levelText(repetition.difference))",
        "\(repetition.others) of \(repetition.runs) runs do not play the same as another one: files differ from one rendering to the next. Random numbers without a fixed seed, "
          + "memory that is not initialized, or a thread of its own can be the reason.", figures)
    }
    if let fault = repetition.secondUnit {
      return CheckRow(
        .repeatable, .warning, "the same bits, once a process",
        "A second instance in the same process \(fault). Instances share something, such as random numbers.",
        figures)
    }
    return CheckRow(
      .repeatable, .good, "the same bits",
      "of two instances, and of \(repetition.runs + 1) \(subject.node == nil ? "processes" : "connections")",
      figures)
  }

  func cycleLengths() throws(CheckFault) -> CheckRow {
    if try !isRepeatable() {
      return .unmeasured(.cycles, "two runs in cycles of the same length differ, too")
    }
    let first = try playScale()
    let lengths =
      [64, 333] + (subject.longestCycle > SubjectPlayer.cycle ? [1, subject.longestCycle] : [])
    let lengthText =
      ([SubjectPlayer.cycle] + lengths.dropLast()).map(String.init).joined(separator: ", ")
      + " and \(lengths[lengths.count - 1])"
    var worst: (difference: Float, length: Int)?
    for length in lengths {
      let other = try player.play(.scale(at: SubjectPlayer.rate, subject.type), cycle: length)
      if other.hasBits(of: first) { continue }
      let difference = other.largestDifference(from: first)
      if difference >= worst?.difference ?? 0 { worst = (difference, length) }
    }
    guard let worst else {
      return CheckRow(
        .cycles, .good, "the same bits", "in cycles of \(lengthText) frames")
    }
    return CheckRow(
      .cycles, .warning, "differs by \(levelText(worst.difference))",
      "in cycles of \(worst.length) frames from cycles of \(SubjectPlayer.cycle): the sound depends on the host's buffer",
      [
        .init("difference", Double(worst.difference), "full scale"),
        .init("cycle", Double(worst.length), "frames"),
      ])
  }

  func rates() throws(CheckFault) -> CheckRow {
    let isAudible = try playScale().isAudible
    let repeats = try isRepeatable()
    let isMoved = subject.type.takesMIDI && isAudible && repeats
    let reference = isMoved ? try move(by: Self.fewMoves)?.placement : nil
    var faults: [String] = []
    for rate in [44_100, 96_000] {
      let played: Recording
      do throws(CheckFault) {
        played = try player.play(.scale(at: rate, subject.type), rate: rate)
      } catch {
        faults.append("\(rate) Hz: \(error.text)")
        continue
      }
      if played.isAudible != isAudible {
        faults.append("\(rate) Hz: \(isAudible ? "silent" : "sounds, unlike 48000 Hz")")
      } else if let reference {
        let other = try move(by: Self.fewMoves, rate: rate)?.placement
        if other?.kind != reference.kind {
          faults.append("\(rate) Hz: onset \(other?.description ?? "not found")")
        }
      }
    }
    return faults.isEmpty
      ? CheckRow(
        .rates, .good, "44.1, 48, 96 kHz",
        reference == nil
          ? "sounds as at 48 kHz" : "sounds, and onset stays \(reference.map { "\($0)" } ?? "")")
      : CheckRow(
        .rates, .warning, faults.count == 1 ? "one fails" : "\(faults.count) fail",
        faults.joined(separator: "; "))
  }
}

extension Placement {
  /// What must be the same at each rate.
  fileprivate var kind: Int {
    switch self {
    case .exact: 0
    case .blocks: 1
    case .scattered: 2
    }
  }
}
