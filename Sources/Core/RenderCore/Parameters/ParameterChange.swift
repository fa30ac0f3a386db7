/// A change of a parameter to a new value, and the frame of the current cycle at which it starts.
///
/// With a ramp of n frames, the value i frames after the start is old + (new − old) · i / n. Without a ramp the new
/// value holds from the frame itself on. A change that starts during a ramp starts from the value at that frame.
///
/// Realtime: yes.
public struct ParameterChange: Equatable, Sendable, BitwiseCopyable {
  /// The frame within the cycle: 0…frames − 1.
  public var offset: UInt32
  /// The parameter's index in the unit's ``ParameterTree``.
  public var index: UInt32
  /// The new value, within the parameter's range.
  public var value: Float
  /// The length of the ramp in frames; 0: no ramp.
  public var ramp: UInt32

  @_noLocks public init(offset: UInt32, index: UInt32, value: Float, ramp: UInt32 = 0) {
    self.offset = offset
    self.index = index
    self.value = value
    self.ramp = ramp
  }
}
