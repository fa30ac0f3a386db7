import CRender
import RenderCore

/// The mapping from MIDI controllers to parameters; ``DelaySource`` has the table.
///
/// Realtime: yes.
enum DelayControllers {
  /// Returns the parameter change for a message, with offset 0; `nil` if the message is not mapped.
  @_noLocks static func change(
    _ message: ChannelMessage, sampleRate: Double
  ) -> ParameterChange? {
    guard message.kind == .controlChange else { return nil }
    let position = Double(message.data2) / 127
    let isOn: Float = message.data2 >= 64 ? 1 : 0
    let ramp = Int(0.01 * sampleRate)
    switch message.data1 {
    case 1: return change(.feedback, Float(98 * position), ramp)
    case 12: return change(.beats, beats(step: Int(message.data2) * 21 / 127), 0)
    case 13: return change(.milliseconds, logarithmic(1, 4000, position), ramp)
    case 14: return change(.width, Float(100 * position), ramp)
    case 74: return change(.tone, logarithmic(200, 20_000, position), ramp)
    case 80: return change(.sync, isOn, 0)
    case 81: return change(.pingPong, isOn, 0)
    case 94: return change(.mix, Float(100 * position), ramp)
    default: return nil
    }
  }

  @_noLocks private static func change(
    _ parameter: DelayParameter, _ value: Float, _ ramp: Int
  ) -> ParameterChange {
    ParameterChange(
      offset: 0, index: UInt32(parameter.index), value: value, ramp: UInt32(ramp))
  }

  /// Returns the note value of a step in beats: 1/16, the triplet of 1/8, dotted 1/16, 1/8, and so on, up to 8 for
  /// the 22nd step.
  @_noLocks private static func beats(step: Int) -> Float {
    let plain = Float(1 << (step / 3)) / 16
    switch step % 3 {
    case 1: return plain * 4 / 3
    case 2: return plain * 3 / 2
    default: return plain
    }
  }

  @_noLocks private static func logarithmic(
    _ minimum: Double, _ maximum: Double, _ position: Double
  ) -> Float {
    let octaves = maths_log2(maximum / minimum)
    return Float(minimum * maths_exp2(octaves * position))
  }
}
