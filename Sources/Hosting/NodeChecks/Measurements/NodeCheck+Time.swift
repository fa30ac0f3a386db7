import LocalSystem
import NodeHost
import NodeProtocol
import RenderCore

// How long a port sounds, and how long it takes.
extension NodeCheck {
  /// The frames of silence after a scale in which a sound must end.
  private static let longestTail = 30 * SubjectPlayer.rate
  /// The frames by which a sound may outlast its tail: fades have no exact end.
  private static let tolerance = 4800

  /// Compares the tail that the port reports with how long it sounds after its last note or input.
  func tail() throws(CheckFault) -> CheckRow {
    var stimulus = Stimulus.scale(at: SubjectPlayer.rate, subject.type)
    let sourceEnd = max(
      stimulus.notes.map { $0.frame + ($0.length ?? 0) }.max() ?? 0,
      stimulus.input.lastIndex { $0 != 0 } ?? 0)
    if sourceEnd == 0 { return .unmeasured(.tail, "it plays by itself") }
    stimulus.frames += Self.longestTail
    let connection = try player.begin()
    let played = try player.render(stimulus)
    let (reported, latency) = (connection.tail, connection.latency)
    let last = played.lastAudibleFrame ?? sourceEnd
    let measured = max(0, last - sourceEnd - latency)
    let hasEnded = last < stimulus.frames - SubjectPlayer.rate
    var figures = [CheckRow.Figure("measured", Double(measured), "frames")]
    guard let reported else {
      return CheckRow(
        .tail, .unmeasured, "not reported",
        hasEnded
          ? "it sounds for \(seconds(measured)) s after its input" : "it sounds for more than 30 s",
        figures)
    }
    figures.append(.init("reported", Double(reported), "frames"))
    if measured > reported + Self.tolerance {
      return CheckRow(
        .tail, .bad, "\(seconds(measured)) s, but reports \(seconds(reported)) s",
        "Hosts stop after the reported tail, so that the end of a sound is cut.", figures)
    }
    return CheckRow(
      .tail, .good, "\(seconds(measured)) s, within \(seconds(reported)) s",
      "it is silent after the tail that it reports", figures)
  }

  private func seconds(_ frames: Int) -> String {
    let tenths = (frames * 10 + SubjectPlayer.rate / 2) / SubjectPlayer.rate
    return "\(tenths / 10).\(tenths % 10)"
  }

  /// The cycle whose time is measured, and the number of cycles.
  private static let timedCycle = 256
  private static let timedCycles = 1000

  /// Measures how long cycles with eight held notes take, in realtime mode, from the request to the answer.
  func deadlines() throws(CheckFault) -> CheckRow {
    player.leaveProcess()
    let player = SubjectPlayer(subject, isProbed: true)
    defer { player.leaveProcess() }
    _ = try player.begin()
    var stimulus = Stimulus(frames: Self.timedCycle)
    if subject.type.takesMIDI {
      stimulus.notes = (0..<8).map { .init(frame: 0, key: UInt8(48 + 3 * $0), length: nil) }
    }
    var times: [Int64] = []
    for _ in 0..<Self.timedCycles {
      let begin = MonotonicClock.now
      _ = try player.render(stimulus, cycle: Self.timedCycle)
      times.append(MonotonicClock.now - begin)
      stimulus.notes = []
    }
    times.sort()
    let length = Int64(Self.timedCycle) * 1_000_000_000 / Int64(SubjectPlayer.rate)
    func share(_ time: Int64) -> Int { Int((time * 100 + length / 2) / length) }
    let (median, most) = (times[times.count / 2], times[times.count - 1])
    let late = times.count { $0 > length }
    let figures: [CheckRow.Figure] = [
      .init("median", Double(median) / 1000, "microseconds"),
      .init("longest", Double(most) / 1000, "microseconds"),
      .init("late", Double(late), "cycles"), .init("cycles", Double(times.count), "cycles"),
    ]
    let text = "\(share(median)) % of a cycle, at most \(share(most)) %"
    if late * 100 > times.count {
      return CheckRow(
        .deadlines, .warning, "\(late) of \(times.count) late",
        "Cycles of \(Self.timedCycle) frames take longer than they last at 48 kHz: \(text). Close other programs, and repeat the check.",
        figures)
    }
    return CheckRow(
      .deadlines, .good, text,
      "of \(Self.timedCycle) frames at 48 kHz\(subject.type.takesMIDI ? ", with eight held keys" : ""), without realtime priority",
      figures)
  }
}
