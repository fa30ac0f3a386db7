import RenderCore

/// The settings of the echoes between two parameter changes.
///
/// Realtime: yes.
struct EchoSettings: BitwiseCopyable {
  let feedback: Float
  let tone: LowPass
  /// The gains of each side's own echoes and of the other side's echoes.
  let near: Float
  let far: Float
  let mix: Float

  @_noLocks init(_ values: ParameterValues, channels: Int, sampleRate: Double) {
    feedback = values[.feedback] / 100
    tone = LowPass(frequency: values[.tone], sampleRate: sampleRate)
    let width = channels == 2 ? values[.width] / 100 : 1
    near = (1 + width) / 2
    far = (1 - width) / 2
    mix = values[DelayParameter.mix] / 100
  }

  /// Returns one output channel.
  ///
  /// - Parameters:
  ///   - input: The channel's input.
  ///   - echo: The channel's own echo.
  ///   - other: The other channel's echo.
  @_noLocks func blend(_ input: Float, near echo: Float, far other: Float) -> Float {
    // Without arithmetic, which would turn −0 into 0.
    if mix == 0 { return input }
    return input * (1 - mix) + (echo * near + other * far) * mix
  }
}
