import Glibc

/// Checks what a port promises: measures its sound, its timing, its state and its use of the render thread.
///
/// A fault of the subject, which has a process of its own, is the result of a measurement. After three of them the rest is not
/// measured.
///
/// Realtime: no. Threads: one.
package final class NodeCheck {
  let subject: any CheckSubject
  let player: SubjectPlayer
  /// A scale or test signal in cycles of ``SubjectPlayer/cycle``, when it has been played.
  private(set) var scale: Recording?
  private var repetition: Repetition?
  /// Whether less is tried, so that a user need not wait.
  let isBrief: Bool

  /// Whether units play the same bits again.
  struct Repetition {
    /// The runs in processes of their own, those of other bits than the first, and their largest difference.
    var runs = 0
    var others = 0
    var difference: Float = 0
    /// What is different in the second unit of a process; `nil` if nothing is.
    let secondUnit: String?

    init(secondUnit: String?) { self.secondUnit = secondUnit }

    var isExact: Bool { others == 0 }
  }

  private static let mostFaults = 3
  private static let mostRepetitions = 8
  /// After this time no further one begins.
  private static let repetitionLimit = Duration.seconds(5)

  /// - Parameter isBrief: Whether to take a second rather than a minute, at the price of certainty.
  package init(_ subject: any CheckSubject, isBrief: Bool = false) {
    (self.subject, self.isBrief) = (subject, isBrief)
    player = SubjectPlayer(subject)
  }

  /// Measures, and returns the results in the order of ``Measurement``.
  ///
  /// - Parameter accept: Called with each result when it is known.
  /// - Throws: What `accept` throws.
  @discardableResult
  package func run<Failure: Error>(
    _ measurements: [Measurement] = Measurement.ofPorts,
    accept: (CheckRow) throws(Failure) -> Void
  ) throws(Failure) -> [CheckRow] {
    var rows: [CheckRow] = []
    for measurement in subject.measurements where measurements.contains(measurement) {
      let row = measure(measurement)
      rows.append(row)
      try accept(row)
      // Nothing else can be measured.
      if measurement == .start, row.verdict == .bad { break }
    }
    return rows
  }

  private func measure(_ measurement: Measurement) -> CheckRow {
    if player.faults >= Self.mostFaults {
      return .unmeasured(measurement, "the process has ended or hung \(player.faults) times")
    }
    do throws(CheckFault) {
      return switch measurement {
      case .start: try start()
      case .messages: try messages()
      case .refusal: try refusal()
      case .memory: try memory()
      case .events: try events()
      case .connections: try connections()
      case .sound: try sound()
      case .repeatable: try repeatable()
      case .cycles: try cycleLengths()
      case .onset: try onset()
      case .release: try release()
      case .rates: try rates()
      case .latency: try latency()
      case .tail: try tail()
      case .state: try state()
      case .parameters: try parameters()
      case .ramps: try ramps()
      case .presets: try presets()
      case .sysex: try sysEx()
      case .transport: try transport()
      case .output: try output()
      case .panic: try panic()
      case .deadlines: try deadlines()
      case .realtime: try realtime()
      case .denormals: try denormals()
      case .samples: samples()
      // Of the program, after all its ports.
      case .end: .unmeasured(.end, "the node runs on")
      case .play, .claims, .answers, .silence, .losses, .lateness, .scribbles, .floods, .files:
        .unmeasured(measurement, "it is no host")
      }
    } catch {
      return CheckRow(
        measurement, .bad, error.text,
        measurement == .start
          ? "Nothing else can be measured." : "It ends or blocks the process that plays it."
      )
    }
  }

  /// Returns the scale or test signal, which is played once.
  func playScale() throws(CheckFault) -> Recording {
    if let scale { return scale }
    player.leaveProcess()
    let played = try player.play(.scale(at: SubjectPlayer.rate, subject.type))
    scale = played
    return played
  }

  /// Returns whether the same is played again, which is measured once. If a second unit of a process plays something else, units get
  /// processes of their own from then on.
  func measureRepetition() throws(CheckFault) -> Repetition {
    if let repetition { return repetition }
    let first = try playScale()
    let stimulus = Stimulus.scale(at: SubjectPlayer.rate, subject.type)
    var fault: String?
    do throws(CheckFault) {
      let second = try player.play(stimulus)
      if !second.hasBits(of: first) {
        fault = "differs by \(levelText(second.largestDifference(from: first)))"
      }
    } catch {
      fault = error.text
    }
    player.reusesProcess = fault == nil
    var result = Repetition(secondUnit: fault)
    let end = ContinuousClock.now + Self.repetitionLimit
    let most = isBrief ? 1 : Self.mostRepetitions
    if !isBrief { waitForNextSecond() }
    while result.runs == 0 || result.runs < most && ContinuousClock.now < end {
      player.leaveProcess()
      let again = try player.play(stimulus)
      result.runs += 1
      if again.hasBits(of: first) { continue }
      result.others += 1
      result.difference = max(result.difference, again.largestDifference(from: first))
    }
    repetition = result
    return result
  }

  /// Some plugins seed random numbers with the time in seconds.
  func waitForNextSecond() {
    let begin = time(nil)
    while time(nil) == begin { usleep(10_000) }
  }

  /// The node of the subject, whose ``CheckSubject/measurements`` are otherwise without those of nodes.
  var node: CheckedNode {
    get throws(CheckFault) {
      if let node = subject.node { return node }
      throw CheckFault(text: "has no node")
    }
  }

  func isRepeatable() throws(CheckFault) -> Bool { try measureRepetition().isExact }
}

extension NodeCheck {
  /// The infinite and NaN samples of all that was played.
  private func samples() -> CheckRow {
    let figures = [
      CheckRow.Figure("invalid", Double(player.invalidSamples), "samples"),
      CheckRow.Figure("cycles", Double(player.totalCycles), "cycles"),
    ]
    if player.totalCycles == 0 { return .unmeasured(.samples, "nothing was played") }
    return player.invalidSamples == 0
      ? CheckRow(
        .samples, .good, "all finite",
        "no sample was infinite or NaN in \(player.totalCycles) cycles",
        figures)
      : CheckRow(
        .samples, .bad, "\(player.invalidSamples) NaN or infinite",
        "Mixers and filters pass such samples on to everything else. Portative replaces them by 0.",
        figures)
  }
}
