import RenderCore

/// The ranges of a node's parameters, for the render thread.
///
/// Realtime: yes, except creation.
struct ParameterRanges: BitwiseCopyable {
  private let ranges: UnsafeMutablePointer<(minimum: Float, maximum: Float)>
  private let count: Int

  init(_ tree: ParameterTree, in memory: RenderMemory) {
    count = tree.parameters.count
    ranges = memory.makeEach(count) { index in
      (tree.parameters[index].minimum, tree.parameters[index].maximum)
    }
  }

  /// Returns the status if a parameter cannot have a value; `nil` if it can.
  @_noLocks func obstacle(_ index: Int, _ value: Float) -> ScheduleStatus? {
    guard index >= 0, index < count else { return .unknownParameter }
    let (minimum, maximum) = ranges[index]
    // The comparison is false for NaN.
    return value >= minimum && value <= maximum ? nil : .outOfRange
  }
}
