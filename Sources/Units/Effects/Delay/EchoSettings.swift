import RenderCore

/// How the echoes are, while no parameter changes.
///
/// Realtime: yes.
struct EchoSettings: BitwiseCopyable {
  let feedback: Float
  let tone: LowPass
  /// What each side has of its own echoes, and of the other's.
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

  /// What is heard of one channel.
  @_noLocks func blend(_ input: Float, near echo: Float, far other: Float) -> Float {
    // Not by multiplication, which would make 0 of −0.
    if mix == 0 { return input }
    return input * (1 - mix) + (echo * near + other * far) * mix
  }
}
