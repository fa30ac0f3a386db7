import NodeHost
import NodeProtocol

extension NodeCheck {
  /// The first frame of the pulse, and the length of what follows.
  private static let pulse = 4800
  private static let frames = 4800 + 48_000
  /// The part of the energy that the greatest sample must have, if its frame is to be the delay.
  private static let dominance: Float = 0.5

  func latency() throws(CheckFault) -> CheckRow {
    let reported = try player.begin().latency
    let figure = CheckRow.Figure("reported", Double(reported), "frames")
    guard subject.type.takesAudio else {
      return CheckRow(
        .latency, .unmeasured, "reports \(reported) frames",
        "it has no input, with which its output could be compared", [figure])
    }
    let rest = try player.play(Stimulus(frames: Self.frames))
    let run = try player.play(.pulse(at: Self.pulse, frames: Self.frames))
    // Known to some units only after they have rendered.
    let now = try player.request { $0.latency }
    guard let measured = delay(run, rest) else {
      return CheckRow(
        .latency, .unmeasured, "reports \(now) frames",
        "a pulse comes out as no pulse, so that the delay cannot be measured",
        [.init("reported", Double(now), "frames")])
    }
    let figures: [CheckRow.Figure] = [
      .init("reported", Double(now), "frames"), .init("measured", Double(measured), "frames"),
    ]
    if measured == now {
      return CheckRow(
        .latency, .good, "\(now) frames, as reported", "a pulse comes out after as many frames",
        figures)
    }
    return now == 0 && !subject.hasLatency
      ? CheckRow(
        .latency, .warning, "\(measured) frames, none reported",
        "Right if it is an effect that delays; otherwise hosts cannot compensate it.", figures)
      : CheckRow(
        .latency, .bad, "\(measured) frames, but reports \(now)",
        "Hosts compensate what is reported, so that its sound is \(abs(measured - now)) frames \(measured > now ? "late" : "early").",
        figures)
  }

  /// Returns the frames from the pulse to the greatest sample of the response; `nil` if the response is no pulse.
  private func delay(_ run: Recording, _ rest: Recording) -> Int? {
    var result: Int?
    for (samples, silence) in zip(run.channels, rest.channels) {
      let response = zip(samples, silence).map { $0 - $1 }
      guard let place = response.indices.max(by: { abs(response[$0]) < abs(response[$1]) }) else {
        continue
      }
      let energy = response.reduce(Float(0)) { $0 + $1 * $1 }
      let peak = response[place]
      if abs(peak) > Recording.audible, peak * peak >= Self.dominance * energy {
        // The earliest of the channels.
        result = min(result ?? .max, place - Self.pulse)
      }
    }
    return result
  }
}
