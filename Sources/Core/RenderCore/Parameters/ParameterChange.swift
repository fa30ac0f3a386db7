/// A parameter's way to a new value, and the frame of the current cycle at which it begins.
///
/// With a ramp of n frames, the value i frames after the beginning is old + (new − old) · i / n; without one it
/// is the new value from the frame itself on. A change that begins during a ramp starts from where that is.
///
/// Realtime: yes.
public struct ParameterChange: Equatable, Sendable, BitwiseCopyable {
  /// Frame within the cycle: 0…frames − 1.
  public var offset: UInt32
  /// In the unit's ``ParameterTree``; within it.
  public var index: UInt32
  /// Within the parameter's range.
  public var value: Float
  /// Frames of the ramp; 0: none.
  public var ramp: UInt32

  @_noLocks public init(offset: UInt32, index: UInt32, value: Float, ramp: UInt32 = 0) {
    self.offset = offset
    self.index = index
    self.value = value
    self.ramp = ramp
  }
}
