/// The greatest absolute samples of the left and right channels; full scale is 1.
///
/// Realtime: yes.
package struct StereoPeaks: Equatable, Sendable, BitwiseCopyable {
  package var left: Float
  package var right: Float

  @_noLocks package init(left: Float = 0, right: Float = 0) {
    self.left = left
    self.right = right
  }

  var highest: Float { @_noLocks get { max(left, right) } }

  /// Returns the greater peak of each channel.
  package func maximum(_ other: Self) -> Self {
    Self(left: max(left, other.left), right: max(right, other.right))
  }
}
