/// The range of a parameter, for the render thread.
struct ParameterRange: BitwiseCopyable {
  let minimum: Float
  let maximum: Float
  let isStepped: Bool

  init(_ parameter: Parameter) {
    minimum = parameter.minimum
    maximum = parameter.maximum
    isStepped = parameter.isStepped
  }

  /// Returns the nearest valid value; the minimum for NaN.
  @_noLocks func clamp(_ value: Float) -> Float {
    // The order of the comparisons maps NaN to the minimum.
    let value = value > minimum ? (value < maximum ? value : maximum) : minimum
    return isStepped ? Float(Int32(value < 0 ? value - 0.5 : value + 0.5)) : value
  }
}
