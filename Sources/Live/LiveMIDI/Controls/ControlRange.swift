import Glibc
package import RenderCore

/// The values that a control gives a parameter.
package struct ControlRange: Equatable, Sendable {
  private let parameter: Parameter
  /// The values at the positions 0 and 1. An inverted control has the higher one at 0.
  package let from, to: Float

  /// - Parameters:
  ///   - from: The value at the position 0; `nil` for the parameter's minimum.
  ///   - to: The value at the position 1; `nil` for its maximum.
  package init(_ parameter: Parameter, from: Float? = nil, to: Float? = nil) {
    func nearest(_ value: Float) -> Float {
      let value = max(parameter.minimum, min(parameter.maximum, value))
      return parameter.isStepped ? value.rounded() : value
    }
    self.parameter = parameter
    self.from = nearest(from ?? parameter.minimum)
    self.to = nearest(to ?? parameter.maximum)
  }

  /// The number of different values; `nil` if the parameter is not stepped.
  package var count: Int? { parameter.isStepped ? Int(abs(to - from)) + 1 : nil }

  /// Returns the value at a position. The ends are exact, and each value of a stepped parameter has the same share.
  ///
  /// - Parameter position: 0…1.
  package func value(at position: Double) -> Float {
    if position <= 0 { return from }
    if position >= 1 { return to }
    if let count {
      let step = Float(min(count - 1, Int(position * Double(count))))
      return from < to ? from + step : from - step
    }
    let (first, last) = (Double(from), Double(to))
    let value =
      parameter.scale == .logarithmic
      ? first * pow(last / first, position) : first + position * (last - first)
    return max(min(from, to), min(max(from, to), Float(value)))
  }

  /// Returns the position with a value: 0…1. A value out of the range is at the nearer end.
  package func position(of value: Float) -> Double {
    if from == to { return 0 }
    if let count { return (Double(abs(limited(value) - from)) + 0.5) / Double(count) }
    let (first, last, value) = (Double(from), Double(to), Double(limited(value)))
    return parameter.scale == .logarithmic
      ? log(value / first) / log(last / first) : (value - first) / (last - first)
  }

  /// Returns the value after an encoder was turned: a step is 1/127 of the range, or the next value of a stepped
  /// parameter. The ends are exact.
  ///
  /// - Parameter steps: Below 0 towards ``from``.
  package func value(after value: Float, steps: Int) -> Float {
    guard let count else { return self.value(at: position(of: value) + Double(steps) / 127) }
    let present = Int(abs(limited(value) - from).rounded())
    let step = Float(max(0, min(count - 1, present + steps)))
    return from < to ? from + step : from - step
  }

  /// Returns the value after a key or button was pressed: ``to``, or ``from`` if the value was ``to``; of a stepped
  /// parameter the next value towards ``to``, and after it ``from``.
  package func next(after value: Float) -> Float {
    guard count != nil, min(from, to) <= value, value <= max(from, to) else {
      return value == to ? from : to
    }
    if value == to { return from }
    return from < to ? value + 1 : value - 1
  }

  private func limited(_ value: Float) -> Float { max(min(from, to), min(max(from, to), value)) }
}
