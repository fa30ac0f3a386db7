import CRender
import RenderCore

/// Decibels, as factors.
///
/// Realtime: yes.
enum Decibels {
  /// 1 for 0 dB, to the bit.
  @_noLocks static func factor(_ decibels: Float) -> Float {
    if decibels == 0 { return 1 }
    // log₂(10) / 20
    return Float(maths_exp2(Double(decibels) * 0.166_096_404_744_368_1))
  }
}

/// A parameter in decibels, as the factor of each frame until the next happening.
///
/// Realtime: yes.
struct GainCurve: BitwiseCopyable {
  private let values: ParameterValues
  private let index: Int
  private let first: Float
  private let glides: Bool

  @_noLocks init(_ values: ParameterValues, _ index: Int, frames: Int) {
    self.values = values
    self.index = index
    first = Decibels.factor(values[index])
    glides = values.value(index, after: frames) != values[index]
  }

  /// Whether it leaves every sample as it is.
  var isOne: Bool { @_noLocks get { first == 1 && !glides } }

  /// - Parameter frame: Counted from the frame that the values have reached.
  @_noLocks func factor(at frame: Int) -> Float {
    glides ? Decibels.factor(values.value(index, after: frame)) : first
  }
}
