import FluidSynthEngine
import RenderCore

/// Compares songs on lanes with the same songs on one plain FluidSynth.
struct Agreement {
  let font: SoundFont
  let plain: PlainFont

  /// The sum of a few dozen floats of this size is rounded differently in another order.
  private static let tolerance: Float = 2e-6

  /// Returns where the lanes' sound differs from that of the plain synth, and by how much; `nil` if it does not.
  func difference(_ song: Performance) throws -> String? {
    let frames = (song.end + 24_000) / 64 * 64
    let settings = InstrumentSettings(effects: Effects(reverb: false, chorus: false))
    let exact = try ExactInstrument(soundFont: font, settings: settings)
      .play(song, frames: frames)
    let judge = plain.play(song, frames: frames)

    var (first, worst, most) = (-1, 0, Self.tolerance)
    for frame in 0..<frames {
      let difference = max(
        abs(exact.left[frame] - judge.left[frame]),
        abs(exact.right[frame] - judge.right[frame]))
      guard difference > Self.tolerance else { continue }
      if first < 0 { first = frame }
      if difference > most { (worst, most) = (frame, difference) }
    }
    if first < 0 { return nil }
    return "from frame \(first) on, at most by \(most) at \(worst)"
  }

  /// Returns a song from which no message can be removed without its sound becoming equal.
  func shortened(_ song: Performance) throws -> Performance {
    var steps = song.sorted.steps
    var length = max(steps.count / 2, 1)
    while true {
      var start = 0
      var isShorter = false
      while start < steps.count {
        var fewer = steps
        fewer.removeSubrange(start..<min(start + length, steps.count))
        if try !fewer.isEmpty && difference(Performance(fewer, of: song)) != nil {
          (steps, isShorter) = (fewer, true)
        } else {
          start += length
        }
      }
      if length == 1, !isShorter { return Performance(steps, of: song) }
      length = max(length / 2, 1)
    }
  }

  static func text(_ song: Performance) -> String {
    song.steps.map { step in
      guard case .channel(let message) = step.content else { return "\(step.frame) SysEx" }
      return "\(step.frame) \(message.kind) \(message.channel) \(message.data1) \(message.data2)"
    }.joined(separator: "\n")
  }
}
