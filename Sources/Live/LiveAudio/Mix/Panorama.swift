import Glibc

/// The level of a sound, and its place between left and right.
///
/// Realtime: yes, except ``init(decibels:balance:)``.
package struct Panorama: BitwiseCopyable, Equatable, Sendable {
  package let left: Float
  package let right: Float

  /// A sound that remains as it is.
  package init() { (left, right) = (1, 1) }

  /// - Parameters:
  ///   - decibels: The level.
  ///   - balance: The place from −1, left, to 1, right. At 0 both sides remain; to one side, the other becomes quieter.
  package init(decibels: Double, balance: Double) {
    let level = pow(10, decibels / 20)
    left = Float(level * min(1, 1 - balance))
    right = Float(level * min(1, 1 + balance))
  }

  /// Changes the samples of the channels, of which even numbers are left and odd ones right. A single channel is both.
  @_noLocks func apply(
    to output: UnsafePointer<UnsafeMutablePointer<Float>>, channels: Int, frames: Int
  ) {
    for channel in 0..<channels {
      let gain = channels == 1 ? (left + right) / 2 : channel % 2 == 0 ? left : right
      if gain == 1 { continue }
      for frame in 0..<frames { output[channel][frame] *= gain }
    }
  }
}
