/// Decides which values a moved control gives its parameter.
///
/// With pick-up, the parameter does not jump: it follows the control after the control has passed the parameter's value,
/// and until something else changes the value.
package struct ControlFollower: Sendable {
  private var position: Double?
  /// The value that the parameter has if nothing else has changed it.
  private var sent: Float?

  /// A step of a controller with seven bits. A jump of one step is not audible as such, and a control that is next to
  /// the value may not be moved across it.
  private static let tolerance = 1.0 / 127

  package init() {}

  /// Returns the value for a position of the control.
  ///
  /// - Parameters:
  ///   - position: 0…1.
  ///   - present: The parameter's value.
  /// - Returns: `nil` if the parameter does not follow yet.
  package mutating func value(
    at position: Double, in range: ControlRange, present: Float, picksUp: Bool
  ) -> Float? {
    let previous = self.position
    self.position = position
    let value = range.value(at: position)
    if picksUp, sent != present, value != present, range.from != range.to {
      let goal = range.position(of: present)
      let isNear = abs(position - goal) <= Self.tolerance
      let hasPassed = previous.map { ($0 - goal) * (position - goal) <= 0 } ?? false
      guard isNear || hasPassed else {
        sent = nil
        return nil
      }
    }
    sent = value
    return value
  }
}
