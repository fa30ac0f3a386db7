import CRender

/// How much of its way to the input a one-pole low-pass goes in each frame: y += part · (x − y).
///
/// Realtime: yes.
struct LowPass: BitwiseCopyable {
  let part: Float
  let rest: Float

  /// From this frequency on it lets everything pass, bit for bit.
  static var open: Float { @_noLocks get { 20_000 } }

  /// - Parameters:
  ///   - frequency: Where it has fallen by 3 dB, in Hz.
  ///   - sampleRate: Frames per second.
  @_noLocks init(frequency: Float, sampleRate: Double) {
    let turn = 2 * Double.pi * Double(frequency) / sampleRate
    // e to the power of −turn.
    let rest = frequency >= Self.open ? 0 : maths_exp2(-turn * 1.442_695_040_888_963_4)
    self.rest = Float(rest)
    part = Float(1 - rest)
  }

  /// - Parameter state: What came out last.
  @_noLocks func process(_ sample: Float, _ state: inout Float) -> Float {
    state = Denormals.sample(sample * part + state * rest)
    return state
  }

  /// By how many frames it delays a sine wave.
  ///
  /// - Parameter turn: The sine's angle per frame, in radians: above 0.
  @_noLocks func delay(atTurn turn: Double) -> Double {
    let rest = Double(rest)
    return maths_atan2(rest * maths_sin(turn), 1 - rest * maths_cos(turn)) / turn
  }
}
