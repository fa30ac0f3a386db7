import RenderCore

/// What each of a node's parameters may be, for the render thread.
///
/// Realtime: yes, apart from making and destroying it.
struct ParameterRanges: BitwiseCopyable {
  private let ranges: UnsafeMutablePointer<(minimum: Float, maximum: Float)>
  private let count: Int

  init(_ tree: ParameterTree) {
    count = tree.parameters.count
    ranges = .allocate(capacity: max(1, count))
    for (index, parameter) in tree.parameters.enumerated() {
      (ranges + index).initialize(to: (parameter.minimum, parameter.maximum))
    }
  }

  func destroy() { ranges.deallocate() }

  /// Why a parameter cannot be set so; `nil` if it can.
  @_noLocks func obstacle(_ index: Int, _ value: Float) -> ScheduleStatus? {
    guard index >= 0, index < count else { return .unknownParameter }
    let (minimum, maximum) = ranges[index]
    // False for NaN as well.
    return value >= minimum && value <= maximum ? nil : .outOfRange
  }
}
