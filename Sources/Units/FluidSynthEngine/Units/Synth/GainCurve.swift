import CRender
import RenderCore

/// Converts decibels to linear gain.
///
/// Realtime: yes.
enum Decibels {
  /// Returns the linear gain; exactly 1 for 0 dB.
  @_noLocks static func factor(_ decibels: Float) -> Float {
    if decibels == 0 { return 1 }
    // log₂(10) / 20
    return Float(maths_exp2(Double(decibels) * 0.166_096_404_744_368_1))
  }
}

/// The linear gain of each frame for a parameter in decibels, until the next event or parameter change.
///
/// Realtime: yes.
struct GainCurve: BitwiseCopyable {
  private let values: ParameterValues
  private let index: Int
  private let first: Float
  private let isRamping: Bool

  @_noLocks init(_ values: ParameterValues, _ index: Int, frames: Int) {
    self.values = values
    self.index = index
    first = Decibels.factor(values[index])
    isRamping = values.value(index, after: frames) != values[index]
  }

  /// Whether the gain is 1 on every frame.
  var isUnity: Bool { @_noLocks get { first == 1 && !isRamping } }

  /// Returns the linear gain of a frame.
  ///
  /// - Parameter frame: Counted from the current frame of the parameter values.
  @_noLocks func factor(at frame: Int) -> Float {
    isRamping ? Decibels.factor(values.value(index, after: frame)) : first
  }
}
